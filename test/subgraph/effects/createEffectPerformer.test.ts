import { describe, expect, test } from 'vitest';
import type { CommandDefinition, CommandInvocation } from '../../../subgraph/commands/CommandDefinition.ts';
import { COMMANDS } from '../../../subgraph/commands/index.ts';
import { createEffectPerformer } from '../../../subgraph/effects/createEffectPerformer.ts';
import type { EffectOutcome } from '../../../subgraph/effects/EffectPerformer.ts';
import { ModelError, type ModelProvider } from '../../../subgraph/models/ModelProvider.ts';
import { type CommandOutcome, initialState } from '../../../subgraph/task/index.ts';
import type { ToolDefinition } from '../../../subgraph/tools/ToolDefinition.ts';
import { createToolRegistry } from '../../../subgraph/tools/ToolRegistry.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeModel } from '../../support/FakeModel.ts';

const STATE = initialState(aTask()).state;
const never = () => new Promise<never>(() => {});

describe('callModel', () => {
  const effect = { kind: 'callModel', key: 'k' } as const;

  test('completes with what the model replied', async () => {
    const model = new FakeModel([
      { text: 'Look.', toolCalls: [{ tool: 'get_order', arguments: { id: 'a' } }] },
    ]);
    expect(await perform(effect, { model })).toEqual({
      kind: 'completed',
      input: {
        kind: 'modelReplied',
        effectKey: 'k',
        text: 'Look.',
        toolCalls: [{ callId: 'call_1_1', tool: 'get_order', arguments: { id: 'a' } }],
        usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
        model: 'd',
        finish: 'toolCalls',
      },
    });
  });

  test('reads the task and offers the tools', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    await perform(effect, { model, tools: [tool()] });
    const [request] = model.requests;
    expect(request?.cacheKey).toBe(STATE.id);
    expect(request?.input.map((entry) => 'text' in entry && entry.text)).toEqual([
      expect.stringContaining('Goal: Find the order'),
      '[alice] Find the order',
    ]);
    expect(request?.tools.map(({ name }) => name)).toEqual(['complete_step', 'create_plan', 'get_order']);
  });

  test('takes the effect of the task before the defaults', async () => {
    const model = new FakeModel([{ text: '1' }, { text: '2' }], { defaultModel: 'd', defaultEffort: 'LOW' });
    await perform({ ...effect, model: 'm2', effort: 'HIGH' }, { model });
    await perform(effect, { model });
    expect(model.requests).toMatchObject([
      { model: 'm2', effort: 'HIGH' },
      { model: 'd', effort: 'LOW' },
    ]);
  });

  test('has no effort at all when nobody chose one', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    await perform(effect, { model });
    expect(model.requests[0]).not.toHaveProperty('effort');
  });

  test.each<[ModelError, object]>([
    [new ModelError('provider.failed', 'no'), { code: 'provider.failed', message: 'no', retryable: false }],
    [
      new ModelError('provider.retryable', 'later', { retryAfterMs: 0 }),
      { code: 'provider.retryable', message: 'later', retryable: true, retryAfterMs: 0 },
    ],
  ])('fails with %s', async (error, expected) => {
    expect(await perform(effect, { model: new FakeModel([error]) })).toEqual({ kind: 'failed', ...expected });
  });

  test('fails after 120 s, even when the provider does not watch its signal', async () => {
    const clock = new FakeClock();
    const model: ModelProvider = Object.assign(new FakeModel([]), { respond: never });
    const outcome = perform(effect, { model, clock });
    expect(clock.delaysMs).toEqual([120_000]);
    clock.advance(120_000);
    expect(await outcome).toEqual({
      kind: 'failed',
      code: 'provider.retryable',
      message: 'Cannot call the model: Timed out after 120000 ms',
      retryable: true,
    });
  });

  test('rejects with the reason of its signal and leaves no timer', async () => {
    const clock = new FakeClock();
    const model = new FakeModel([{ text: 'Hi.' }]);
    model.hold();
    const controller = new AbortController();
    const outcome = perform(effect, { model, clock, signal: controller.signal });
    await model.requested(1);
    controller.abort(new Error('abandoned'));
    await expect(outcome).rejects.toThrow('abandoned');
    expect(clock.timers).toBe(0);
  });

  test('lets a defect of the provider through', async () => {
    const model: ModelProvider = Object.assign(new FakeModel([]), {
      respond: () => Promise.reject(new TypeError('defect')),
    });
    await expect(perform(effect, { model })).rejects.toThrow(TypeError);
  });
});

