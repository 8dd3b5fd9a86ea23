/** The end of everything that the state file holds of one task. */
import type { StateDatabase } from '../../../lib/StateDatabase.ts';

/** Tables with rows of tasks, by the task's number. */
const PARTS = ['history', 'inputs', 'effects', 'message_ids', 'snapshots', 'inbox_audit'] as const;

/** Belongs inside a transaction of the caller. The event log keeps its events, for as long as its own retention says. */
export function deleteTask(database: StateDatabase, task: number): void {
  for (const table of PARTS) database.statement(`DELETE FROM ${table} WHERE task = ?`).run(task);
  database
    .statement('DELETE FROM channel_messages WHERE task = (SELECT id FROM tasks WHERE number = ?)')
    .run(task);
  // What is known of the work item goes with its last task.
  database
    .statement(
      `DELETE FROM work_items WHERE ref = (SELECT ref FROM tasks WHERE number = ?1)
       AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.ref = work_items.ref AND number <> ?1)`,
    )
    .run(task);
  database.statement('DELETE FROM tasks WHERE number = ?').run(task);
}
