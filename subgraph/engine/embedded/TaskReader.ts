/** The reads of the embedded host, straight from SQL: they hold no task in memory and wake none. */
import type { SqlValue, StateDatabase } from '../../../lib/StateDatabase.ts';
import type { HistoryEntry, TaskState } from '../../task/index.ts';
import type {
  EngineStats,
  HistoryQuery,
  TaskAddress,
  TaskEngine,
  TaskFilter,
  TaskListQuery,
  TaskOrder,
  TaskRow,
  TimeRange,
} from '../TaskEngine.ts';
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
export type TaskReader = Pick<
  TaskEngine,
  'isOn' | 'read' | 'readMany' | 'list' | 'count' | 'history' | 'openRefs' | 'inboxAudit'
> & {
  countByState(): EngineStats['tasks'];
};

/** Message ids in a row (spec/rest-on-tasks.md, Rows). */
const RECENT_MESSAGE_IDS = 50;

/** Most tasks of a participant that a list is made of; with more of them it is cheaper to go through all tasks in their order. */
const FEW_TASKS = 2_000;

const OF_PARTICIPANT = {
  few: 'number IN (SELECT task FROM participants WHERE id = ?)',
  many: 'EXISTS (SELECT 1 FROM participants WHERE task = tasks.number AND id = ?)',
};

/** Newest message ids of a task, the newest first, as a JSON list: a fifth of the time of a long list. */
const MESSAGE_IDS = `(
  SELECT json_group_array(id) FROM (
    SELECT id FROM message_ids WHERE task = tasks.number ORDER BY version DESC LIMIT ${RECENT_MESSAGE_IDS}
  )
) AS ids`;

interface StateCount {
  readonly state: TaskState['status']['state'];
  readonly count: number;
}

