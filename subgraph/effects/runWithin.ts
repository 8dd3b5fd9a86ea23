/** Runs work under a deadline that holds even when the work does not watch its signal. */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';

export interface RunLimits {
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Ends the work early. */
  readonly signal: AbortSignal;
}

/**
 * Rejects with `DeadlineExceeded` when the time is over and with `signal.reason` when the signal aborts; what the work
 * does after that is not waited for.
 */
export async function runWithin<Value>(
  { clock, timeoutMs, signal: parent }: RunLimits,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  parent.throwIfAborted();
  using deadline = new Deadline(clock, timeoutMs, parent);
  const { signal } = deadline;
  const ended = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => ended.reject(signal.reason), { once: true });
  return await Promise.race([(async () => work(signal))(), ended.promise]);
}
