/** Runs work under a deadline that holds even when the work does not watch its signal. */
import type { Clock } from './Clock.ts';
import { Deadline } from './Deadline.ts';
import { untilAborted } from './untilAborted.ts';

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
  { clock, timeoutMs, signal }: RunLimits,
  work: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  using deadline = new Deadline(clock, timeoutMs, signal);
  return await untilAborted((async () => work(deadline.signal))(), deadline.signal);
}
