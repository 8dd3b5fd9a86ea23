/**
 * The one SQLite file of an instance: durable transactions, and nothing else.
 *
 * A committed transaction survives a crash of the process and of the machine (WAL, `synchronous=FULL`). The file and
 * its side files are readable for their owner only.
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Scrubber } from './Scrubber.ts';

/** How long a statement waits for a foreign reader's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

/** As much as a large input takes. */
const PROBE_BYTES = 1_048_576;

/** A table of an earlier attempt may be there, when there was no space even to drop it. */
const PROBE = `
  BEGIN IMMEDIATE;
  DROP TABLE IF EXISTS write_probe;
  CREATE TABLE write_probe (bytes BLOB) STRICT;
  INSERT INTO write_probe VALUES (zeroblob(${PROBE_BYTES}));
  COMMIT;
`;

/** Primary result codes of SQLite that tell of the file or the machine and not of the statement. */
const ENVIRONMENT_CODES = new Set([
  3, // PERM
  5, // BUSY
  6, // LOCKED
  7, // NOMEM
  8, // READONLY
  10, // IOERR
  11, // CORRUPT
  13, // FULL
  14, // CANTOPEN
  26, // NOTADB
]);

export type SqlValue = null | number | string;

/** A prepared statement. Its SQL decides the shape of a row, so whoever writes the SQL names the type. */
export interface Statement<Row = never> {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  iterate(...values: SqlValue[]): IterableIterator<Row>;
}

/** All of it is synchronous, so transactions of one process follow each other. Disposing twice is fine. */
export interface StateDatabase extends Disposable {
  readonly path: string;
  /** The same statement for the same text; texts come from a fixed set, so that the cache has a bound. */
  statement<Row = never>(sql: string): Statement<Row>;
  /**
   * Runs `work` in a transaction; inside one, joins it. When `work` or the commit throws, nothing of the whole
   * transaction stays, and the error is thrown on.
   *
   * @throws {StateFileError} `store.write_failed` when the file cannot be written.
   */
  transaction<T>(work: () => T, options?: TransactionOptions): T;
  /**
   * Calls `callback` after the commit of the open transaction, at once when none is open; the same function is called
   * once per transaction. A throw of it is a defect: it stops neither the other callbacks nor the caller, and surfaces
   * as an uncaught exception.
   */
  afterCommit(callback: () => void): void;
  /**
   * Whether a write can be expected to work. After one that did not, a write of `PROBE_BYTES` is tried: on a full disk the last few
   * bytes go on being free, and are no use.
   */
  canWrite(): boolean;
  /**
   * Has the files forget what the open transaction, once it is committed, or an earlier one has deleted. It is in neither of them then, but
   * for copies that SQLite may have left beside moved rows: those go at the end, up to a file of 64 MiB. It waits for the disk, never for
   * another process, and nothing fails with it: where a reader is in the way, it is done with a later commit, or at the end.
   */
  scrub(): void;
}

export interface TransactionOptions {
  /**
   * Does not wait for the disk: it survives a crash of the process, but not always one of the machine. For what may be done again, and
   * often. Inside another transaction it is as durable as that one. @default false
   */
  readonly isRelaxed?: boolean;
}

export interface StateDatabaseOptions {
  /** SQL scripts; number n (from 1) leads from schema version n - 1 to n. Only ever appended to. */
  readonly migrations: readonly string[];
  /** Called when the file turns out not to be writable, with the error, and when it is again; once for each change. */
  readonly onWritable?: (failure: StateFileError | undefined) => void;
}

/** The state file cannot be used. `cause` is SQLite's own error, when there is one. */
export class StateFileError extends Error {
  readonly code: 'store.open_failed' | 'store.write_failed';

  constructor(code: StateFileError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StateFileError';
    this.code = code;
  }
}

/**
 * Opens the file, creates it when it is missing, and brings its schema up to date.
 *
 * @throws {StateFileError} `store.open_failed` when the file cannot be opened or is of a newer version.
 */
export function openStateDatabase(
  path: string,
  { migrations, onWritable = () => {} }: StateDatabaseOptions,
): StateDatabase {
  let database: DatabaseSync | undefined;
  try {
    restrictToOwner(path);
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384;');
    const scrubber = new Scrubber(database);
    migrate(database, path, migrations);
    return new SqliteStateDatabase(path, database, scrubber, onWritable);
  } catch (error) {
    database?.close();
    if (error instanceof StateFileError) throw error;
    throw new StateFileError('store.open_failed', `Cannot open "${path}": ${reasonOf(error)}`, error);
  }
}

