/** A purge is one transaction: whenever it is cut short, all of the task is there or nothing (spec/worker.md § 13, 17). */
import { expect, test } from 'vitest';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { Faults, ignoreUnavailable } from '../../../support/crashes.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FakePerformer } from '../../../support/FakePerformer.ts';
import { type OpenEngine, openEngine } from '../../../support/openEngine.ts';
import { aNewTask } from '../../../support/tasks.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const REF = 'github:o/r#1';

test('a purge that dies at any write has purged all of the task or nothing of it', async () => {
  const seen = new Set<boolean>();
  for (let atWrite = 1; ; atWrite += 1) {
    using directory = temporaryDirectory();
    const open = (fault?: Faults) =>
      openEngine({
        directory: directory.path,
        performer: new FakePerformer(),
        clock: new FakeClock(),
        ...(fault && { wrap: fault.wrap }),
      });
    const before = await (async () => {
      await using opened = await open();
      await opened.engine.start(aNewTask({ ref: REF }));
      await awaitParked(opened.log, REF);
      return accountOf(opened);
    })();
    const fault = new Faults({ atWrite, afterwards: 'dead' });
    {
      await using opened = await open(fault);
      await Promise.race([fault.happened, opened.engine.purge(REF).catch(ignoreUnavailable)]);
    }
    await using opened = await open();
    const after = await accountOf(opened);
    const isThere = after.version !== undefined;
    seen.add(isThere);
    if (isThere) expect(after, `write ${atWrite}`).toEqual(before);
    else {
      expect(after.texts, `write ${atWrite}`).toBe(0);
      expect(after.types, `write ${atWrite}`).toEqual([...before.types, 'task.purged']);
    }
    if (!fault.hasHappened) break;
  }
  expect(seen).toEqual(new Set([true, false]));
});

/** What the state file has of the task. */
async function accountOf({ engine, log, database }: OpenEngine) {
  const counts = ['history', 'inputs', 'message_ids'].map(
    (table) =>
      database.statement<{ readonly rows: number }>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows,
  );
  const records = log.read({ limit: 100 });
  return {
    version: (await engine.read(REF))?.version,
    types: records.map(({ type }) => type),
    texts: counts.reduce<number>(
      (sum, rows = 0) => sum + rows,
      records.filter(({ data }) => 'message' in data).length,
    ),
  };
}
