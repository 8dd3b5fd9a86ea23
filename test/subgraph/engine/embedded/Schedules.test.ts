import { expect, test } from 'vitest';
import { silentLogger } from '../../../../lib/Logger.ts';
import { Schedules } from '../../../../subgraph/engine/embedded/Schedules.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { FaultyDatabase } from '../../../support/FaultyDatabase.ts';
import { openStateFile } from '../../../support/openStateFile.ts';

const MINUTE_MS = 60_000;

test('on a disk that is full a run is made once per interval, and what it came to is told all the same', async () => {
  using file = openStateFile();
  const clock = new FakeClock();
  // The first write is the schedule's own.
  const database = new FaultyDatabase(file.database, { atWrite: 2, afterwards: 'dead' });
  const complaints: string[] = [];
  let runs = 0;
  await using schedules = new Schedules({
    database,
    clock,
    logger: { ...silentLogger, error: (_, message) => complaints.push(message) },
    run: async () => {
      runs += 1;
      return { runs };
    },
  });
  schedules.start();
  const startMs = clock.nowMs();
  schedules.ensure('tick', MINUTE_MS);
  for (const round of [1, 2, 3]) {
    clock.advance(MINUTE_MS);
    await clock.waiting();
    expect(clock.delaysMs).toEqual([MINUTE_MS]);
    expect([runs, complaints.length]).toEqual([round, round]);
    expect(schedules.list()).toEqual([
      {
        id: 'tick',
        intervalMs: MINUTE_MS,
        nextAtMs: startMs + (round + 1) * MINUTE_MS,
        lastAtMs: startMs + round * MINUTE_MS,
        result: { runs: round },
      },
    ]);
  }
});

test('a disk that works again has the next run', async () => {
  using file = openStateFile();
  const clock = new FakeClock();
  const database = new FaultyDatabase(file.database, { atWrite: 2, afterwards: 'works' });
  const options = { clock, logger: silentLogger, run: async () => ({ at: clock.nowMs() }) };
  await using schedules = new Schedules({ ...options, database });
  schedules.start();
  schedules.ensure('tick', MINUTE_MS);
  for (let round = 0; round < 2; round += 1) {
    clock.advance(MINUTE_MS);
    await clock.waiting();
  }
  await using others = new Schedules({ ...options, database: file.database });
  expect(others.list()).toEqual(schedules.list());
  expect(others.list()).toMatchObject([{ lastAtMs: clock.nowMs(), result: { at: clock.nowMs() } }]);
});
