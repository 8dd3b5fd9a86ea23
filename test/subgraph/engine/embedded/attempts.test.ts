/** Attempts are counted in the journal: one that ends its process is not made for ever (spec/worker.md § 3.6). */
import { expect, test } from 'vitest';
import type { StateDatabase } from '../../../../lib/StateDatabase.ts';
import { Journal } from '../../../../subgraph/engine/embedded/Journal.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakePerformer, failure, hang, modelReply } from '../../../support/FakePerformer.ts';
import { FaultyDatabase } from '../../../support/FaultyDatabase.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aNewTask, callToolFirst } from '../../../support/tasks.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const THREE_ATTEMPTS = {
  default: {
    initialIntervalSeconds: 1,
    backoffCoefficient: 1,
    maximumIntervalSeconds: 1,
    maximumAttempts: 3,
  },
  perActivity: {},
};
const REFUND = { callId: 'call-1', tool: 'refund', arguments: {} };

test('an effect whose every attempt ends its process fails after as many as the policy allows', async () => {
  using directory = temporaryDirectory();
  const attempts: number[] = [];
  for (let life = 1; life <= 3; life += 1) {
    const performer = new FakePerformer({ callModel: hang });
    await using opened = await openAndDie(directory.path, performer);
    if (life === 1) await opened.engine.start(aNewTask());
    await performer.attempted(1);
    attempts.push(...performer.attempts.map(({ attempt }) => attempt));
  }
  const last = new FakePerformer();
  await using opened = await openEngine({
    directory: directory.path,
    performer: last,
    retries: THREE_ATTEMPTS,
  });
  const { data } = await awaitParked(opened.log, 'flotilla:alpha/task#1');
  expect(attempts).toEqual([1, 2, 3]);
  expect(data.errorCode).toBe('provider.outcome_unknown');
  expect(last.attempts).toEqual([]);
});

test('a stop does not count: any number of them leaves an effect its attempts', async () => {
  await using opened = await openEngine({
    performer: new FakePerformer({ callModel: hang }),
    retries: THREE_ATTEMPTS,
  });
  const { ref } = (await opened.engine.start(aNewTask())).state;
  for (let restart = 1; restart <= 5; restart += 1) {
    const performer = new FakePerformer({ callModel: hang });
    await opened.restart(performer);
    await performer.attempted(1);
    expect(performer.attempts[0]?.attempt).toBe(1);
  }
  await opened.restart(new FakePerformer());
  expect((await awaitParked(opened.log, ref)).data.message).toBe('reply 1');
});

test('a failed attempt counts over a stop that comes during the wait behind it', async () => {
  const clock = new FakeClock();
  const performer = new FakePerformer({
    callModel: () => failure('provider.retryable', { retryable: true }),
  });
  await using opened = await openEngine({ performer, clock, retries: THREE_ATTEMPTS });
  await opened.engine.start(aNewTask());
  await clock.waiting();
  const next = new FakePerformer();
  await opened.restart(next);
  await next.attempted(1);
  expect(next.attempts[0]?.attempt).toBe(2);
});

test('a tool that may not be called twice and waited for its place at the end is called by the next process', async () => {
  using directory = temporaryDirectory();
  const before = new FakePerformer({ callModel: callToolFirst(REFUND), callTool: hang });
  {
    await using opened = await openAndDie(directory.path, before, 1);
    await opened.engine.start(aNewTask());
    await before.attempted(2);
    await opened.engine.start(aNewTask());
    expect(new Journal(opened.database, opened.log).pendingEffects({ limit: 10 })).toMatchObject([
      { effect: { kind: 'callTool' }, attempts: 1 },
      { effect: { kind: 'callModel' }, attempts: 0 },
    ]);
  }
  const after = new FakePerformer({
    callModel: (effect, { state }) => modelReply(effect, { text: `after ${state.turns} turns` }),
  });
  await using opened = await openEngine({ directory: directory.path, performer: after });
  await awaitParked(opened.log, 'flotilla:alpha/task#1');
  await awaitParked(opened.log, 'flotilla:alpha/task#2');
  expect(after.attemptsOf('callTool')).toEqual([]);
  expect(after.attemptsOf('callModel').map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test('effects that were asked for together and waited for a place at a stop have not begun', async () => {
  const performer = new FakePerformer({ callModel: hang });
  await using opened = await openEngine({ performer, maxRunningEffects: 1 });
  await Promise.all([1, 2, 3].map(() => opened.engine.start(aNewTask())));
  await performer.attempted(1);
  const next = new FakePerformer({ callModel: hang });
  await opened.restart(next);
  await next.attempted(1);
  const journal = new Journal(opened.database, opened.log);
  expect(journal.pendingEffects({ limit: 10 }).map(({ attempts }) => attempts)).toEqual([1, 0, 0]);
});

test('attempts that fail together are told with few writes to the disk, each before what follows from it', async () => {
  const gate = Promise.withResolvers<void>();
  const performer = new FakePerformer({
    async callModel() {
      await gate.promise;
      return failure('provider.failed');
    },
  });
  let commits = 0;
  await using opened = await openEngine({
    performer,
    wrap: (database) =>
      countingCommits(database, () => {
        commits += 1;
      }),
  });
  const deliveries = await Promise.all(Array.from({ length: 50 }, () => opened.engine.start(aNewTask())));
  await performer.attempted(50);
  commits = 0;
  gate.resolve();
  for (const { state } of deliveries) await awaitParked(opened.log, state.ref);
  expect(commits).toBeLessThan(10);
  for (const { state } of deliveries) {
    const types = opened.log.read({ limit: 10, filter: { ref: state.ref } }).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['task.attemptFailed', 'task.status']);
  }
});

/** @param onCommit called after each transaction that is not a part of another one. */
function countingCommits(database: StateDatabase, onCommit: () => void): StateDatabase {
  let isOutermost = true;
  return {
    path: database.path,
    statement: (sql) => database.statement(sql),
    afterCommit: (callback) => database.afterCommit(callback),
    canWrite: () => database.canWrite(),
    scrub: () => database.scrub(),
    transaction(work) {
      if (!isOutermost) return database.transaction(work);
      isOutermost = false;
      try {
        return database.transaction(work);
      } finally {
        isOutermost = true;
        onCommit();
      }
    },
    [Symbol.dispose]: () => database[Symbol.dispose](),
  };
}

/** An engine whose end writes nothing, as that of a killed process. */
async function openAndDie(
  directory: string,
  performer: FakePerformer,
  maxRunningEffects?: number,
): Promise<OpenEngine> {
  let database: FaultyDatabase | undefined;
  const opened = await openEngine({
    directory,
    performer,
    maxRunningEffects,
    retries: THREE_ATTEMPTS,
    clock: new FakeClock(),
    wrap: (inner) => {
      database = new FaultyDatabase(inner, { atWrite: Number.MAX_SAFE_INTEGER, afterwards: 'dead' });
      return database;
    },
  });
  return {
    engine: opened.engine,
    log: opened.log,
    database: opened.database,
    restart: opened.restart,
    async [Symbol.asyncDispose]() {
      database?.die();
      await opened[Symbol.asyncDispose]();
    },
  };
}
