/** Time where the client runs: also in a browser, and a wait for a stream to come back keeps a process alive. */
import type { Clock } from '../lib/Clock.ts';

export const clientClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
