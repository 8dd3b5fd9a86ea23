/** Compaction: asked once in a turn, and the history stays (spec/worker.md § 3.5). */
import { expect, test } from 'vitest';
import { NO_USAGE, TaskMachine, typesOf } from './TaskMachine.ts';

const SUMMARY = { summary: 'They said hello', tokensBefore: 900, tokensAfter: 90 };

function due(task = TaskMachine.working({ settings: { model: 'm2', effort: 'HIGH' } })): TaskMachine {
  task.apply({ kind: 'compactionDue', effectKey: task.keyOf('callModel') });
  return task;
}

function compacts(task: TaskMachine, removedThroughId = 1): void {
  const effectKey = task.keyOf('compact');
  const usage = { inputTokens: 100, cachedTokens: 0, outputTokens: 10 };
  task.apply({ kind: 'compacted', effectKey, removedThroughId, ...SUMMARY, usage, model: 'm2' });
}

test('a context over its budget is compacted with the settings of the task, then the model is called', () => {
  const task = due();
  expect(task.effects).toMatchObject([{ kind: 'compact', model: 'm2', effort: 'HIGH' }]);
  expect(task.events).toEqual([]);
  compacts(task);
  expect(task.effects).toMatchObject([{ kind: 'callModel', model: 'm2', effort: 'HIGH', compacted: true }]);
  expect(task.events).toEqual([
    { type: 'task.compacted', removedThroughId: 1, tokensBefore: 900, tokensAfter: 90 },
  ]);
  expect(task.state).toMatchObject({
    summary: 'They said hello',
    compactedThroughId: 1,
    turns: 0,
    usage: { inputTokens: 100 },
    usageByModel: { m2: { outputTokens: 10 } },
  });
  expect(task.history).toMatchObject([{ id: 1, text: 'hello' }]);
});

test('the estimate begins anew after a compaction', () => {
  const task = TaskMachine.working();
  const effectKey = task.keyOf('callModel');
  const usage = { ...NO_USAGE, inputTokens: 70 };
  const reply = { text: 'hi', toolCalls: [], usage, model: 'm', finish: 'stop' } as const;
  task.apply({ kind: 'modelReplied', effectKey, ...reply, characters: 280 });
  expect(task.state.lastContext).toEqual({ inputTokens: 70, characters: 280 });
  task.says('alice', 'more');
  compacts(due(task));
  expect(task.state).not.toHaveProperty('lastContext');
});

test.each([
  [0, 1],
  [99, 2],
])('a cut at %i is kept within the history: %i', (removedThroughId, throughId) => {
  const task = due();
  compacts(task);
  task.replies('hi');
  task.says('alice', 'more');
  task.apply({ kind: 'compactionDue', effectKey: task.keyOf('callModel') });
  compacts(task, removedThroughId);
  expect(task.state.compactedThroughId).toBe(removedThroughId === 0 ? throughId : task.state.lastEntryId);
});

test('a turn is compacted once: a second time is a failure that parks the conversation', () => {
  const task = due();
  compacts(task);
  due(task);
  expect(task.state.status).toMatchObject({ state: 'INPUT_REQUIRED', errorCode: 'context.too_large' });
  expect(task.outstanding).toEqual([]);
});

test('a compaction that failed for good ends the run as a failed model call does', () => {
  const task = due();
  const failure = { code: 'provider.failed', message: 'no such model', attempts: 2 };
  task.apply({ kind: 'compactFailed', effectKey: task.keyOf('compact'), ...failure });
  expect(task.state.status).toMatchObject({
    state: 'INPUT_REQUIRED',
    message: 'The compaction failed after 2 attempts: no such model',
    errorCode: 'provider.failed',
  });
});

test('the end of the task abandons a compaction', () => {
  const task = due();
  const key = task.keyOf('compact');
  task.apply({ kind: 'cancelRequested', participant: 'alice' });
  expect(task.effects).toEqual([{ kind: 'abandon', key }]);
  expect(typesOf(task.events)).toEqual(['task.status CANCELED']);
});