describe('callTool', () => {
  const effect = {
    kind: 'callTool',
    key: 'k',
    call: { callId: 'c1', tool: 'get_order', arguments: { id: 'a' } },
  } as const;

  test('completes with the output and tells the tool whose call it is', async () => {
    const output = await perform(effect, {
      tools: [tool({ run: async ({ ref, effectKey }) => ({ text: `${ref} ${effectKey}`, isError: false }) })],
    });
    expect(output).toEqual({
      kind: 'completed',
      input: { kind: 'toolReturned', effectKey: 'k', text: 'o/r#1 k', isError: false },
    });
  });

  test('completes with an error result for an unknown tool', async () => {
    expect(await perform(effect)).toMatchObject({
      kind: 'completed',
      input: { isError: true, text: expect.stringMatching(/^tool\.not_found: /) },
    });
  });

  test.each([
    [true, 'tool.failed'],
    [false, 'tool.not_retried'],
  ])('of a tool with isIdempotent %s that throws is %s', async (isIdempotent, code) => {
    const tools = [tool({ isIdempotent, run: () => Promise.reject(new Error('down')) })];
    expect(await perform(effect, { tools })).toEqual({
      kind: 'failed',
      code,
      message: 'down',
      retryable: isIdempotent,
    });
  });

  test('bounds what a tool throws', async () => {
    const tools = [tool({ run: () => Promise.reject('x'.repeat(5_000)) })];
    const outcome = await perform(effect, { tools });
    expect(outcome.kind === 'failed' && outcome.message.length).toBe(1_000);
  });

  test('fails after 300 s and aborts the signal of the tool', async () => {
    const clock = new FakeClock();
    let seen: AbortSignal | undefined;
    const tools = [
      tool({
        run({ signal }) {
          seen = signal;
          return never();
        },
      }),
    ];
    const outcome = perform(effect, { tools, clock });
    expect(clock.delaysMs).toEqual([300_000]);
    clock.advance(300_000);
    expect(await outcome).toMatchObject({ code: 'tool.failed', message: 'Timed out after 300000 ms' });
    expect(seen?.aborted).toBe(true);
  });

  test('rejects with the reason of its signal, and never starts when it has aborted before', async () => {
    let runs = 0;
    const tools = [
      tool({
        run() {
          runs += 1;
          return never();
        },
      }),
    ];
    const controller = new AbortController();
    const outcome = perform(effect, { tools, signal: controller.signal });
    controller.abort(new Error('abandoned'));
    await expect(outcome).rejects.toThrow('abandoned');
    await expect(perform(effect, { tools, signal: controller.signal })).rejects.toThrow('abandoned');
    expect(runs).toBe(1);
  });
});

