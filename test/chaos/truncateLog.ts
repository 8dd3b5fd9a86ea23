/** Cuts the event log of an instance from outside, with the statement that its retention uses. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { LoggedEvent } from './audit.ts';

/** The newest events that stay. */
const KEPT = 3;
/** Longest wait for the instance's own writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** @returns what is forgotten now, oldest first. */
export function truncateLog(directory: string): LoggedEvent[] {
  const database = new DatabaseSync(join(directory, 'state', 'state.db'), { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('BEGIN IMMEDIATE');
    const rows = database
      .prepare(
        'SELECT offset, type, at_ms AS atMs FROM events WHERE offset <= (SELECT max(offset) FROM events) - ? ORDER BY offset',
      )
      .all(KEPT) as unknown as LoggedEvent[];
    database.prepare('DELETE FROM events WHERE offset <= ?').run(rows.at(-1)?.offset ?? 0);
    database.exec('COMMIT');
    return rows.map(({ offset, type, atMs }) => ({ offset, type, atMs }));
  } finally {
    database.close();
  }
}