/** SQLite gives its side files the mode of the main file; those of an earlier run are tightened too. */
function restrictToOwner(path: string): void {
  // Only a file that this call creates is opened here: closing a descriptor of a file that SQLite has open would
  // drop SQLite's locks on it.
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}

function migrate(database: DatabaseSync, path: string, migrations: readonly string[]): void {
  const row = database.prepare('PRAGMA user_version').get();
  const version = Number(row?.user_version);
  if (version > migrations.length) {
    throw new StateFileError(
      'store.open_failed',
      `Cannot open "${path}": its schema version is ${version}, ${migrations.length} or lower is expected`,
    );
  }
  for (const [index, script] of migrations.entries()) {
    if (index < version) continue;
    database.exec(`BEGIN IMMEDIATE; ${script}; PRAGMA user_version = ${index + 1}; COMMIT;`);
  }
}

class SqliteStateDatabase implements StateDatabase {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #scrubber: Scrubber;
  readonly #onWritable: NonNullable<StateDatabaseOptions['onWritable']>;
  readonly #statements = new Map<string, Statement>();
  #callbacks = new Set<() => void>();
  #open = false;
  /** An inner part has failed: its half-done writes must not be committed, whoever caught the error. */
  #failure: { readonly error: unknown } | undefined;
  #isWritable = true;

  constructor(
    path: string,
    database: DatabaseSync,
    scrubber: Scrubber,
    onWritable: NonNullable<StateDatabaseOptions['onWritable']>,
  ) {
    this.path = path;
    this.#database = database;
    this.#scrubber = scrubber;
    this.#onWritable = onWritable;
  }

  statement<Row>(sql: string): Statement<Row> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql) as unknown as Statement;
      this.#statements.set(sql, statement);
    }
    return statement as unknown as Statement<Row>;
  }

  transaction<T>(work: () => T, { isRelaxed = false }: TransactionOptions = {}): T {
    if (this.#open) return this.#join(work);
    const result = isRelaxed ? this.#relaxed(work) : this.#transact(work);
    this.canWrite();
    this.#announce();
    this.#scrubber.committed();
    return result;
  }

  #relaxed<T>(work: () => T): T {
    this.#database.exec('PRAGMA synchronous = NORMAL');
    try {
      return this.#transact(work);
    } finally {
      this.#database.exec('PRAGMA synchronous = FULL');
    }
  }

  #transact<T>(work: () => T): T {
    try {
      this.statement('BEGIN IMMEDIATE').run();
      this.#open = true;
      const result = work();
      if (this.#failure) throw this.#failure.error;
      this.statement('COMMIT').run();
      return result;
    } catch (error) {
      this.#callbacks.clear();
      // A full disk has SQLite roll back by itself.
      if (this.#database.isTransaction) this.statement('ROLLBACK').run();
      throw this.#explain(error);
    } finally {
      this.#open = false;
      this.#failure = undefined;
    }
  }

  canWrite(): boolean {
    if (this.#isWritable) return true;
    try {
      this.#database.exec(PROBE);
      this.#database.exec('DROP TABLE write_probe');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      if (isEnvironmentError(error)) return false;
      throw error;
    }
    this.#setWritable(undefined);
    return true;
  }

  afterCommit(callback: () => void): void {
    this.#callbacks.add(callback);
    if (!this.#open) this.#announce();
  }

  scrub(): void {
    this.afterCommit(this.#scrubber.request);
  }

  [Symbol.dispose](): void {
    if (!this.#database.isOpen) return;
    this.#statements.clear();
    this.#scrubber.close();
    this.#database.close();
  }

  #join<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  #announce(): void {
    if (this.#callbacks.size === 0) return;
    const callbacks = this.#callbacks;
    this.#callbacks = new Set();
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #explain(error: unknown): unknown {
    if (!isEnvironmentError(error)) return error;
    const message = `Cannot write "${this.path}": ${reasonOf(error)}`;
    const failure = new StateFileError('store.write_failed', message, error);
    this.#setWritable(failure);
    return failure;
  }

  #setWritable(failure: StateFileError | undefined): void {
    if (this.#isWritable === (failure === undefined)) return;
    this.#isWritable = failure === undefined;
    this.#onWritable(failure);
  }
}

function isEnvironmentError(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  return typeof error.errcode === 'number' && ENVIRONMENT_CODES.has(error.errcode & 0xff);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
