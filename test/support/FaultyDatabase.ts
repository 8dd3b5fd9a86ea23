/** A database whose disk fails: from the n-th write on, or for one write only. */
import {
  type SqlValue,
  type StateDatabase,
  StateFileError,
  type Statement,
} from '../../lib/StateDatabase.ts';

export interface Fault {
  /** Which write fails, from 1. A commit counts as one, and so does the moment behind it, where a process may die too. */
  readonly atWrite: number;
  /** A process that has died writes nothing more; a disk that was full for a moment does. */
  readonly afterwards: 'dead' | 'works';
}

export class FaultyDatabase implements StateDatabase {
  readonly path: string;
  readonly #inner: StateDatabase;
  readonly #fault: Fault;
  readonly #onFault: () => void;
  #writes = 0;
  #isOutermost = true;
  #isDead = false;

  /** @param onFault called when the first write fails. */
  constructor(inner: StateDatabase, fault: Fault, onFault: () => void = () => {}) {
    this.path = inner.path;
    this.#inner = inner;
    this.#fault = fault;
    this.#onFault = onFault;
  }

  statement<Row>(sql: string): Statement<Row> {
    const inner = this.#inner.statement<Row>(sql);
    const write = <Result>(work: () => Result): Result => {
      this.#write();
      return work();
    };
    const isWrite = !sql.startsWith('SELECT');
    return {
      run: (...values: SqlValue[]) => write(() => inner.run(...values)),
      get: (...values: SqlValue[]) => (isWrite ? write(() => inner.get(...values)) : inner.get(...values)),
      all: (...values: SqlValue[]) => inner.all(...values),
      iterate: (...values: SqlValue[]) => inner.iterate(...values),
    };
  }

  transaction<T>(work: () => T): T {
    if (!this.#isOutermost) return this.#inner.transaction(work);
    this.#isOutermost = false;
    try {
      const result = this.#inner.transaction(() => {
        const value = work();
        this.#write();
        return value;
      });
      if (this.#fault.afterwards === 'dead') this.#write();
      return result;
    } finally {
      this.#isOutermost = true;
    }
  }

  /** From now on nothing is written. */
  die(): void {
    this.#isDead = true;
  }

  afterCommit(callback: () => void): void {
    this.#inner.afterCommit(callback);
  }

  canWrite(): boolean {
    return this.#inner.canWrite();
  }

  scrub(): void {
    this.#inner.scrub();
  }

  [Symbol.dispose](): void {
    this.#inner[Symbol.dispose]();
  }

  #write(): void {
    this.#writes += 1;
    const { atWrite, afterwards } = this.#fault;
    if (this.#isDead) throw failureOf(this.path);
    if (this.#writes === atWrite) this.#onFault();
    if (this.#writes === atWrite || (this.#writes > atWrite && afterwards === 'dead')) {
      throw failureOf(this.path);
    }
  }
}

function failureOf(path: string): StateFileError {
  return new StateFileError('store.write_failed', `Cannot write "${path}": the test says so`);
}
