import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LogFields, type Logger, silentLogger } from '../../../../lib/Logger.ts';
import type { StateDatabase } from '../../../../lib/StateDatabase.ts';
import type { EffectPerformer } from '../../../../subgraph/effects/EffectPerformer.ts';
import { Journal } from '../../../../subgraph/engine/embedded/Journal.ts';
import type { NewInput } from '../../../../subgraph/engine/TaskEngine.ts';
import { toTaskRow } from '../../../../subgraph/engine/toTaskRow.ts';
import { replay } from '../../../../subgraph/task/index.ts';
import { taskEngineSuite } from '../../../suites/taskEngineSuite.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakePerformer, failure, hang, modelReply } from '../../../support/FakePerformer.ts';
import { FaultyDatabase } from '../../../support/FaultyDatabase.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aCommand, aMessage, aNewTask, COMPLETE, callToolFirst } from '../../../support/tasks.ts';

taskEngineSuite('EmbeddedEngine', openEngine);

describe('EmbeddedEngine: memory and speed', () => {
  test('a parked task holds no memory', async () => {
    const performer: EffectPerformer = {
      perform: async (effect) => modelReply(effect, { text: 'done' }),
      isIdempotent: () => true,
    };
    await using opened = await openEngine({ performer });
    const held = await startAndPark(opened);
    await collectGarbage();
    expect(held.deref()).toBeUndefined();
  });

  test('inputs that arrive together share a transaction', async () => {
    let transactions = 0;
    const wrap = (database: StateDatabase): StateDatabase => ({
      path: database.path,
      statement: (sql) => database.statement(sql),
      transaction: (work) => {
        transactions += 1;
        return database.transaction(work);
      },
      afterCommit: (callback) => database.afterCommit(callback),
      canWrite: () => database.canWrite(),
      scrub: () => database.scrub(),
      [Symbol.dispose]: () => database[Symbol.dispose](),
    });
    await using opened = await openEngine({ performer: new FakePerformer({ callModel: hang }), wrap });
    await Promise.all(Array.from({ length: 100 }, () => opened.engine.start(aNewTask())));
    // Each append to the log joins the transaction of its step.
    expect(transactions).toBe(1 + 100);
  });

  test('2,000 tasks are started, answered and parked', async () => {
    await using opened = await openEngine({ performer: new FakePerformer() });
    const { engine, log } = opened;
    await Promise.all(Array.from({ length: 2_000 }, () => engine.start(aNewTask())));
    await awaitTurns(opened, 2_000);
    expect(await engine.openRefs()).toHaveLength(2_000);
    expect(await engine.list({ limit: 1_001, order: 'REF_ASC', states: ['WORKING'] })).toEqual([]);
    expect(log.end()).toBe(2_000 * 5);
  });

  test('no more effects run at once than the limit says, and all are done', async () => {
    let running = 0;
    let most = 0;
    const performer = new FakePerformer({
      callModel: async (effect) => {
        running += 1;
        most = Math.max(most, running);
        await setImmediate();
        running -= 1;
        return modelReply(effect, { text: 'done' });
      },
    });
    await using opened = await openEngine({ performer, maxRunningEffects: 4 });
    await Promise.all(Array.from({ length: 50 }, () => opened.engine.start(aNewTask())));
    await awaitTurns(opened, 50);
    expect(most).toBe(4);
  });

  test('an effect that waits for a place is not started once its task has ended', async () => {
    const performer = new FakePerformer({ callModel: hang });
    await using opened = await openEngine({ performer, maxRunningEffects: 1 });
    const first = await opened.engine.start(aNewTask());
    const second = await opened.engine.start(aNewTask());
    await opened.engine.deliver(second.state.ref, COMPLETE);
    await opened.engine.deliver(first.state.ref, COMPLETE);
    const third = await opened.engine.start(aNewTask());
    await performer.attempted(2);
    expect(performer.attempts.map(({ state }) => state.ref)).toEqual([first.state.ref, third.state.ref]);
  });

  test('1,000 tasks in flight are resumed, within the limit', async () => {
    await using opened = await openEngine({ performer: new FakePerformer({ callModel: hang }) });
    await Promise.all(Array.from({ length: 1_000 }, () => opened.engine.start(aNewTask())));
    await opened.restart(new FakePerformer());
    await awaitTurns(opened, 1_000);
    expect(await opened.engine.list({ limit: 1, order: 'REF_ASC', states: ['WORKING'] })).toEqual([]);
  });
});

