import { describe, expect, test } from 'vitest';
import type { CommandRunner } from '../../../subgraph/commands/createCommandRunner.ts';
import { createEffectPerformer } from '../../../subgraph/effects/createEffectPerformer.ts';
import type { EffectOutcome } from '../../../subgraph/effects/EffectPerformer.ts';
import { ModelError, type ModelProvider } from '../../../subgraph/models/ModelProvider.ts';
import { initialState } from '../../../subgraph/task/index.ts';
import { type ToolDefinition, ToolError } from '../../../subgraph/tools/ToolDefinition.ts';
import { createToolRegistry } from '../../../subgraph/tools/ToolRegistry.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeModel } from '../../support/FakeModel.ts';

const STATE = initialState(aTask()).state;
const never = () => new Promise<never>(() => {});
const NO_COMMANDS: CommandRunner = { run: never };

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
        characters: expect.any(Number),
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
    expect(request?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['create_plan', 'get_order']),
    );
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
    await clock.waiting();
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
    ['an error', new Error('down'), 'tool.failed'],
    ['a ToolError', new ToolError('provider.retryable', 'down'), 'provider.retryable'],
  ])('of a tool that throws %s is a failed attempt with its code', async (_, error, code) => {
    const tools = [tool({ run: () => Promise.reject(error) })];
    expect(await perform(effect, { tools })).toEqual({
      kind: 'failed',
      code,
      message: 'down',
      retryable: true,
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
    await clock.waiting();
    expect(clock.delaysMs).toEqual([300_000]);
    clock.advance(300_000);
    expect(await outcome).toMatchObject({ code: 'tool.timed_out', message: 'Timed out after 300000 ms' });
    expect(seen?.aborted).toBe(true);
  });

  test('rejects with the reason of its signal, and never starts when it has aborted before', async () => {
    let runs = 0;
    const started = Promise.withResolvers<void>();
    const tools = [
      tool({
        run() {
          runs += 1;
          started.resolve();
          return never();
        },
      }),
    ];
    const controller = new AbortController();
    const outcome = perform(effect, { tools, signal: controller.signal });
    await started.promise;
    controller.abort(new Error('abandoned'));
    await expect(outcome).rejects.toThrow('abandoned');
    await expect(perform(effect, { tools, signal: controller.signal })).rejects.toThrow('abandoned');
    expect(runs).toBe(1);
  });
});

test('runCommand completes with the outcome of the command', async () => {
  const effect = {
    kind: 'runCommand',
    key: 'k',
    messageId: 'm2',
    participant: 'alice',
    name: 'ping',
    args: '',
  };
  const outcome = { kind: 'intents', intents: [{ kind: 'reply', text: 'pong' }] } as const;
  const commands: CommandRunner = { run: async (call) => (call.name === 'ping' ? outcome : never()) };
  expect(await perform(effect as Performable, { commands })).toEqual({
    kind: 'completed',
    input: { kind: 'commandReturned', effectKey: 'k', outcome },
  });
});

test('isIdempotent() is true for a model, never for a command, and by definition for a tool', () => {
  const performer = createEffectPerformer({
    model: new FakeModel([]),
    tools: createToolRegistry([
      tool({ name: 'get_order', isIdempotent: true }),
      tool({ name: 'refund', isIdempotent: false }),
    ]),
    commands: NO_COMMANDS,
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
  readonly commands?: CommandRunner;
  readonly clock?: FakeClock;
  readonly signal?: AbortSignal;
}

function perform(
  effect: Performable,
  {
    model = new FakeModel([]),
    tools = [],
    commands = NO_COMMANDS,
    clock = new FakeClock(),
    signal = new AbortController().signal,
  }: Parts = {},
): Promise<EffectOutcome> {
  return createEffectPerformer({ model, tools: createToolRegistry(tools), commands, clock }).perform(effect, {
    state: STATE,
    attempt: 1,
    engine: { start: never, deliver: never },
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
