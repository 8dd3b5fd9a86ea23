/**
 * Writes a task into `state.db` as its workflow knows it, over what the file has of it.
 *
 * What the file has of the history stays; what neither has is lost: older entries than the snapshot's, events of the log,
 * versions of the past. Belongs inside a transaction of the caller.
 */
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import { OWN_PROVIDER } from '../../../schema/taskRef.ts';
import type { TaskInput } from '../../task/index.ts';
import type { Journal, JournalEntry } from '../embedded/Journal.ts';
import type { TaskSnapshot } from './protocol.ts';

/**
 * @param number of the task in the journal; undefined when the journal does not have it.
 * @returns the number that it has now.
 */
export function restoreTask(
  database: StateDatabase,
  journal: Journal,
  { number, snapshot }: { readonly number: number | undefined; readonly snapshot: TaskSnapshot },
): number {
  const { state } = snapshot;
  const known = number === undefined ? 0 : journal.load(number).lastEntryId;
  const isNew = (id: string): boolean => number === undefined || !journal.hasMessage(number, id);
  const entry: JournalEntry = {
    // Taken out again below: nothing is replayed over what is missing.
    input: { kind: 'resumeRequested', participant: '', atMs: state.updatedAtMs } satisfies TaskInput,
    result: {
      state: {
        ...state,
        history: snapshot.tail.filter(({ id }) => id > known),
        seenMessageIds: snapshot.messageIds.filter(isNew),
      },
      effects: snapshot.pending.map(({ effect }) => effect),
      events: [],
    },
  };
  if (number !== undefined) {
    for (const table of ['effects', 'inputs', 'snapshots']) {
      database.statement(`DELETE FROM ${table} WHERE task = ?`).run(number);
    }
    journal.record(number, entry);
  }
  const task = number ?? journal.create(entry);
  database.statement('DELETE FROM inputs WHERE task = ?').run(task);
  database
    .statement(
      `INSERT OR REPLACE INTO snapshots (task, version, body)
       SELECT number, json_extract(body, '$.version'), body FROM tasks WHERE number = ?`,
    )
    .run(task);
  countAsGiven(database, state.ref);
  return task;
}

/** The number of a ref that the instance has given out is not given out again. */
function countAsGiven(database: StateDatabase, ref: string): void {
  const match = new RegExp(`^${OWN_PROVIDER}:[^/]*/task#(\\d+)$`).exec(ref);
  if (!match) return;
  database
    .statement(
      `INSERT INTO counters (name, value) VALUES ('task', ?1)
       ON CONFLICT (name) DO UPDATE SET value = max(value, ?1)`,
    )
    .run(Number(match[1]));
}
