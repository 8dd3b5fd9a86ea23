import { expect, test } from 'vitest';
import { silentLogger } from '../../../lib/Logger.ts';
import { StateFileError } from '../../../lib/StateDatabase.ts';
import { createEventLog, type StateEventLog } from '../../../subgraph/log/createEventLog.ts';
import { createEventRetention } from '../../../subgraph/log/createEventRetention.ts';
import type { NewEvent } from '../../../subgraph/log/EventLog.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { openStateFile, type StateFile } from '../../support/openStateFile.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVENT: NewEvent = { type: 'task.status', level: 'INFO', source: 'tasks', data: {} };

function open(state: StateFile, limits: { count: number; days: number }) {
  const clock = new FakeClock();
  const log = createEventLog({ database: state.database, clock, pid: 7 });
  const keep = (pruned: Pick<StateEventLog, 'prune'> = log) =>
    createEventRetention({ log: pruned, clock, logger: silentLogger, limits: () => limits });
  return { clock, log, keep };
}

test('events beyond the count are forgotten within a minute and a few steps, also after a change of the limits', () => {
  using state = openStateFile();
  const limits = { count: 1_000, days: 90 };
  const { clock, log, keep } = open(state, limits);
  log.append(Array.from({ length: 3_000 }, () => EVENT));
  using _retention = keep();
  clock.advance(MINUTE_MS);
  expect(log.start()).toBe(500);
  clock.advance(1_000);
  expect(log.start()).toBe(2_000);
  limits.count = 10;
  clock.advance(2 * MINUTE_MS);
  expect([log.start(), log.end()]).toEqual([2_990, 3_000]);
});

test('events beyond the days are forgotten', () => {
  using state = openStateFile();
  const { clock, log, keep } = open(state, { count: 1_000_000, days: 2 });
  log.append([EVENT, EVENT]);
  using _retention = keep();
  clock.advance(DAY_MS);
  log.append([EVENT, EVENT]);
  expect(log.start()).toBe(0);
  clock.advance(DAY_MS + 2 * MINUTE_MS);
  expect(log.start()).toBe(2);
});

test('a disk that cannot be written stops no later sweep, and disposing stops them all', () => {
  using state = openStateFile();
  const { clock, keep } = open(state, { count: 1_000, days: 90 });
  let calls = 0;
  const retention = keep({
    prune() {
      calls += 1;
      throw new StateFileError('store.write_failed', 'Cannot write');
    },
  });
  clock.advance(3 * MINUTE_MS);
  expect(calls).toBe(3);
  retention[Symbol.dispose]();
  expect(clock.timers).toBe(0);
});
