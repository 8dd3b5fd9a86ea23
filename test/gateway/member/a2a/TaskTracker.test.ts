/** Which events come of what is seen of an agent's tasks, and how they are kept. */
import { expect, test } from 'vitest';
import { type RemoteTask, readRemoteTask } from '../../../../gateway/member/a2a/readRemoteTask.ts';
import { TaskLog } from '../../../../gateway/member/a2a/TaskLog.ts';
import { TaskTracker } from '../../../../gateway/member/a2a/TaskTracker.ts';
import { usedHeap } from '../../../support/collectGarbage.ts';
import { FakeClock } from '../../../support/FakeClock.ts';

interface Status {
  readonly second?: number;
  readonly text?: string;
}

function taskIn(id: string, state: string, { second, text }: Status = {}): RemoteTask {
  const status = {
    state: `TASK_STATE_${state}`,
    ...(second !== undefined && { timestamp: new Date(second * 1000).toISOString() }),
    ...(text !== undefined && { message: { parts: [{ text }] } }),
  };
  const task = readRemoteTask({ id, status }, { redact: (told) => told, nowMs: Date.UTC(2026, 11, 31) });
  if (!task) throw new Error('It was expected to be a task');
  return task;
}

function openTracker(startMs = 1000) {
  const log = new TaskLog(startMs);
  const tracker = new TaskTracker({ name: 'agent', log, clock: new FakeClock() });
  const told = () =>
    log.after(log.start, 1000).map(({ type, ref, data }) => {
      const { state, message } = data as { readonly state?: string; readonly message?: string };
      return [type, ref, state, message].filter((part) => part !== undefined).join(' ');
    });
  return { log, tracker, told };
}

test('what is there at the first look is no news, what comes later is', () => {
  const { tracker, told } = openTracker();
  tracker.seeAll([taskIn('old', 'WORKING', { second: 1 })]);
  expect(told()).toEqual([]);
  tracker.seeAll([taskIn('old', 'WORKING', { second: 1 }), taskIn('new', 'SUBMITTED', { second: 2 })]);
  tracker.see(taskIn('other', 'INPUT_REQUIRED', { second: 3, text: 'ready' }));
  expect(told()).toEqual([
    'task.created a2a:agent/new#1 SUBMITTED',
    'task.created a2a:agent/other#1 INPUT_REQUIRED',
    'task.status a2a:agent/other#1 INPUT_REQUIRED ready',
  ]);
});

test('a task that was written to before the first look is told of when that finds it changed', () => {
  const { tracker, told } = openTracker();
  tracker.see(taskIn('t', 'WORKING', { second: 1 }));
  tracker.seeAll([taskIn('t', 'INPUT_REQUIRED', { second: 2, text: 'done' })]);
  expect(told()).toEqual(['task.status a2a:agent/t#1 INPUT_REQUIRED done']);
});

test('what is read before the first look is told of when it has changed, and what is read later is not passed over', () => {
  const { tracker, told } = openTracker();
  expect(tracker.isTracked('t')).toBe(false);
  tracker.remember(taskIn('t', 'INPUT_REQUIRED', { second: 1, text: 'before' }));
  expect(tracker.isTracked('t')).toBe(true);
  tracker.see(taskIn('t', 'INPUT_REQUIRED', { second: 1, text: 'before' }));
  tracker.see(taskIn('t', 'COMPLETED', { second: 2, text: 'after' }));
  tracker.seeAll([]);
  tracker.remember(taskIn('new', 'SUBMITTED', { second: 3 }));
  tracker.seeAll([taskIn('new', 'SUBMITTED', { second: 3 })]);
  expect(told()).toEqual([
    'task.status a2a:agent/t#1 COMPLETED after',
    'task.created a2a:agent/new#1 SUBMITTED',
  ]);
});

test('an answer that is older than what is known says nothing, and a replay is told once', () => {
  const { tracker, told } = openTracker();
  tracker.seeAll([]);
  for (const second of [1, 3, 2, 3, 1]) tracker.see(taskIn('t', 'WORKING', { second, text: `at ${second}` }));
  expect(told()).toEqual([
    'task.created a2a:agent/t#1 WORKING',
    'task.status a2a:agent/t#1 WORKING at 1',
    'task.status a2a:agent/t#1 WORKING at 3',
  ]);
});

test('without times a status is news when it says something else', () => {
  const { tracker, told } = openTracker();
  tracker.seeAll([taskIn('t', 'SUBMITTED')]);
  for (const state of ['SUBMITTED', 'WORKING', 'WORKING', 'INPUT_REQUIRED']) tracker.see(taskIn('t', state));
  expect(told()).toEqual(['task.status a2a:agent/t#1 WORKING', 'task.status a2a:agent/t#1 INPUT_REQUIRED']);
});

