/** The records in the state file (spec/worker.md § 7.5). */
import { invariant } from '../../lib/invariant.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { StateDatabase } from '../../lib/StateDatabase.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import type { Offset } from '../log/EventLog.ts';
import {
  MAX_PUSH_CONFIGS,
  type PushConfig,
  type PushConfigStore,
  type PushTarget,
  STATUS_UPDATE_TYPES,
} from './PushConfigStore.ts';

interface Row {
  readonly number: number;
  readonly id: string;
  readonly task_id: string;
  readonly record: string;
}

interface DueRow extends Row {
  readonly due: Offset | null;
}

/** What a row holds of a record beside its keys. Only those of an earlier version have sealed parts, and no participant. */
interface StoredRecord extends Omit<PushConfig, 'id' | 'taskId'> {
  readonly participant?: string | undefined;
  readonly token_ciphertext?: string;
  readonly authentication_ciphertext?: string;
}

const COLUMNS = 'c.number, c.id, c.record, t.id AS task_id';

const TABLES = 'push_configs c JOIN tasks t ON t.number = c.task';

/** The oldest update that the receiver of `c` was not told. */
const DUE = `(
  SELECT e.offset FROM events e WHERE e.ref = t.ref AND e.offset > c.told AND e.task = t.number
  AND e.type IN (${STATUS_UPDATE_TYPES.map((type) => `'${type}'`).join(', ')})
  ORDER BY e.offset LIMIT 1
) AS due`;

/** @param database migrated with `STATE_MIGRATIONS`. */
export function createPushConfigStore({
  database,
  logger,
}: {
  readonly database: StateDatabase;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
}): PushConfigStore {
  const findTask = database.statement<{ readonly number: number }>('SELECT number FROM tasks WHERE id = ?');
  const selectOne = database.statement<Row>(`SELECT ${COLUMNS} FROM ${TABLES} WHERE t.id = ? AND c.id = ?`);
  const selectOfTask = database.statement<Row>(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE t.id = ? ORDER BY c.number`,
  );
  const selectOfRef = database.statement<Row>(
    `SELECT ${COLUMNS} FROM ${TABLES} WHERE t.ref = ? ORDER BY c.number`,
  );
  const selectStep = database.statement<DueRow>(
    `SELECT ${COLUMNS}, ${DUE} FROM ${TABLES} WHERE c.number > ? ORDER BY c.number LIMIT ?`,
  );
  const selectDue = database.statement<DueRow>(`SELECT ${COLUMNS}, ${DUE} FROM ${TABLES} WHERE c.number = ?`);
  const upsert = database.statement<{ readonly number: number }>(
    `INSERT INTO push_configs (task, id, told, record)
     VALUES (?, ?, coalesce(?, (SELECT max(offset) FROM events), 0), ?)
     ON CONFLICT (task, id) DO UPDATE SET record = excluded.record
     RETURNING number`,
  );
  const remove = database.statement('DELETE FROM push_configs WHERE number = ?');
  const settle = database.statement('UPDATE push_configs SET told = max(told, ?) WHERE number = ?');

  /** Undefined for a sealed record, which is gone then. */
  function read({ number, id, task_id: taskId, record }: Row): PushConfig | undefined {
    const { url, token, authentication, ...sealed } = parse(record);
    if (!sealed.token_ciphertext && !sealed.authentication_ciphertext) {
      return { id, taskId, url, ...(token && { token }), ...(authentication && { authentication }) };
    }
    tryToWrite(() => {
      if (!database.transaction(() => remove.run(number).changes > 0)) return;
      logger.warn({ config: id, task: taskId }, 'A push configuration with sealed secrets was deleted');
    }, logger);
    return undefined;
  }

  function readAll(rows: readonly Row[]): PushConfig[] {
    return rows.flatMap((row) => read(row) ?? []);
  }

  function toTargets(rows: readonly Row[]): PushTarget[] {
    return rows.flatMap((row) => {
      const config = read(row);
      return config ? [{ number: row.number, receiver: receiverOf(config) }] : [];
    });
  }

  return {
    put({ id, taskId, url, token, authentication }, { participant, since } = {}) {
      return database.transaction(() => {
        const task = findTask.get(taskId);
        if (!task) throw notFound('task', taskId);
        const others = readAll(selectOfTask.all(taskId)).filter((config) => config.id !== id);
        if (others.length >= MAX_PUSH_CONFIGS) {
          throw badUserInput(
            `Cannot store the push configuration: the task has ${others.length}, fewer than ${MAX_PUSH_CONFIGS} are expected`,
          );
        }
        const record: StoredRecord = { url, token, authentication, participant };
        const row = upsert.get(task.number, id, since ?? null, JSON.stringify(record));
        invariant(row, 'a row that was written is returned');
        return { number: row.number, receiver: receiverOf({ url }) };
      });
    },
    get(taskId, id) {
      const row = selectOne.get(taskId, id);
      return row && read(row);
    },
    list: (taskId) => readAll(selectOfTask.all(taskId)),
    delete(taskId, id) {
      const row = selectOne.get(taskId, id);
      if (!row || !read(row)) return false;
      return database.transaction(() => remove.run(row.number).changes > 0);
    },
    targetsOf: (ref) => toTargets(selectOfRef.all(ref)),
    dueAfter(after, limit) {
      const rows = selectStep.all(after, limit);
      const next = rows.length < limit ? undefined : rows.at(-1)?.number;
      return { targets: toTargets(rows.filter(({ due }) => due !== null)), next };
    },
    dueOf(number) {
      const row = selectDue.get(number);
      const config = row && read(row);
      if (!config || row.due === null) return undefined;
      return { config, participant: parse(row.record).participant, offset: row.due };
    },
    settle(number, offset) {
      // A place that is lost with the machine costs a repetition.
      database.transaction(() => settle.run(offset, number), { isRelaxed: true });
    },
  };
}

/** The URL of a record of an earlier version may be none. */
function receiverOf({ url }: Pick<PushConfig, 'url'>): string {
  return URL.parse(url)?.origin ?? url;
}

function parse(record: string): StoredRecord {
  return JSON.parse(record) as StoredRecord;
}