describe('EmbeddedEngine: time', () => {
  test('waits between attempts grow and follow the provider up to the maximum', async () => {
    const wishes = [undefined, 10_000, 900_000, undefined];
    const performer = new FakePerformer({
      callModel: (_, { attempt }) =>
        failure('provider.retryable', { retryable: true, retryAfterMs: wishes[attempt - 1] }),
    });
    const clock = new FakeClock();
    await using opened = await openEngine({ performer, clock });
    const { ref } = (await opened.engine.start(aNewTask())).state;
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await clock.waiting();
      waits.push(...clock.delaysMs);
      clock.advance(clock.delaysMs[0] ?? 0);
    }
    await awaitParked(opened.log, ref);
    expect(waits[0]).toBeGreaterThanOrEqual(800);
    expect(waits[0]).toBeLessThanOrEqual(1_200);
    expect(waits.slice(1, 3)).toEqual([10_000, 60_000]);
    expect(waits[3]).toBeGreaterThanOrEqual(6_400);
    expect(performer.attempts).toHaveLength(5);
  });

  test('every attempt that fails is a line in the log, without a text of the outside', async () => {
    const lines: LogFields[] = [];
    const logger: Logger = { ...silentLogger, warn: (fields) => lines.push(fields) };
    const performer = new FakePerformer({
      callModel: () => failure('provider.retryable', { retryable: true }),
    });
    const clock = new FakeClock();
    await using opened = await openEngine({ performer, clock, logger });
    const { ref } = (await opened.engine.start(aNewTask())).state;
    const parked = awaitParked(opened.log, ref);
    for (let attempt = 1; attempt < 5; attempt += 1) {
      await clock.waiting();
      clock.advance(60_000);
    }
    await parked;
    expect(lines.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(lines[0]).toMatchObject({ effect: 'callModel', ref, code: 'provider.retryable', retryable: true });
    expect(JSON.stringify(lines)).not.toContain('it failed');
  });

  test('a task that ends during a wait is not attempted again', async () => {
    const performer = new FakePerformer({
      callModel: () => failure('provider.retryable', { retryable: true }),
    });
    const clock = new FakeClock();
    await using opened = await openEngine({ performer, clock });
    const { ref } = (await opened.engine.start(aNewTask())).state;
    await clock.waiting();
    await opened.engine.deliver(ref, COMPLETE);
    await expect.poll(() => clock.timers).toBe(0);
    expect(performer.attempts).toHaveLength(1);
  });

  test('the time of a task does not go back with the clock', async () => {
    const clock = new FakeClock(10_000);
    await using opened = await openEngine({ performer: new FakePerformer(), clock });
    const { ref } = (await opened.engine.start(aNewTask({ message: undefined }))).state;
    clock.advance(-5_000);
    const { state } = await opened.engine.deliver(ref, { kind: 'pauseRequested', participant: 'alice' });
    expect(state.updatedAtMs).toBe(10_000);
  });

  test('a performer that does not heed its signal holds the end up for two seconds at most', async () => {
    const clock = new FakeClock();
    const performer = new FakePerformer({ callModel: () => new Promise(() => {}) });
    await using opened = await openEngine({ performer, clock });
    await opened.engine.start(aNewTask());
    await performer.attempted(1);
    const end = opened.engine[Symbol.asyncDispose]();
    await clock.waiting();
    expect(clock.delaysMs).toEqual([2_000]);
    clock.advance(2_000);
    await end;
  });
});

