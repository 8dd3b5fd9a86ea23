/** The past is read from the nearest snapshot, and the journal of a task stays bounded (spec/worker.md § 3.9). */
import { expect, test } from 'vitest';
import { Journal } from '../../../../subgraph/engine/embedded/Journal.ts';
import { SNAPSHOT_INTERVAL } from '../../../../subgraph/engine/embedded/Snapshots.ts';
import type { NewInput, TaskEngine, TaskRow } from '../../../../subgraph/engine/TaskEngine.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { FakePerformer } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aMessage, aNewTask } from '../../../support/tasks.ts';

const PAUSE: NewInput = { kind: 'pauseRequested', participant: 'alice' };
const RESUME: NewInput = { kind: 'resumeRequested', participant: 'alice' };

test('a version behind a snapshot reads as one that is replayed from the beginning', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { engine } = opened;
  const { ref } = (await engine.start(aNewTask({ message: undefined }))).state;
  const rows = new Map<number, TaskRow>();
  for (let version = 2; version <= 2 * SNAPSHOT_INTERVAL + 3; version += 1) {
    await engine.deliver(ref, version % 2 === 0 ? PAUSE : RESUME);
    const row = await engine.read(ref);
    if (row) rows.set(version, { ...row, recentMessageIds: undefined });
  }
  for (const version of [
    2,
    SNAPSHOT_INTERVAL - 1,
    SNAPSHOT_INTERVAL,
    SNAPSHOT_INTERVAL + 1,
    2 * SNAPSHOT_INTERVAL,
  ]) {
    expect(await engine.readAt(ref, version), `version ${version}`).toEqual(rows.get(version));
  }
});

test('a journal at its bound forgets its oldest inputs and nothing else', async () => {
  await using opened = await openEngine({
    performer: new FakePerformer(),
    journalBound: () => SNAPSHOT_INTERVAL,
  });
  const { engine, log } = opened;
  const { ref, id } = (await engine.start(aNewTask({ message: undefined }))).state;
  await engine.deliver(ref, PAUSE);
  await engine.deliver(ref, aMessage('m1', 'Kept'));
  const last = 3 * SNAPSHOT_INTERVAL + 10;
  await toggleUntil(engine, ref, last);
  const inputs = new Journal(opened.database, log).loadInputs(1);
  expect(inputs).toHaveLength(SNAPSHOT_INTERVAL + 10);
  await expect(engine.readAt(ref, 2 * SNAPSHOT_INTERVAL - 1)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    details: { reason: 'task.version_not_kept', oldest: 2 * SNAPSHOT_INTERVAL, newest: last },
  });
  expect(await engine.readAt(ref, 2 * SNAPSHOT_INTERVAL)).toMatchObject({
    id,
    version: 2 * SNAPSHOT_INTERVAL,
  });
  expect((await engine.deliver(ref, aMessage('m1', 'Again'))).duplicate).toBe(true);
  expect(await engine.read(ref)).toMatchObject({
    id,
    version: last,
    queuedMessages: 1,
    recentMessageIds: ['m1'],
  });
});

test('what a step writes does not grow with the messages that were before', async () => {
  await using opened = await openEngine({ performer: new FakePerformer() });
  const { engine } = opened;
  const { ref } = (await engine.start(aNewTask({ message: undefined }))).state;
  await engine.deliver(ref, PAUSE);
  const sizes: number[] = [];
  for (let number = 1; number <= 150; number += 1) {
    await engine.deliver(ref, aMessage(`message-${number}`, 'x'));
    const { cursor } = await engine.deliver(ref, RESUME);
    await awaitParked(opened.log, ref, cursor);
    await engine.deliver(ref, PAUSE);
    sizes.push(bodySize(opened));
  }
  // Digits of the counters are what is left.
  expect((sizes.at(-1) ?? 0) - (sizes[10] ?? 0)).toBeLessThan(40);
  expect((await engine.read(ref))?.recentMessageIds).toHaveLength(50);
});

/** Asking for what already is counts as an input, too. */
async function toggleUntil(engine: TaskEngine, ref: string, last: number): Promise<void> {
  const { version } = await engine.readAt(ref, 3);
  await Promise.all(Array.from({ length: last - version }, () => engine.deliver(ref, PAUSE)));
}

function bodySize({ database }: OpenEngine): number {
  return (
    database.statement<{ readonly size: number }>('SELECT length(body) AS size FROM tasks').get()?.size ?? 0
  );
}
