/** One point in time that a whole piece of work must keep, however many steps it has. */
import type { Clock } from './Clock.ts';

/** Aborts its signal with a `DeadlineExceeded` when the time is over, or with the parent's reason when the parent aborts. Dispose it when the work is done. */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #atMs: number;
  readonly #timer: Disposable;
  readonly #forget: () => void;

  constructor(clock: Clock, timeoutMs: number, parent?: AbortSignal) {
    const controller = new AbortController();
    const onParentAbort = (): void => controller.abort(parent?.reason);
    this.#clock = clock;
    this.#atMs = clock.monotonicMs() + timeoutMs;
    this.signal = controller.signal;
    this.#timer = clock.schedule(timeoutMs, () => controller.abort(new DeadlineExceeded(timeoutMs)));
    this.#forget = () => parent?.removeEventListener('abort', onParentAbort);
    if (parent?.aborted) controller.abort(parent.reason);
    else parent?.addEventListener('abort', onParentAbort, { once: true });
  }

  /** Milliseconds left; 0 when the time is over. */
  remainingMs(): number {
    return Math.max(0, this.#atMs - this.#clock.monotonicMs());
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
    this.#forget();
  }
}

/** The reason of a signal whose deadline has passed. */
export class DeadlineExceeded extends Error {
  constructor(timeoutMs: number) {
    super(`Timed out after ${timeoutMs} ms`);
    this.name = 'DeadlineExceeded';
  }
}
