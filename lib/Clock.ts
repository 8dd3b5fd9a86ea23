/** Time, injected: nothing but this file and the composition root reads the system's clock or sets a timer. */

export interface Clock {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Milliseconds from an arbitrary start; never goes back. For durations and freshness. */
  monotonicMs(): number;
  /** Calls `callback` once after `delayMs`; the handle's `Symbol.dispose` cancels it. The timer does not keep the process alive. */
  schedule(delayMs: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Epoch milliseconds as the wire's DateTime. */
export function toIsoTime(ms: number): string {
  return new Date(ms).toISOString();
}
