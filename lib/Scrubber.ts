/**
 * Has an SQLite file in WAL mode forget what is deleted in it, as nothing in SQL does: a deleted row can be read in the file until something
 * is written over it, and in the side file until that is emptied.
 */
import type { DatabaseSync } from 'node:sqlite';

/** Commits between two attempts to empty the side file. */
const RETRY_COMMITS = 100;

/** Largest file that is written anew when it is closed, in bytes: a second of a slow disk, and as much memory. */
const MAX_REWRITTEN_BYTES = 64 * 1_048_576;

/**
 * Three steps, the later ones for what the earlier ones leave. Deleted content is overwritten with zeros as it is deleted; the side file is
 * emptied on request; and after a request the file is written anew at its close, because a page whose rows SQLite has moved to another one may
 * keep copies of them. A step that fails leaves the file sound.
 */
export class Scrubber {
  readonly #database: DatabaseSync;
  /** Commits until the side file is tried again; undefined: nothing in it is to be forgotten. */
  #retryIn: number | undefined;
  #isRewriteDue = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec('PRAGMA secure_delete = ON');
  }

  /** After the commit of what deletes. */
  readonly request = (): void => {
    this.#isRewriteDue = true;
    this.#retryIn = 0;
    this.#retry();
  };

  /** After every commit. */
  committed(): void {
    if (this.#retryIn === undefined) return;
    this.#retryIn -= 1;
    this.#retry();
  }

  /** Before the database is closed, which empties the side file when nobody else has it open. */
  close(): void {
    if (!this.#isRewriteDue || this.#sizeBytes() > MAX_REWRITTEN_BYTES) return;
    // Not into a file somewhere else.
    this.#try('PRAGMA temp_store = MEMORY');
    this.#try('PRAGMA busy_timeout = 0');
    this.#try('VACUUM');
  }

  #retry(): void {
    if (this.#retryIn === undefined || this.#retryIn > 0) return;
    this.#retryIn = this.#emptySideFile() ? undefined : RETRY_COMMITS;
  }

  /** Never waits for a reader of another process that still needs the side file. */
  #emptySideFile(): boolean {
    const timeout = this.#try('PRAGMA busy_timeout')?.timeout;
    this.#try('PRAGMA busy_timeout = 0');
    const row = this.#try('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#try(`PRAGMA busy_timeout = ${timeout}`);
    return row?.busy === 0;
  }

  #sizeBytes(): number {
    const pages = Number(this.#try('PRAGMA page_count')?.page_count);
    return pages * Number(this.#try('PRAGMA page_size')?.page_size);
  }

  /** Row of the answer; none when it fails, as on a full disk: what was committed stands all the same. */
  #try(sql: string): Readonly<Record<string, unknown>> | undefined {
    try {
      return this.#database.prepare(sql).get();
    } catch {
      return undefined;
    }
  }
}