test('a task that has ended stays so', () => {
  const { tracker, told } = openTracker();
  tracker.seeAll([taskIn('t', 'WORKING', { second: 1 })]);
  tracker.see(taskIn('t', 'COMPLETED', { second: 2 }));
  tracker.see(taskIn('t', 'WORKING', { second: 3 }));
  expect(told()).toEqual(['task.status a2a:agent/t#1 COMPLETED']);
  expect(tracker.open).toEqual([]);
  expect(tracker.statusOf('t')).toBeUndefined();
});

test('a task that is still listed is not told as new, however many are gone', () => {
  const { tracker, log } = openTracker();
  const listed = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) =>
      taskIn(`t${from + index}`, 'SUBMITTED', { second: from + index }),
    );
  tracker.seeAll(listed(0, 10_000));
  expect(log.end).toBe(1000);
  const now = [...listed(0, 5_000), ...listed(10_000, 15_000)];
  for (let look = 0; look < 3; look += 1) tracker.seeAll(now);
  expect(log.end).toBe(6000);
  expect(log.after(1000, 1)[0]?.ref).toBe('a2a:agent/t10000#1');
});

test('of the texts of tasks that go on nothing is kept', async () => {
  const { tracker, told } = openTracker();
  const before = await usedHeap();
  const listed = (letter: string) =>
    Array.from({ length: 2_000 }, (_, index) =>
      taskIn(`t${index}`, 'WORKING', { text: Buffer.alloc(20_000, letter).toString('latin1') }),
    );
  tracker.seeAll(listed('a'));
  expect((await usedHeap()) - before).toBeLessThan(10_000_000);
  tracker.seeAll(listed('a'));
  expect(told()).toEqual([]);
  tracker.see(taskIn('t7', 'WORKING', { text: 'other' }));
  expect(told()).toEqual(['task.status a2a:agent/t7#1 WORKING other']);
});

test('open tasks are told with the one that changed last first', () => {
  const { tracker } = openTracker();
  tracker.seeAll([
    taskIn('b', 'WORKING', { second: 2 }),
    taskIn('a', 'WORKING', { second: 3 }),
    taskIn('c', 'FAILED', { second: 4 }),
  ]);
  tracker.see(taskIn('b', 'INPUT_REQUIRED', { second: 5 }));
  expect(tracker.open).toEqual(['b', 'a']);
});

test('an artifact is told once, of a task that is known', () => {
  const { tracker, log } = openTracker();
  tracker.seeAll([taskIn('t', 'WORKING', { second: 1 })]);
  tracker.seeArtifact('t', { artifactId: 'a', name: 'report', parts: [{ text: 'one' }] });
  tracker.seeArtifact('t', { artifactId: 'a', name: 'report', parts: [{ text: 'two' }] });
  tracker.seeArtifact('t', { name: 'nameless' });
  tracker.seeArtifact('stranger', { artifactId: 'a' });
  expect(log.after(1000, 10)).toEqual([
    {
      offset: 1001,
      type: 'task.updated',
      at: '2026-01-01T00:00:00.000Z',
      level: 'INFO',
      ref: 'a2a:agent/t#1',
      source: 'a2a',
      pid: 0,
      data: { changed: ['artifacts'], artifact: { id: 'a', name: 'report' } },
    },
  ]);
});

test('positions count from the moment in which the log was made', async () => {
  const { tracker, log } = openTracker(5000);
  tracker.seeAll([]);
  expect([log.start, log.end]).toEqual([5000, 5000]);
  const change = log.change();
  tracker.see(taskIn('t', 'SUBMITTED'));
  await change;
  expect(log.end).toBe(5001);
  expect(log.after(5000, 10).map(({ offset }) => offset)).toEqual([5001]);
  expect(log.after(5001, 10)).toEqual([]);
});

test('the log keeps its newest 10,000 events, and of long ones fewer', () => {
  const { tracker, log } = openTracker(0);
  tracker.seeAll([]);
  for (let second = 1; second <= 10_010; second += 1) tracker.see(taskIn('t', 'WORKING', { second }));
  // The creation is one more.
  expect([log.start, log.end]).toEqual([11, 10_011]);
  expect(log.after(11, 1)[0]?.offset).toBe(12);
  const long = 'x'.repeat(20_000);
  for (let second = 10_011; second <= 10_310; second += 1) {
    tracker.see(taskIn('t', 'WORKING', { second, text: long }));
  }
  expect(log.end).toBe(10_311);
  const kept = log.after(log.start, 100_000);
  expect(kept.at(-1)?.offset).toBe(10_311);
  expect(JSON.stringify(kept.map(({ data }) => data)).length).toBeLessThan(4_300_000);
  expect(kept.length).toBeGreaterThan(200);
});
