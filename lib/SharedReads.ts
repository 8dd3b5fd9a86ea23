/**
 * Reads that ask the same, at the same time, share one answer: whoever is asked is so asked once for all who wait.
 *
 * Whoever comes while such a read is under way waits for the next one, so that no answer is older than its question: what a client has
 * seen written, it reads.
 */
import type { Clock } from './Clock.ts';
import { untilAborted } from './untilAborted.ts';

/** Longest wait for the read before, in milliseconds: one that hangs holds up nobody for longer. */
const MAX_WAIT_MS = 100;

/** Reads what is asked; the signal aborts when nobody waits for it any more. */
export type Read<Answer> = (signal: AbortSignal) => Promise<Answer>;

export class SharedReads<Answer> {
  readonly #clock: Clock;
  /** By what is asked: the end of the newest read that has begun. */
  readonly #begun = new Map<string, Promise<unknown>>();
  /** By what is asked: the read that is to begin next. */
  readonly #next = new Map<string, SharedRead<Answer>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * An answer to `key` that was asked for after this call, by the `read` of one of those who share it. It fails all of them alike.
   *
   * Rejects with `signal.reason` as soon as `signal` aborts; the others wait on.
   */
  read(key: string, signal: AbortSignal, read: Read<Answer>): Promise<Answer> {
    const next = this.#next.get(key);
    if (next && !next.isAbandoned) return next.join(signal);
    const shared = new SharedRead(read);
    const joined = shared.join(signal);
    const before = this.#begun.get(key);
    if (before) {
      this.#next.set(key, shared);
      void this.#endOf(before).then(() => this.#begin(key, shared));
    } else {
      this.#begin(key, shared);
    }
    return joined;
  }

  #begin(key: string, shared: SharedRead<Answer>): void {
    if (this.#next.get(key) === shared) this.#next.delete(key);
    if (shared.isAbandoned) return;
    const end = shared.begin().finally(() => {
      if (this.#begun.get(key) === end) this.#begun.delete(key);
    });
    this.#begun.set(key, end);
  }

  /** Resolves when the read has ended, or has taken too long. */
  async #endOf(read: Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<void>();
    using _timer = this.#clock.schedule(MAX_WAIT_MS, late.resolve);
    await Promise.race([read, late.promise]);
  }
}

/** One read, and those who wait for it. */
class SharedRead<Answer> {
  readonly #read: Read<Answer>;
  readonly #answer = Promise.withResolvers<Answer>();
  readonly #abandoned = new AbortController();
  #readers = 0;

  constructor(read: Read<Answer>) {
    this.#read = read;
  }

  /** Whether all who waited have gone: it is ended, or will not begin. */
  get isAbandoned(): boolean {
    return this.#abandoned.signal.aborted;
  }

  async join(signal: AbortSignal): Promise<Answer> {
    this.#readers += 1;
    try {
      return await untilAborted(this.#answer.promise, signal);
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0 && signal.aborted) this.#abandoned.abort(signal.reason);
    }
  }

  /** Resolves when it has ended, however it has. */
  async begin(): Promise<void> {
    try {
      this.#answer.resolve(await this.#read(this.#abandoned.signal));
    } catch (error) {
      this.#answer.reject(error);
    }
  }
}
