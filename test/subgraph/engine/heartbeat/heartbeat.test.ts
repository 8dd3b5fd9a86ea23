/** The heartbeat on a real engine: pull channels, the snapshot, retention, and the schedule (spec/worker.md § 9.1). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Config } from '../../../../schema/config/ConfigSchema.ts';
import { createSweep } from '../../../../subgraph/engine/embedded/createSweep.ts';
import { createHeartbeat, ensureHeartbeat } from '../../../../subgraph/engine/heartbeat/createHeartbeat.ts';
import { createHeldTasks } from '../../../../subgraph/engine/heartbeat/createHeldTasks.ts';
import {
  createStoredChannel,
  type StoredChannel,
} from '../../../../subgraph/engine/heartbeat/createStoredChannel.ts';
import { runHeartbeat } from '../../../../subgraph/engine/heartbeat/runHeartbeat.ts';
import { HEARTBEAT_ID } from '../../../../subgraph/engine/TaskEngine.ts';
import type { HookRunner } from '../../../../subgraph/hooks/HookRunner.ts';
import { NO_HOOKS } from '../../../../subgraph/hooks/NO_HOOKS.ts';
import { awaitEvent, awaitParked } from '../../../support/awaitEvent.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakeHooks } from '../../../support/FakeHooks.ts';
import { FakePerformer, modelReply } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aMessage, aNewTask, COMPLETE } from '../../../support/tasks.ts';

const NOTHING_HELD = createHeldTasks(() => undefined);

const DAY_MS = 86_400_000;
const RETENTION = { tasks: { days: 30 }, inboxAudit: { days: 10 }, channelMessages: { days: 20 } };
const ASSIGNED = { id: 'alice', kind: 'HUMAN', role: 'ASSIGNEE', displayName: '' } as const;
const ASK = {
  callId: 'call-1',
  tool: 'ask_participant',
  arguments: { participant_id: 'alice', question: 'Which one?' },
};

test('a tick forwards the answer that waits on a pull channel, shows the task to the hook, and forwards nothing twice', async () => {
  await using opened = await openEngine({ performer: asking() });
  const channel = createStoredChannel({ database: opened.database, clock: new FakeClock() });
  const { ref, id } = (await opened.engine.start(aNewTask())).state;
  const { offset } = await awaitEvent(opened.log, {
    type: 'task.status',
    ref,
    data: { subState: 'AWAITING_ANSWER' },
  });
  leave(channel, id, 'answer-1', 'alice');
  const hooks = new FakeHooks({ 'heartbeat.tick.pre': () => undefined });

  expect(await tick(opened, { channel, hooks })).toMatchObject({ forwarded: 1, tasks: 1 });

  expect((await awaitParked(opened.log, ref, offset)).data.message).toBe('thank you');
  expect(hooks.asked).toMatchObject([
    { context: { forwarded: 1, tasks: [{ id, ref, state: expect.any(String) }] } },
  ]);
  expect(await tick(opened, { channel, hooks })).toMatchObject({ forwarded: 0 });
});

test('a channel takes two hundred messages of a task that wait, masks secrets in them, and goes on when they are fetched', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { database } = opened;
  const channel = createStoredChannel({
    database,
    clock: new FakeClock(),
    redact: (text) => text.replace('first', '[REDACTED]'),
  });
  for (let number = 1; number <= 200; number += 1) leave(channel, 'gone', `m${number}`, 'alice');
  expect(() => leave(channel, 'gone', 'm201', 'alice')).toThrow(
    expect.objectContaining({ code: 'TOO_MANY_REQUESTS' }),
  );
  const { signal } = new AbortController();
  expect((await channel.waiting(1, { signal }))[0]?.text).toBe('The [REDACTED] one');
  expect(leave(channel, 'another', 'm1', 'alice')).toBe(true);
  await tick(opened, { channel });
  expect(leave(channel, 'gone', 'm201', 'alice')).toBe(true);
});

test('what somebody else left on the channel reaches the task, and is refused there', async () => {
  await using opened = await openEngine({ performer: asking() });
  const channel = createStoredChannel({ database: opened.database, clock: new FakeClock() });
  const { ref, id } = (await opened.engine.start(aNewTask())).state;
  await awaitParked(opened.log, ref);
  leave(channel, id, 'answer-1', 'mallory');
  await tick(opened, { channel });
  expect(await opened.engine.inboxAudit(ref, { limit: 1 })).toMatchObject([
    { messageId: 'answer-1', participant: 'mallory', accepted: false },
  ]);
  expect(await opened.engine.read(ref)).toMatchObject({ status: { subState: 'AWAITING_ANSWER' } });
});

test('a message for a task that is gone or has ended stays recorded, and is not counted', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const channel = createStoredChannel({ database: opened.database, clock: new FakeClock() });
  const { ref, id } = (await opened.engine.start(aNewTask({ message: undefined }))).state;
  await opened.engine.deliver(ref, COMPLETE);
  leave(channel, id, 'm1', 'alice');
  leave(channel, 'nobody', 'm2', 'alice');
  expect(await tick(opened, { channel })).toMatchObject({ forwarded: 0, tasks: 0 });
  const rows = opened.database.statement('SELECT outcome FROM channel_messages').all();
  expect(rows).toEqual([{ outcome: 'undeliverable' }, { outcome: 'undeliverable' }]);
});

test('an answer that ends the task of a participant is counted as forwarded', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const channel = createStoredChannel({ database: opened.database, clock: new FakeClock() });
  const task = aNewTask({ lifecycle: 'PARTICIPANT', message: undefined, participants: [ASSIGNED] });
  const { ref, id } = (await opened.engine.start(task)).state;
  leave(channel, id, 'answer-1', 'alice');
  expect(await tick(opened, { channel })).toMatchObject({ forwarded: 1, tasks: 0 });
  expect(await opened.engine.read(ref)).toMatchObject({ status: { state: 'COMPLETED' } });
  const rows = opened.database.statement('SELECT outcome FROM channel_messages').all();
  expect(rows).toEqual([{ outcome: 'forwarded' }]);
});

test('a message is left once, however often it is sent', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const channel = createStoredChannel({ database: opened.database, clock: new FakeClock() });
  expect([leave(channel, 't', 'm1', 'alice'), leave(channel, 't', 'm1', 'alice')]).toEqual([true, false]);
});

test('a tick deletes what is older than its retention, and never an open task', async () => {
  const clock = new FakeClock();
  await using opened = await openEngine({ performer: new FakePerformer(), clock });
  const { engine } = opened;
  const channel = createStoredChannel({ database: opened.database, clock });
  for (const number of [1, 2, 3]) {
    await engine.start(aNewTask({ ref: `github:o/r#${number}`, message: undefined }));
  }
  await engine.deliver('github:o/r#1', COMPLETE);
  const { state } = await engine.deliver('github:o/r#3', aMessage('m1'));
  await awaitParked(opened.log, 'github:o/r#3', 3);
  leave(channel, state.id, 'm2', 'mallory');
  await tick(opened, { channel });
  clock.advance(25 * DAY_MS);
  await engine.deliver('github:o/r#2', COMPLETE);
  expect(await tick(opened, { channel, clock })).toMatchObject({
    deleted: { tasks: 0, inboxAudit: 2, channelMessages: 1 },
  });
  clock.advance(6 * DAY_MS);
  expect(await tick(opened, { channel, clock })).toMatchObject({ deleted: { tasks: 1 } });
  const left = await engine.list({ limit: 10, order: 'REF_ASC' });
  expect(left.map(({ ref }) => ref)).toEqual(['github:o/r#2', 'github:o/r#3']);
  for (const table of ['history', 'inputs', 'message_ids', 'snapshots']) {
    const rows = opened.database.statement(`SELECT 1 FROM ${table} WHERE task = 1`).all();
    expect(rows, table).toEqual([]);
  }
});

test('what a tick deletes is in no file any more', async () => {
  const clock = new FakeClock();
  await using opened = await openEngine({ performer: new FakePerformer(), clock });
  const { path } = opened.database;
  const channel = createStoredChannel({ database: opened.database, clock });
  const goal = 'What-is-to-be-forgotten '.repeat(400);
  const { id } = (await opened.engine.start(aNewTask({ goal, message: undefined }))).state;
  await opened.engine.deliver({ id }, COMPLETE);
  const holds = () => [path, `${path}-wal`].some((file) => readFileSync(file).includes('to-be-forgotten'));
  expect(holds()).toBe(true);
  clock.advance(31 * DAY_MS);
  expect(await tick(opened, { channel, clock })).toMatchObject({ deleted: { tasks: 1 } });
  expect(holds()).toBe(false);
});

test('a hook that aborts fails the tick before anything is deleted', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  let swept = false;
  const hooks = new FakeHooks({
    'heartbeat.tick.pre': () => ({ abort: { reason: 'policy', message: 'not now' } }),
  });
  const outcome = runHeartbeat({
    engine: opened.engine,
    channels: [],
    hooks,
    held: NOTHING_HELD,
    sweep: async () => {
      swept = true;
      return { tasks: 0, inboxAudit: 0, channelMessages: 0 };
    },
    signal: new AbortController().signal,
  });
  await expect(outcome).rejects.toThrow('not now');
  expect(swept).toBe(false);
});

test('the heartbeat comes on time, also when a process was away, and never twice at once', async () => {
  const clock = new FakeClock();
  const starts: number[] = [];
  const gate = { current: Promise.withResolvers<void>() };
  const scheduled = async () => {
    starts.push(clock.monotonicMs());
    await gate.current.promise;
    return {};
  };
  await using opened = await openEngine({ performer: new FakePerformer(), clock, scheduled });
  expect(await ensureHeartbeat(opened.engine, 30_000)).toBe(true);
  expect(await ensureHeartbeat(opened.engine, 30_000)).toBe(false);
  clock.advance(100_000);
  expect(starts).toEqual([30_000]);
  gate.current.resolve();
  await clock.waiting();
  expect(await opened.engine.schedules()).toMatchObject([
    { id: HEARTBEAT_ID, nextAtMs: clock.nowMs() + 20_000 },
  ]);
  clock.advance(20_000);
  await expect.poll(() => starts).toEqual([30_000, 120_000]);
  await clock.waiting();
  await opened.restart(new FakePerformer());
  clock.advance(30_000);
  await expect.poll(() => starts).toEqual([30_000, 120_000, 150_000]);
});

test('another interval takes the place of the one before', async () => {
  await using opened = await openEngine({ performer: new FakePerformer(), clock: new FakeClock() });
  await ensureHeartbeat(opened.engine, 30_000);
  expect(await ensureHeartbeat(opened.engine, 5_000)).toBe(false);
  expect(await opened.engine.schedules()).toMatchObject([{ id: HEARTBEAT_ID, intervalMs: 5_000 }]);
});

test('a schedule of another name runs and does nothing', async () => {
  const run = createHeartbeat({
    channels: [],
    hooks: NO_HOOKS,
    held: NOTHING_HELD,
    sweep: () => Promise.reject(new Error('not asked for')),
  });
  await using opened = await openEngine({ performer: new FakePerformer() });
  const signal = new AbortController().signal;
  expect(await run('by-hand', { engine: opened.engine, signal })).toEqual({});
});

/** Asks alice in its first turn, and thanks for the answer in the second. */
function asking(): FakePerformer {
  return new FakePerformer({
    callModel: (effect, { state }) =>
      modelReply(effect, state.turns === 0 ? { toolCalls: [ASK] } : { text: 'thank you' }),
  });
}

function leave(channel: StoredChannel, taskId: string, messageId: string, participant: string): boolean {
  const facts = { channelId: taskId, kind: 'help_reply' } as const;
  return channel.put({ taskId, messageId, participant, text: 'The first one', channel: facts });
}

function tick(
  { engine, database, log }: OpenEngine,
  {
    channel,
    hooks = NO_HOOKS,
    clock = new FakeClock(),
    retention = RETENTION,
  }: {
    readonly channel: StoredChannel;
    readonly hooks?: HookRunner;
    readonly clock?: FakeClock;
    readonly retention?: Pick<Config['retention'], 'tasks' | 'inboxAudit' | 'channelMessages'>;
  },
) {
  return runHeartbeat({
    engine,
    channels: [channel],
    hooks,
    held: NOTHING_HELD,
    sweep: createSweep({ database, log, clock, limits: () => retention }),
    signal: new AbortController().signal,
  });
}
