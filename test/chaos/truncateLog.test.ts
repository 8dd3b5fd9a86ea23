import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../lib/Clock.ts';
import { openStateDatabase } from '../../lib/StateDatabase.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import { createEventLog } from '../../subgraph/log/createEventLog.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { truncateLog } from './truncateLog.ts';

const EVENT = { type: 'task.status', level: 'INFO', source: 'tasks', data: {} } as const;

test('truncateLog() cuts the log of an instance that has it open, and returns what it forgets', () => {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'state'));
  using database = openStateDatabase(join(directory.path, 'state', 'state.db'), {
    migrations: STATE_MIGRATIONS,
  });
  const log = createEventLog({ database, clock: systemClock, pid: 1 });
  log.append(Array.from({ length: 10 }, () => EVENT));

  const forgotten = truncateLog(directory.path);

  expect(forgotten.map(({ offset }) => offset)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(forgotten[0]).toEqual({ offset: 1, type: 'task.status', atMs: expect.any(Number) });
  expect([log.start(), log.end()]).toEqual([7, 10]);
  expect(truncateLog(directory.path)).toEqual([]);
  expect(log.append([EVENT])).toBe(11);
});
