/** The reads of the embedded host, straight from SQL: they hold no task in memory and wake none. */
import type { SqlValue, StateDatabase } from '../../../lib/StateDatabase.ts';
import type { HistoryEntry, TaskState } from '../../task/index.ts';
import type { TaskEngine, TaskListQuery, TaskOrder, TaskRow } from '../TaskEngine.ts';
import { toTaskRow } from '../toTaskRow.ts';

/** What a list is ordered by; equal values are ordered by id, in the same direction. */
const ORDERS = {
  CREATED_AT_ASC: { column: 'created_ms', direction: 'ASC' },
  CREATED_AT_DESC: { column: 'created_ms', direction: 'DESC' },
  UPDATED_AT_ASC: { column: 'updated_ms', direction: 'ASC' },
  UPDATED_AT_DESC: { column: 'updated_ms', direction: 'DESC' },
  REF_ASC: { column: 'ref', direction: 'ASC' },
} as const satisfies Record<TaskOrder, { readonly column: string; readonly direction: 'ASC' | 'DESC' }>;

/** The reading half of the `TaskEngine` port. */
export type TaskReader = Pick<TaskEngine, 'read' | 'readMany' | 'list' | 'history' | 'openRefs'>;

/** @param database migrated with `STATE_MIGRATIONS`. */
export function createTaskReader(database: StateDatabase): TaskReader {
  const readRow = (ref: string): TaskRow | undefined => {
    const row = database
      .statement<BodyRow>('SELECT body FROM tasks WHERE ref = ? ORDER BY number DESC LIMIT 1')
      .get(ref);
    return row && toRow(row);
  };
  return {
    read: async (ref) => readRow(ref),
    readMany: async (refs) => refs.map(readRow),
    async list(query) {
      const { sql, values } = toListStatement(query);
      return database
        .statement<BodyRow>(sql)
        .all(...values)
        .map(toRow);
    },
    async history(ref, { afterId, limit }) {
      return database
        .statement<{ readonly entry: string }>(
          `SELECT entry FROM history WHERE task = (SELECT max(number) FROM tasks WHERE ref = ?) AND id > ?
           ORDER BY id LIMIT ?`,
        )
        .all(ref, afterId, limit)
        .map(({ entry }) => JSON.parse(entry) as HistoryEntry);
    },
    async openRefs() {
      return database
        .statement<{ readonly ref: string }>('SELECT ref FROM tasks WHERE open = 1 ORDER BY ref')
        .all()
        .map(({ ref }) => ref);
    },
  };
}

interface BodyRow {
  readonly body: string;
}

function toRow({ body }: BodyRow): TaskRow {
  return toTaskRow(JSON.parse(body) as TaskState);
}

function toListStatement({ limit, order, after, states, subStates, text }: TaskListQuery): {
  readonly sql: string;
  readonly values: readonly SqlValue[];
} {
  const { column, direction } = ORDERS[order];
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (after) {
    conditions.push(`(${column}, id) ${direction === 'ASC' ? '>' : '<'} (?, ?)`);
    values.push(after.value, after.id);
  }
  if (states) {
    conditions.push('state IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(states));
  }
  if (subStates) {
    conditions.push('sub_state IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(subStates));
  }
  if (text !== undefined) {
    conditions.push('instr(search, ?) > 0');
    values.push(text.toLowerCase());
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return {
    sql: `SELECT body FROM tasks ${where} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
    values: [...values, limit],
  };
}
