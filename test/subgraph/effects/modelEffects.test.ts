/** The effects that ask a model, with the hooks, budgets and prices around them. */
import { describe, expect, test } from 'vitest';
import {
  createEffectPerformer,
  type EffectPerformerOptions,
} from '../../../subgraph/effects/createEffectPerformer.ts';
import type { EffectOutcome, PerformableEffect } from '../../../subgraph/effects/EffectPerformer.ts';
import { HookError } from '../../../subgraph/hooks/HookRunner.ts';
import { type HistoryContent, initialState, type TaskState } from '../../../subgraph/task/index.ts';
import { createToolRegistry } from '../../../subgraph/tools/ToolRegistry.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeHooks } from '../../support/FakeHooks.ts';
import { FakeModel } from '../../support/FakeModel.ts';

const never = () => new Promise<never>(() => {});
const CALL_MODEL = { kind: 'callModel', key: 'k' } as const;
const COMPACT = { kind: 'compact', key: 'k' } as const;
/** Every context of these tests is larger. */
const TINY = { turnBudgetTokens: 500, compactionFraction: 0.1, modelWindows: [] };

describe('callModel', () => {
  test('asks for a compaction instead of the model when the context is over its budget, and not when that was done', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    const options = { model, contextLimits: () => TINY };
    expect(await perform(CALL_MODEL, options)).toEqual({
      kind: 'completed',
      input: { kind: 'compactionDue', effectKey: 'k' },
    });
    expect(model.requests).toEqual([]);
    expect(await perform({ ...CALL_MODEL, compacted: true }, options)).toMatchObject({
      input: { kind: 'modelReplied', text: 'Hi.' },
    });
  });

  test('asks the model when there is nothing that could be compacted', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    const state = stateWith({}, []);
    const outcome = await perform(CALL_MODEL, { model, contextLimits: () => TINY }, state);
    expect(outcome).toMatchObject({ input: { kind: 'modelReplied' } });
  });

  test('judges by the window of the task’s model', async () => {
    const contextLimits = () => ({
      turnBudgetTokens: 1_000_000,
      compactionFraction: 0.75,
      modelWindows: [{ model: 'small-model', tokens: 1_000 }],
    });
    const state = stateWith({ lastContext: { inputTokens: 900, characters: 1_000_000 } });
    const kindOf = async (model: string) => {
      const options = { model: new FakeModel([{ text: 'Hi.' }]), contextLimits };
      const outcome = await perform({ ...CALL_MODEL, model }, options, state);
      return outcome.kind === 'completed' && outcome.input.kind;
    };
    expect([await kindOf('d'), await kindOf('small-model'), await kindOf('d')]).toEqual([
      'modelReplied',
      'compactionDue',
      'modelReplied',
    ]);
  });

  test('does not ask the model once the instance has used what it may', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    const findReachedBudget = () => 'the instance has made 5 model turns today, fewer than 5 are expected';
    expect(await perform(CALL_MODEL, { model, findReachedBudget })).toEqual({
      kind: 'failed',
      code: 'instance.budget_reached',
      message: `The budget of the instance is used up: ${findReachedBudget()}`,
      retryable: false,
    });
    expect(model.requests).toEqual([]);
  });

  test('tells the cost of what has a price', async () => {
    const options = {
      model: new FakeModel([{ text: 'Hi.' }]),
      prices: () => [{ model: 'd', inputPerMillion: 1, outputPerMillion: 1 }],
    };
    expect(await perform(CALL_MODEL, options)).toMatchObject({ input: { usage: { costMicros: 0 } } });
  });

  test('sends what the hooks make of the request, and returns what they make of the response', async () => {
    const model = new FakeModel([
      { text: 'Look.', toolCalls: ['a', 'b'].map((tool) => ({ tool, arguments: {} })) },
    ]);
    const hooks = new FakeHooks({
      'llm.invoked.pre': ({ request, ...rest }) => ({
        context: { ...rest, request: { ...request, instructions: 'Changed', model: 'm9' } },
      }),
      'llm.invoked.post': ({ response, ...rest }) => ({
        context: { ...rest, response: { ...response, text: 'Seen.' } },
      }),
      'tool_calls.extracted.pre': ({ toolCalls, ...rest }) => ({
        context: { ...rest, toolCalls: toolCalls.filter(({ tool }) => tool === 'b') },
      }),
    });
    expect(await perform(CALL_MODEL, { model, hooks })).toMatchObject({
      input: { text: 'Seen.', toolCalls: [{ tool: 'b' }] },
    });
    expect(model.requests[0]).toMatchObject({ instructions: 'Changed', model: 'm9', cacheKey: 'task-1' });
    expect(model.requests[0]?.input.at(-1)).toMatchObject({
      kind: 'message',
      text: '[alice] Find the order',
    });
  });

  test('an abort of a hook fails it for good, and a hook that fails is retried as it says', async () => {
    const abort = { abort: { reason: 'policy', message: 'not today' } } as const;
    const model = new FakeModel([]);
    expect(
      await perform(CALL_MODEL, { model, hooks: new FakeHooks({ 'llm.invoked.pre': () => abort }) }),
    ).toEqual({ kind: 'failed', code: 'hook.abort', message: 'not today', retryable: false });
    const hooks = new FakeHooks({
      'llm.invoked.pre': () => {
        throw new HookError('hook.transport', 'unreachable', { retryable: true });
      },
    });
    expect(await perform(CALL_MODEL, { model, hooks })).toEqual({
      kind: 'failed',
      code: 'hook.transport',
      message: 'unreachable',
      retryable: true,
    });
    expect(model.requests).toEqual([]);
  });

  test('says that others decide about the end of the run when a hook does', async () => {
    const hooks = new FakeHooks({ 'task.complete.in': () => undefined });
    const outcome = await perform(CALL_MODEL, { model: new FakeModel([{ text: 'Hi.' }]), hooks });
    expect(outcome).toMatchObject({ input: { decideCompletion: true } });
  });
});