describe('runCommand', () => {
  const effect = {
    kind: 'runCommand',
    key: 'k',
    messageId: 'm2',
    participant: 'alice',
    name: 'ping',
    args: 'a "b c"',
  } as const;

  test('gives the command its invocation and completes with its outcome', async () => {
    const seen: CommandInvocation[] = [];
    const ping = command((invocation) => {
      seen.push(invocation);
      return { kind: 'intents', intents: [{ kind: 'reply', text: 'pong' }] };
    });
    const model = new FakeModel([], { defaultEffort: 'LOW', allowedModels: ['d', 'm2'] });
    expect(await perform(effect, { commands: [ping], model })).toEqual({
      kind: 'completed',
      input: {
        kind: 'commandReturned',
        effectKey: 'k',
        outcome: { kind: 'intents', intents: [{ kind: 'reply', text: 'pong' }] },
      },
    });
    expect(seen).toEqual([
      {
        command: { messageId: 'm2', participant: 'alice', name: 'ping', args: 'a "b c"' },
        argv: ['a', 'b c'],
        state: STATE,
        defaults: { model: 'd', effort: 'LOW' },
        allowedModels: ['d', 'm2'],
        commands: [ping],
      },
    ]);
    expect(model.requests).toHaveLength(0);
  });

  test.each([
    ['modle', 'no command has this name; did you mean /model?'],
    ['completely-else', 'no command has this name; /help lists the commands'],
  ])('with the unknown name %s is command.unknown', async (name, message) => {
    expect(await outcomeOf({ ...effect, name }, COMMANDS)).toEqual({
      kind: 'error',
      code: 'command.unknown',
      message,
    });
  });

  test('with more than 8,192 characters of arguments is command.invalid_arguments', async () => {
    const ping = command(() => ({ kind: 'intents', intents: [] }));
    expect(await outcomeOf({ ...effect, args: 'x'.repeat(8_192) }, [ping])).toMatchObject({
      kind: 'intents',
    });
    expect(await outcomeOf({ ...effect, args: 'x'.repeat(8_193) }, [ping])).toMatchObject({
      code: 'command.invalid_arguments',
    });
  });

  test.each<[string, CommandDefinition['execute']]>([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
    ['rejects', () => Promise.reject(new Error('boom'))],
  ])('that %s is command.failed with its text', async (_, execute) => {
    expect(await outcomeOf(effect, [command(execute)])).toEqual({
      kind: 'error',
      code: 'command.failed',
      message: 'boom',
    });
  });

  test.each([[undefined], [null], ['pong'], [{}], [{ kind: 'intents' }], [{ kind: 'error', code: 1 }]])(
    'that returns %j is command.failed',
    async (value) => {
      const ping = command(() => value as unknown as CommandOutcome);
      expect(await outcomeOf(effect, [ping])).toMatchObject({ kind: 'error', code: 'command.failed' });
    },
  );

  test('returns plain JSON, whatever the command returns', async () => {
    const ping = command(() => ({
      kind: 'intents',
      intents: [{ kind: 'reply', text: 'pong', data: undefined }],
    }));
    expect(await outcomeOf(effect, [ping])).toStrictEqual({
      kind: 'intents',
      intents: [{ kind: 'reply', text: 'pong' }],
    });
  });

  test('that takes 30 s is command.failed', async () => {
    const clock = new FakeClock();
    const outcome = perform(effect, { commands: [command(never)], clock });
    expect(clock.delaysMs).toEqual([30_000]);
    clock.advance(30_000);
    expect(await outcome).toMatchObject({
      input: { outcome: { code: 'command.failed', message: 'Timed out after 30000 ms' } },
    });
  });

  async function outcomeOf(
    command: Performable & { kind: 'runCommand' },
    commands: readonly CommandDefinition[],
  ): Promise<CommandOutcome> {
    const outcome = await perform(command, { commands });
    if (outcome.kind !== 'completed' || outcome.input.kind !== 'commandReturned') {
      throw new Error(`unexpected outcome ${outcome.kind}`);
    }
    return outcome.input.outcome;
  }
});

test('isIdempotent() is true for a model, never for a command, and by definition for a tool', () => {
  const performer = createEffectPerformer({
    model: new FakeModel([]),
    tools: createToolRegistry([
      tool({ name: 'get_order', isIdempotent: true }),
      tool({ name: 'refund', isIdempotent: false }),
    ]),
    commands: [],
    clock: new FakeClock(),
  });
  const call = (name: string) =>
    performer.isIdempotent({
      kind: 'callTool',
      key: 'k',
      call: { callId: 'c', tool: name, arguments: {} },
    });
  expect(performer.isIdempotent({ kind: 'callModel', key: 'k' })).toBe(true);
  expect(['get_order', 'refund', 'gone'].map(call)).toEqual([true, false, false]);
  expect(
    performer.isIdempotent({
      kind: 'runCommand',
      key: 'k',
      messageId: 'm',
      participant: 'alice',
      name: 'status',
      args: '',
    }),
  ).toBe(false);
});

type Performable = Parameters<ReturnType<typeof createEffectPerformer>['perform']>[0];

interface Parts {
  readonly model?: ModelProvider;
  readonly tools?: readonly ToolDefinition[];
  readonly commands?: readonly CommandDefinition[];
  readonly clock?: FakeClock;
  readonly signal?: AbortSignal;
}

function perform(
  effect: Performable,
  {
    model = new FakeModel([]),
    tools = [],
    commands = [],
    clock = new FakeClock(),
    signal = new AbortController().signal,
  }: Parts = {},
): Promise<EffectOutcome> {
  return createEffectPerformer({ model, tools: createToolRegistry(tools), commands, clock }).perform(effect, {
    state: STATE,
    attempt: 1,
    signal,
  });
}

function tool(change: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'get_order',
    description: 'Finds an order.',
    inputSchema: { type: 'object' },
    isIdempotent: true,
    run: async () => ({ text: 'found', isError: false }),
    ...change,
  };
}

function command(execute: CommandDefinition['execute']): CommandDefinition {
  return { name: 'ping', description: 'Answers.', usage: '/ping', execute };
}
