/**
 * Group commit: what arrives in one turn of the event loop shares a transaction, and so one write to the disk.
 *
 * Work is done one piece after the other, in the order of its arrival; a promise settles after the commit, in the same
 * order.
 */
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import { FlotillaError } from '../../../schema/errors.ts';

/** Most pieces of work in one transaction, so that none of them waits long. */
const BATCH_LIMIT = 512;

export interface CommitQueueOptions {
  readonly database: StateDatabase;
  /** Called when a transaction was rolled back: what was learnt inside it is not true. */
  readonly onRollback: () => void;
}

interface Entry {
  readonly run: () => () => void;
  readonly reject: (error: unknown) => void;
}

export class CommitQueue {
  readonly #database: StateDatabase;
  readonly #onRollback: () => void;
  #waiting: Entry[] = [];
  #isScheduled = false;
  #committed = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor({ database, onRollback }: CommitQueueOptions) {
    this.#database = database;
    this.#onRollback = onRollback;
  }

  /** Pieces of work that wait. The caller decides how many are too many. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Transactions that were committed. */
  get committed(): number {
    return this.#committed;
  }

  /**
   * Runs `work` inside a transaction and resolves with its result when that is durable.
   *
   * A FlotillaError of `work` is a refusal, thrown before it has written anything, and rejects only its own promise.
   * Any other error rolls the transaction back; the pieces of work are then tried each in a transaction of its own.
   */
  submit<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): (() => void) => {
        const result = work();
        return () => resolve(result);
      };
      this.#waiting.push({ run, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing waits. */
  drain(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    this.#idle ??= Promise.withResolvers();
    return this.#idle.promise;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#commit(this.#waiting.splice(0, BATCH_LIMIT));
      if (this.#waiting.length > 0) return this.#schedule();
      this.#idle?.resolve();
      this.#idle = undefined;
    });
  }

  #commit(batch: readonly Entry[]): void {
    let settlements: readonly (() => void)[];
    try {
      settlements = this.#database.transaction(() => batch.map(runOrRefuse));
    } catch (error) {
      this.#onRollback();
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const entry of batch) this.#commit([entry]);
      return;
    }
    this.#committed += 1;
    for (const settle of settlements) settle();
  }
}

function runOrRefuse({ run, reject }: Entry): () => void {
  try {
    return run();
  } catch (error) {
    if (error instanceof FlotillaError) return () => reject(error);
    throw error;
  }
}