describe('compact', () => {
  const history: HistoryContent[] = [
    { kind: 'message', role: 'USER', participant: 'alice', text: 'Find the order' },
    { kind: 'toolCall', callId: 'c', tool: 'get_order', arguments: { id: '15' } },
    { kind: 'toolResult', callId: 'c', tool: 'get_order', text: 'shipped', isError: false },
    { kind: 'message', role: 'ASSISTANT', text: 'It is on its way' },
  ];

  test('summarises the older half with the task’s model and no tools, and never parts a call from its result', async () => {
    const model = new FakeModel([{ text: 'The order 15 was shipped.' }]);
    const state = stateWith({ summary: 'Alice is a customer' }, history);
    const outcome = await perform({ ...COMPACT, model: 'm2', effort: 'HIGH' }, { model }, state);
    expect(outcome).toMatchObject({
      kind: 'completed',
      input: {
        kind: 'compacted',
        effectKey: 'k',
        removedThroughId: 3,
        summary: 'The order 15 was shipped.',
        model: 'm2',
      },
    });
    const [request] = model.requests;
    expect(request).toMatchObject({ model: 'm2', effort: 'HIGH', tools: [] });
    expect(request?.input).toHaveLength(1);
    const text = String(request?.input.map((entry) => 'text' in entry && entry.text));
    expect(text).toMatch(/<untrusted source="summary">[\s\S]*Alice is a customer/);
    expect(text).toContain('Find the order');
    expect(text).toMatch(/<untrusted source="tool get_order">[\s\S]*shipped/);
    expect(text).not.toContain('on its way');
  });

  test('tells what it saves, never below nothing', async () => {
    const model = new FakeModel([{ text: 'Short.' }]);
    const long = [{ ...history[0]!, text: 'x'.repeat(40_000) } as HistoryContent, history[3]!];
    const outcome = await perform(COMPACT, { model }, stateWith({}, long));
    const input =
      outcome.kind === 'completed' && outcome.input.kind === 'compacted' ? outcome.input : undefined;
    expect(input?.tokensBefore).toBeGreaterThan(10_000);
    expect(input?.tokensAfter).toBe((input?.tokensBefore ?? 0) - 10_000 + 2);
  });

  test('a hook may write the summary, and then no model is asked', async () => {
    const hooks = new FakeHooks({
      'compaction.summarise.in': (context) => ({ context: { ...context, result: 'By hand' } }),
    });
    const outcome = await perform(COMPACT, { model: new FakeModel([]), hooks }, stateWith({}, history));
    expect(outcome).toMatchObject({ input: { summary: 'By hand' } });
    expect(outcome).not.toHaveProperty('input.usage');
  });

  test('a hook that gives up a section that is never compacted is a defect', async () => {
    const hooks = new FakeHooks({
      'compaction.keep.in': (context) => ({ context: { ...context, result: ['task'] } }),
    });
    const outcome = perform(COMPACT, { model: new FakeModel([]), hooks }, stateWith({}, history));
    await expect(outcome).rejects.toThrow('system_prompt');
  });

  test('an empty summary is no summary', async () => {
    const outcome = await perform(COMPACT, { model: new FakeModel([{ text: ' ' }]) }, stateWith({}, history));
    expect(outcome).toMatchObject({ kind: 'failed', retryable: true });
  });
});

describe('decideCompletion', () => {
  const effect = { kind: 'decideCompletion', key: 'k', text: 'Done', unresolved: ['t.1'] } as const;

  test.each([
    ['nothing', () => undefined, { decision: 'wait' }],
    ['a result', { decision: 'complete' }, { decision: 'complete' }],
    ['a failure', { decision: 'fail', reason: 'not good' }, { decision: 'fail', reason: 'not good' }],
  ] as const)('%s of the hook', async (_, result, expected) => {
    const hooks = new FakeHooks({
      'task.complete.in': (context) =>
        typeof result === 'function' ? undefined : { context: { ...context, result } },
    });
    expect(await perform(effect, { hooks })).toMatchObject({
      input: { kind: 'completionDecided', ...expected },
    });
  });

  test('an abort fails the task with its reason', async () => {
    const hooks = new FakeHooks({
      'task.complete.in': () => ({ abort: { reason: 'policy', message: 'not reviewed' } }),
    });
    expect(await perform(effect, { hooks })).toMatchObject({
      input: { decision: 'fail', reason: 'not reviewed', code: 'hook.abort' },
    });
  });
});

function perform(
  effect: PerformableEffect,
  options: Partial<EffectPerformerOptions>,
  state: TaskState = stateWith({}),
): Promise<EffectOutcome> {
  const performer = createEffectPerformer({
    model: new FakeModel([]),
    tools: createToolRegistry([]),
    commands: { run: never },
    clock: new FakeClock(),
    ...options,
  });
  const signal = new AbortController().signal;
  return performer.perform(effect, { state, attempt: 1, engine: { start: never, deliver: never }, signal });
}

function stateWith(change: Partial<TaskState>, history?: readonly HistoryContent[]): TaskState {
  const { state } = initialState(aTask());
  const entries = history?.map((content, index) => ({ id: index + 1, atMs: 0, ...content }));
  return { ...state, ...(entries && { history: entries, lastEntryId: entries.length }), ...change };
}
