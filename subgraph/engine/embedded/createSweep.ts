/** Deletes what is older than its retention, in small steps with a pause for others between them (spec/worker.md § 8.9). */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../lib/Clock.ts';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import type { StateEventLog } from '../../log/createEventLog.ts';
import type { SweepResult } from '../heartbeat/runHeartbeat.ts';
import { deleteTask, type StoredTask } from './deleteTask.ts';

const DAY_MS = 86_400_000;

/** Most tasks of one step: each may have thousands of rows. */
const TASKS_PER_STEP = 10;

const ROWS_PER_STEP = 1_000;

/** Most steps for one kind of record in one sweep; the rest is left to the next one. */
const MAX_STEPS = 100;

export interface SweepOptions {
  /** Migrated with `STATE_MIGRATIONS`. */
  readonly database: StateDatabase;
  /** The log on the same database. */
  readonly log: Pick<StateEventLog, 'append' | 'erase'>;
  readonly clock: Clock;
  /** Asked at every sweep. */
  readonly limits: () => Pick<Config['retention'], 'tasks' | 'inboxAudit' | 'channelMessages'>;
}

/** An open task is kept for as long as it is open; a month of silence ends no conversation (spec/worker.md § 13, 5). */
export function createSweep({
  database,
  log,
  clock,
  limits,
}: SweepOptions): (signal: AbortSignal) => Promise<SweepResult> {
  const oldTasks = database.statement<StoredTask>(
    `SELECT number, id, ref FROM tasks WHERE open = 0 AND updated_ms < ? ORDER BY updated_ms LIMIT ${TASKS_PER_STEP}`,
  );
  const since = (days: number): number => clock.nowMs() - days * DAY_MS;
  return async (signal) => {
    const { tasks, inboxAudit, channelMessages } = limits();
    const deleteRows = (table: 'inbox_audit' | 'channel_messages', beforeMs: number) => () =>
      Number(
        database
          .statement(
            `DELETE FROM ${table} WHERE number IN (SELECT number FROM ${table} WHERE at_ms < ? LIMIT ${ROWS_PER_STEP})`,
          )
          .run(beforeMs).changes,
      );
    const deleteTasks = () => {
      const rows = oldTasks.all(since(tasks.days));
      for (const row of rows) deleteTask(database, log, row);
      return rows.length;
    };
    return {
      tasks: await repeat(database, deleteTasks, TASKS_PER_STEP, signal),
      inboxAudit: await repeat(
        database,
        deleteRows('inbox_audit', since(inboxAudit.days)),
        ROWS_PER_STEP,
        signal,
      ),
      channelMessages: await repeat(
        database,
        deleteRows('channel_messages', since(channelMessages.days)),
        ROWS_PER_STEP,
        signal,
      ),
    };
  };
}

async function repeat(
  database: StateDatabase,
  step: () => number,
  full: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  try {
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      signal.throwIfAborted();
      const count = database.transaction(step);
      deleted += count;
      if (count < full) break;
      await setImmediate();
    }
    return deleted;
  } finally {
    // Once for all of them: it waits for the disk.
    if (deleted > 0) database.scrub();
  }
}
