/**
 * The part of an upstream that a member has to be asked anew for: which transcripts are watched. When that changes, the connection
 * makes room for one that is asked for the others, at most once a second, however often it changes.
 */
import type { Clock } from '../../lib/Clock.ts';
import { MAX_WATCHED_TRANSCRIPTS } from '../../schema/watchedTranscripts.ts';

/** Least age of a connection that is ended for the next one, in milliseconds. */
const MIN_AGE_MS = 1000;

export interface RenewableConnection {
  /** Refs, at most 64. */
  readonly asked: ReadonlySet<string>;
  /** Aborts when the connection has to make room. */
  readonly signal: AbortSignal;
}

interface Open extends RenewableConnection {
  readonly controller: AbortController;
  readonly sinceMs: number;
}

export class ConnectionRenewal {
  readonly #clock: Clock;
  #wanted: ReadonlySet<string> = new Set();
  #open: Open | undefined;
  #timer: Disposable | undefined;
  #pending: PromiseWithResolvers<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the next connection has begun, or is given up; undefined while none has to make room. */
  get pending(): Promise<void> | undefined {
    return this.#pending?.promise;
  }

  /** From now on these refs, and of more than 64 the first. Without `isAsking` the connection stays, whatever it was asked for. */
  want(refs: ReadonlySet<string>, { isAsking }: { readonly isAsking: boolean }): void {
    this.#wanted = isAsking ? new Set([...refs].slice(0, MAX_WATCHED_TRANSCRIPTS)) : new Set();
    if (isAsking) this.#renew();
  }

  /** A connection begins now. */
  begin(): RenewableConnection {
    this.giveUp();
    const controller = new AbortController();
    const { signal } = controller;
    this.#open = { controller, signal, asked: this.#wanted, sinceMs: this.#clock.monotonicMs() };
    return this.#open;
  }

  /** Whether the connection that is open was asked for the ref. */
  isAsked(ref: string): boolean {
    return this.#open?.asked.has(ref) ?? false;
  }

  /** Whether the connection was the newest: a member that was away for a moment may have its next one already. */
  end(connection: RenewableConnection): boolean {
    if (this.#open !== connection) return false;
    this.#open = undefined;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    return true;
  }

  /** Nobody has to wait for the next connection any more. */
  giveUp(): void {
    this.#pending?.resolve();
    this.#pending = undefined;
  }

  #renew(): void {
    if (!this.#open || this.#timer || isSame(this.#open.asked, this.#wanted)) return;
    const dueInMs = this.#open.sinceMs + MIN_AGE_MS - this.#clock.monotonicMs();
    if (dueInMs > 0) {
      this.#timer = this.#clock.schedule(dueInMs, () => {
        this.#timer = undefined;
        this.#renew();
      });
      return;
    }
    this.#pending ??= Promise.withResolvers();
    this.#open.controller.abort(new DOMException('Other transcripts are watched', 'AbortError'));
  }
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.isSubsetOf(other);
}