describe('EmbeddedEngine: a disk that fails', () => {
  test('an input that cannot be stored is UNAVAILABLE with its reason, and has not happened', async () => {
    const wrap = (database: StateDatabase) =>
      new FaultyDatabase(database, { atWrite: 3, afterwards: 'works' });
    await using opened = await openEngine({ performer: new FakePerformer(), wrap });
    await expect(opened.engine.start(aNewTask())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      details: { reason: 'store.write_failed' },
    });
    expect(opened.log.end()).toBe(0);
    const { state } = await opened.engine.start(aNewTask());
    expect(state.ref).toBe('flotilla:alpha/task#1');
  });

  test('one input that fails takes none of those down that arrived with it', async () => {
    const wrap = (database: StateDatabase) =>
      new FaultyDatabase(database, { atWrite: 20, afterwards: 'works' });
    await using opened = await openEngine({ performer: new FakePerformer({ callModel: hang }), wrap });
    const starts = Array.from({ length: 10 }, () => opened.engine.start(aNewTask()));
    const results = await Promise.allSettled(starts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await opened.engine.openRefs()).toHaveLength(10);
  });
});

describe('EmbeddedEngine: journal', () => {
  test('what is stored is the replay of what was taken in, whatever that was', async () => {
    const inputs = fc.array(
      fc.oneof(
        fc.integer({ min: 1, max: 4 }).map((id) => aMessage(`m${id}`, 'Hello')),
        fc.integer({ min: 1, max: 3 }).map((id) => aCommand(`c${id}`)),
        fc.constantFrom<NewInput>(
          { kind: 'pauseRequested', participant: 'alice' },
          { kind: 'resumeRequested', participant: 'alice' },
          { kind: 'cancelRequested', participant: 'mallory' },
          { kind: 'settingsChanged', participant: 'alice', model: 'm2' },
          { kind: 'budgetChanged', participant: 'alice', turns: 1 },
          { kind: 'budgetChanged', participant: 'alice', turns: null },
          {
            kind: 'messageReceived',
            messageId: 'i1',
            participant: 'alice',
            text: 'Stop',
            interrupt: true,
          },
        ),
        fc.constant(undefined),
      ),
      { maxLength: 12 },
    );
    const call = (tool: string) => ({ callId: tool, tool, arguments: {} });
    // An admin: whoever is none sets no limits.
    const participants = aNewTask().participants.map((each) =>
      each.id === 'alice' ? { ...each, role: 'ADMIN' as const } : each,
    );
    await fc.assert(
      fc.asyncProperty(inputs, async (list) => {
        const performer = new FakePerformer({ callModel: callToolFirst(call('get_order'), call('refund')) });
        await using opened = await openEngine({ performer });
        const { ref } = (await opened.engine.start(aNewTask({ message: undefined, participants }))).state;
        await Promise.all(
          list.map(async (input) => (input ? opened.engine.deliver(ref, input) : setImmediate())),
        );
        await opened.restart(performer);
        const journal = new Journal(opened.database, opened.log);
        const replayed = replay(journal.loadInputs(journal.find(ref) ?? 0));
        expect(await opened.engine.read(ref)).toEqual(toTaskRow(replayed, replayed.seenMessageIds));
        expect(await opened.engine.history(ref, { afterId: 0, limit: 1_000 })).toEqual(replayed.history);
      }),
      { numRuns: 25 },
    );
  });
});

/** A weak reference into the state of a task that was answered and rests. */
async function startAndPark({ engine, log }: OpenEngine): Promise<WeakRef<object>> {
  const task = aNewTask();
  const { state } = await engine.start(task);
  await awaitParked(log, state.ref);
  return new WeakRef(task.participants);
}

/** Waits until `count` first turns have parked their tasks. */
async function awaitTurns({ log }: OpenEngine, count: number): Promise<void> {
  const controller = new AbortController();
  let parked = 0;
  for await (const { records } of log.watch({
    after: 0,
    filter: { types: ['task.status'] },
    signal: controller.signal,
  })) {
    parked += records.filter(({ data }) => data.state === 'INPUT_REQUIRED').length;
    if (parked >= count) break;
  }
  controller.abort();
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    collect();
  }
}
