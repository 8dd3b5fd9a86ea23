/** The end of everything that the state file holds of one task (spec/worker.md § 13, 17). */
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import { EVENT_TYPES } from '../../../schema/events.ts';
import type { StateEventLog } from '../../log/createEventLog.ts';

/** Tables with rows of tasks, by the task's number. */
const PARTS = [
  'history',
  'inputs',
  'effects',
  'message_ids',
  'snapshots',
  'inbox_audit',
  'push_configs',
  'participants',
  'contexts',
] as const;

export interface StoredTask {
  readonly number: number;
  readonly id: string;
  readonly ref: string;
}

/**
 * Of its events the log keeps that they were there, and tells of the end. Belongs inside a transaction of the caller, who has the
 * database scrubbed behind it.
 */
export function deleteTask(
  database: StateDatabase,
  log: Pick<StateEventLog, 'append' | 'erase'>,
  { number, id, ref }: StoredTask,
): void {
  for (const table of PARTS) database.statement(`DELETE FROM ${table} WHERE task = ?`).run(number);
  database.statement('DELETE FROM channel_messages WHERE task = ?').run(id);
  database.statement('DELETE FROM tasks WHERE number = ?').run(number);
  // What is known of the work item goes with its last task.
  database
    .statement('DELETE FROM work_items WHERE ref = ?1 AND NOT EXISTS (SELECT 1 FROM tasks WHERE ref = ?1)')
    .run(ref);
  log.erase({ task: number, ref });
  const type = 'task.purged';
  log.append([{ type, level: EVENT_TYPES[type].level, source: 'tasks', ref, data: { taskId: id } }]);
}
