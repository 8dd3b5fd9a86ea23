import { expect, test } from 'vitest';
import { silentLogger } from '../../../lib/Logger.ts';
import { CommitQueue } from '../../../subgraph/engine/embedded/CommitQueue.ts';
import { createAttemptRecorder } from '../../../subgraph/engine/recordFailedAttempts.ts';
import { createEventLog } from '../../../subgraph/log/createEventLog.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { openStateFile, type StateFile } from '../../support/openStateFile.ts';

function openRecorder({ database }: StateFile, has: (task: number) => boolean) {
  const log = createEventLog({ database, clock: new FakeClock(), pid: 1 });
  const queue = new CommitQueue({ database, onRollback: () => {} });
  const record = createAttemptRecorder({ queue, journal: { has }, log, logger: silentLogger });
  const fail = (task: number): void =>
    record({
      task,
      ref: `o/r#${task}`,
      effect: { kind: 'callModel', key: `k${task}` },
      attempt: 2,
      code: 'provider.retryable',
      retryInMs: 1_000,
    });
  return { log, queue, fail };
}

test('a thousand attempts that fail at once are a thousand events and a few transactions', async () => {
  using state = openStateFile();
  const { log, queue, fail } = openRecorder(state, () => true);
  for (let task = 1; task <= 1_000; task += 1) fail(task);
  await queue.drain();
  expect(queue.committed).toBeLessThanOrEqual(2);
  expect(log.end()).toBe(1_000);
  expect(log.read({ after: 999, limit: 1 })).toMatchObject([
    {
      type: 'task.attemptFailed',
      ref: 'o/r#1000',
      data: {
        effect: 'callModel',
        effectKey: 'k1000',
        attempt: 2,
        code: 'provider.retryable',
        retryInMs: 1_000,
      },
    },
  ]);
});

test('what is told of a task that is purged meanwhile is not written', async () => {
  using state = openStateFile();
  const { log, queue, fail } = openRecorder(state, (task) => task !== 1);
  fail(1);
  fail(2);
  await queue.drain();
  expect(log.read({ limit: 10 }).map(({ ref }) => ref)).toEqual(['o/r#2']);
});