/** @param database migrated with `STATE_MIGRATIONS`. */
export function createTaskReader(database: StateDatabase): TaskReader {
  const readRow = (task: TaskAddress): TaskRow | undefined => {
    const { number, key } = toNumberSelect(task);
    const row = database
      .statement<BodyRow>(`SELECT body, ${MESSAGE_IDS} FROM tasks WHERE number = ${number}`)
      .get(key);
    return row && toRow(row);
  };
  const hasFewTasks = ({ participant }: TaskFilter): boolean => {
    if (participant === undefined) return true;
    const row = database
      .statement<{ readonly task: number }>(
        `SELECT task FROM participants WHERE id = ? LIMIT 1 OFFSET ${FEW_TASKS}`,
      )
      .get(participant);
    return row === undefined;
  };
  return {
    countByState() {
      const rows = database
        .statement<StateCount>('SELECT state, count(*) AS count FROM tasks GROUP BY state')
        .all();
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
    async isOn(task, participant) {
      const { number, key } = toNumberSelect(task);
      return (
        database
          .statement<object>(`SELECT 1 FROM participants WHERE task = ${number} AND id = ?`)
          .get(key, participant) !== undefined
      );
    },
    read: async (task) => readRow(task),
    readMany: async (tasks) => tasks.map(readRow),
    async list(query) {
      const { sql, values } = toListStatement(query, hasFewTasks(query));
      return database
        .statement<BodyRow>(sql)
        .all(...values)
        .map(toRow);
    },
    async count(filter, atMost) {
      const { where, values } = toWhere(toConditions(filter, true));
      const row = database
        .statement<{ readonly count: number }>(
          `SELECT count(*) AS count FROM (SELECT 1 FROM tasks ${where} LIMIT ?)`,
        )
        .get(...values, atMost);
      return row?.count ?? 0;
    },
    async history(task, query) {
      const { sql, values } = toHistoryStatement(task, query);
      const entries = database
        .statement<{ readonly entry: string }>(sql)
        .all(...values)
        .map(({ entry }) => JSON.parse(entry) as HistoryEntry);
      return query.keep === 'newest' ? entries.reverse() : entries;
    },
    async inboxAudit(task, { limit }) {
      const { number, key } = toNumberSelect(task);
      return database
        .statement<AuditRowOfTask>(
          `SELECT message_id, participant, accepted, reason, at_ms FROM inbox_audit
           WHERE task = ${number} ORDER BY number DESC LIMIT ?`,
        )
        .all(key, limit)
        .map(({ message_id, participant, accepted, reason, at_ms }) => ({
          messageId: message_id,
          participant,
          accepted: accepted === 1,
          ...(reason !== null && { reason }),
          atMs: at_ms,
        }));
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
  /** Absent where nobody asked for them. */
  readonly ids?: string;
}

interface AuditRowOfTask {
  readonly message_id: string;
  readonly participant: string;
  readonly accepted: number;
  readonly reason: string | null;
  readonly at_ms: number;
}

function toRow({ body, ids }: BodyRow): TaskRow {
  const recentMessageIds = ids === undefined ? undefined : (JSON.parse(ids) as string[]).reverse();
  return toTaskRow(JSON.parse(body) as TaskState, recentMessageIds);
}

interface SqlStatement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** What finds the number of a task, and the value that it reads. */
function toNumberSelect(task: TaskAddress): { readonly number: string; readonly key: string } {
  return typeof task === 'string'
    ? { number: '(SELECT max(number) FROM tasks WHERE ref = ?)', key: task }
    : { number: '(SELECT number FROM tasks WHERE id = ?)', key: task.id };
}

function toHistoryStatement(
  task: TaskAddress,
  { afterId, beforeId, limit, keep = 'oldest' }: HistoryQuery,
): SqlStatement {
  const { number, key } = toNumberSelect(task);
  return {
    sql: `SELECT entry FROM history WHERE task = ${number} AND id > ? ${beforeId === undefined ? '' : 'AND id < ?'}
          ORDER BY id ${keep === 'oldest' ? 'ASC' : 'DESC'} LIMIT ?`,
    values: [key, afterId, ...(beforeId === undefined ? [] : [beforeId]), limit],
  };
}

function toListStatement(
  { limit, order, after, withMessageIds = false, ...filter }: TaskListQuery,
  hasFewTasks: boolean,
): SqlStatement {
  const { column, direction } = ORDERS[order];
  const conditions = toConditions(filter, hasFewTasks);
  if (after) {
    const values = [after.value, after.id];
    conditions.push({ sql: `(${column}, id) ${direction === 'ASC' ? '>' : '<'} (?, ?)`, values });
  }
  const columns = withMessageIds ? `body, ${MESSAGE_IDS}` : 'body';
  const { where, values } = toWhere(conditions);
  return {
    sql: `SELECT ${columns} FROM tasks ${where} ORDER BY ${column} ${direction}, id ${direction} LIMIT ?`,
    values: [...values, limit],
  };
}

/** @param conditions at least one. */
function toWhere(conditions: readonly SqlStatement[]): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  return {
    where: `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

function toConditions(filter: TaskFilter, hasFewTasks: boolean): SqlStatement[] {
  const { states, subStates, lifecycles, isPaused, participant, contextId, repositories } = filter;
  const { created, updated, text } = filter;
  return [
    { sql: "ref NOT GLOB 'standing:*'", values: [] },
    ...(isPaused ? [{ sql: "json_extract(body, '$.paused')", values: [] }] : []),
    ...isOneOf('state', states),
    ...isOneOf('sub_state', subStates),
    ...isOneOf("json_extract(body, '$.lifecycle')", lifecycles),
    ...when(OF_PARTICIPANT[hasFewTasks ? 'few' : 'many'], participant),
    ...when('number IN (SELECT task FROM contexts WHERE id = ?)', contextId),
    ...when(
      "EXISTS (SELECT 1 FROM json_each(body, '$.repositories') WHERE value IN (SELECT value FROM json_each(?)))",
      repositories && JSON.stringify(repositories),
    ),
    ...isWithin('created_ms', created),
    ...isWithin('updated_ms', updated),
    ...when('instr(search, ?) > 0', text?.toLowerCase()),
  ];
}

function isOneOf(expression: string, values: readonly string[] | undefined): SqlStatement[] {
  return when(`${expression} IN (SELECT value FROM json_each(?))`, values && JSON.stringify(values));
}

function isWithin(column: string, { sinceMs, beforeMs }: TimeRange = {}): SqlStatement[] {
  return [...when(`${column} >= ?`, sinceMs), ...when(`${column} < ?`, beforeMs)];
}

/** No condition without a value. */
function when(sql: string, value: SqlValue | undefined): SqlStatement[] {
  return value === undefined ? [] : [{ sql, values: [value] }];
}
