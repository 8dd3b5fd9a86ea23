/** A clock that stands still until a test moves it. */
import type { Clock } from '../../lib/Clock.ts';

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

export class FakeClock implements Clock {
  readonly #startMs: number;
  #nowMs: number;
  #timers: Timer[] = [];
  #watchers: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#startMs = startMs;
    this.#nowMs = startMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs;
  }

  schedule(delayMs: number, callback: () => void): Disposable {
    // Whole milliseconds, as a timer of the system has them.
    const timer = { atMs: this.#nowMs + Math.max(0, Math.ceil(delayMs)), callback };
    this.#timers.push(timer);
    this.#watchers = this.#watchers.filter(({ count, resolve }) => {
      if (this.#timers.length < count) return true;
      resolve();
      return false;
    });
    return { [Symbol.dispose]: () => this.#remove(timer) };
  }

  /** Timers that wait. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Milliseconds until each timer that waits, the next one first. */
  get delaysMs(): readonly number[] {
    return this.#timers.map(({ atMs }) => atMs - this.#nowMs).sort((a, b) => a - b);
  }

  /** Resolves as soon as `count` timers wait. */
  waiting(count = 1): Promise<void> {
    if (this.#timers.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ count, resolve }));
  }

  /** Moves the time on and fires what becomes due, in the order of the times; a callback may schedule more. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#nextBefore(untilMs); next; next = this.#nextBefore(untilMs)) {
      this.#remove(next);
      this.#nowMs = next.atMs;
      next.callback();
    }
    this.#nowMs = untilMs;
  }

  #nextBefore(untilMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs <= untilMs && (!first || timer.atMs < first.atMs)) first = timer;
    }
    return first;
  }

  #remove(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }
}
