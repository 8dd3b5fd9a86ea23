/** What every model provider does, whatever is behind it (spec/worker.md § 6.1). */
import { describe, expect, test } from 'vitest';
import type { ScriptedReply } from '../../schema/config/ConfigSchema.ts';
import type { ModelProvider, ModelRequest } from '../../subgraph/models/ModelProvider.ts';
import type { HistoryEntry, JsonObject } from '../../subgraph/task/index.ts';

/** What the model behind the provider says, turn by turn of a task. */
export interface ModelScript {
  readonly replies: readonly ScriptedReply[];
  /** No answer comes before the request is aborted. */
  readonly hangs?: boolean;
}

/** Creates a provider whose model plays the script; its tools are those of `TOOLS`. */
export type CreateModel = (
  script: ModelScript,
) => Promise<AsyncDisposable & { readonly provider: ModelProvider }>;

const TOOLS = ['create_plan', 'orders.get_order', 'orders_get_order'].map((name) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
}));

const HELLO: HistoryEntry = {
  id: 1,
  atMs: 0,
  kind: 'message',
  role: 'USER',
  participant: 'alice',
  text: '[alice] hello',
};

export function modelProviderSuite(name: string, create: CreateModel): void {
  const title = (behaviour: string): string => `${name}: ${behaviour}`;
  const running = (): AbortSignal => new AbortController().signal;

  describe(title('model provider'), () => {
    test(title('a text answer stops'), async () => {
      await using model = await create({ replies: [{ text: 'Hi, Alice.' }] });
      const response = await model.provider.respond(request([HELLO]), { signal: running() });
      expect(response).toMatchObject({ text: 'Hi, Alice.', toolCalls: [], model: 'm2', finish: 'stop' });
    });

    test(title('tool calls keep names, arguments and order, and have ids of their own'), async () => {
      const toolCalls: { tool: string; arguments: JsonObject }[] = [
        { tool: 'orders.get_order', arguments: { id: 'a', nested: { list: [1, null, 'ü'] } } },
        { tool: 'orders_get_order', arguments: {} },
        { tool: 'orders.get_order', arguments: { id: 'b' } },
      ];
      await using model = await create({ replies: [{ toolCalls }] });
      const response = await model.provider.respond(request([HELLO]), { signal: running() });
      expect(response.finish).toBe('toolCalls');
      expect(response.toolCalls).toMatchObject(toolCalls);
      expect(new Set(response.toolCalls.map((call) => call.callId)).size).toBe(3);
    });

    test(title('a history with calls and results is understood'), async () => {
      const replies = [
        { toolCalls: [{ tool: 'orders.get_order', arguments: { id: 'a' } }] },
        { text: 'It is on its way.' },
      ];
      await using model = await create({ replies });
      const first = await model.provider.respond(request([HELLO]), { signal: running() });
      const call = first.toolCalls[0]!;
      const second = await model.provider.respond(
        request([
          HELLO,
          { id: 2, atMs: 1, kind: 'toolCall', ...call },
          {
            id: 3,
            atMs: 2,
            kind: 'toolResult',
            callId: call.callId,
            tool: call.tool,
            text: 'sent',
            isError: false,
          },
        ]),
        { signal: running() },
      );
      expect(second).toMatchObject({ text: 'It is on its way.', toolCalls: [], finish: 'stop' });
    });

    test(title('usage is counted in whole tokens'), async () => {
      await using model = await create({ replies: [{ text: 'Hi.' }] });
      const { usage } = await model.provider.respond(request([HELLO]), { signal: running() });
      for (const tokens of [usage.inputTokens, usage.cachedTokens, usage.outputTokens]) {
        expect(Number.isInteger(tokens) && tokens >= 0, JSON.stringify(usage)).toBe(true);
      }
    });

    test(title('a response survives JSON'), async () => {
      const replies = [{ text: 'One.', toolCalls: [{ tool: 'create_plan', arguments: { id: 'x' } }] }];
      await using model = await create({ replies });
      const response = await model.provider.respond(request([HELLO]), { signal: running() });
      expect(JSON.parse(JSON.stringify(response))).toStrictEqual(response);
    });

    test(title('an aborted signal rejects with its reason, before and during a request'), async () => {
      await using model = await create({ replies: [{ text: 'Hi.' }], hangs: true });
      const reason = new Error('abandoned');
      const controller = new AbortController();
      const response = model.provider.respond(request([HELLO]), { signal: controller.signal });
      controller.abort(reason);
      await expect(response).rejects.toBe(reason);
      await expect(model.provider.respond(request([HELLO]), { signal: controller.signal })).rejects.toBe(
        reason,
      );
    });
  });
}

function request(input: readonly HistoryEntry[]): ModelRequest {
  return {
    instructions: 'You are the assignee of one task.',
    input,
    tools: TOOLS,
    model: 'm2',
    effort: 'HIGH',
    cacheKey: 'task-1',
  };
}
