/**
 * States of the past, so that a version is read by replaying a few inputs, and the journal of a task stays bounded
 * (spec/worker.md § 3.9).
 *
 * Every `SNAPSHOT_INTERVAL` versions the state is kept. A snapshot that has `bound` newer inputs behind it becomes the
 * beginning of the journal: what is older is forgotten, in the transaction of the step. Version, history and message ids
 * go on as if nothing had been.
 */
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import { initialState, step, type TaskInput, type TaskState } from '../../task/index.ts';

/** Versions between two snapshots: the most inputs that a read of the past replays. */
export const SNAPSHOT_INTERVAL = 256;

/** Most versions that the beginning of a journal moves on at once, so that a lowered bound holds up no step. */
const MAX_FORGOTTEN = 10 * SNAPSHOT_INTERVAL;

export class Snapshots {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #bound: () => number;

  /** @param bound how many of a task's newest inputs are kept at least; asked at every snapshot. */
  constructor(database: StateDatabase, bound: () => number) {
    this.#statements = prepare(database);
    this.#bound = bound;
  }

  /** Keeps the state when its version is due for it. @param body the state without history and message ids, as JSON. */
  keepIfDue(task: number, version: number, body: string): void {
    if (version % SNAPSHOT_INTERVAL !== 0) return;
    const { insert, oldestSnapshot, newestUpTo, forgetInputs, forgetSnapshots } = this.#statements;
    insert.run(task, version, body);
    const oldest = oldestSnapshot.get(task)?.version ?? version;
    const first = newestUpTo.get(task, Math.min(version - this.#bound(), oldest + MAX_FORGOTTEN));
    if (!first) return;
    forgetInputs.run(task, first.version);
    forgetSnapshots.run(task, first.version);
  }

  /** The state at a version, without history and message ids; undefined when the journal does not reach back so far. */
  read(task: number, version: number): TaskState | undefined {
    const { newestUpTo, inputs } = this.#statements;
    const snapshot = newestUpTo.get(task, version);
    const start = snapshot && (JSON.parse(snapshot.body) as TaskState);
    let state = start;
    for (const row of inputs.iterate(task, start?.version ?? 0, version)) {
      const input = JSON.parse(row.input) as TaskInput;
      if (state) state = toStored(step(state, input).state);
      else if (input.kind === 'taskCreated') state = toStored(initialState(input).state);
      else return undefined;
    }
    return state?.version === version ? state : undefined;
  }

  /** The oldest version that can be read. */
  oldestVersion(task: number): number {
    return this.#statements.oldest.get(task)?.version ?? 1;
  }
}

/** A step appends to the history and to the message ids and reads neither. */
function toStored(state: TaskState): TaskState {
  return { ...state, history: [], seenMessageIds: [] };
}

function prepare(database: StateDatabase) {
  return {
    insert: database.statement('INSERT INTO snapshots (task, version, body) VALUES (?, ?, ?)'),
    newestUpTo: database.statement<{ readonly version: number; readonly body: string }>(
      'SELECT version, body FROM snapshots WHERE task = ? AND version <= ? ORDER BY version DESC LIMIT 1',
    ),
    oldestSnapshot: database.statement<{ readonly version: number | null }>(
      'SELECT min(version) AS version FROM snapshots WHERE task = ?',
    ),
    inputs: database.statement<{ readonly input: string }>(
      'SELECT input FROM inputs WHERE task = ? AND version > ? AND version <= ? ORDER BY version',
    ),
    forgetInputs: database.statement('DELETE FROM inputs WHERE task = ? AND version <= ?'),
    forgetSnapshots: database.statement('DELETE FROM snapshots WHERE task = ? AND version < ?'),
    oldest: database.statement<{ readonly version: number | null }>(
      `SELECT min(version) AS version FROM (
         SELECT min(version) AS version FROM inputs WHERE task = ?1
         UNION ALL SELECT min(version) FROM snapshots WHERE task = ?1
       )`,
    ),
  };
}
