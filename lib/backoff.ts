/** Exponential backoff with jitter. */
export interface BackoffPolicy {
  /** Delay after the first failure, in milliseconds. */
  readonly initialMs: number;
  /** Factor from one delay to the next; at least 1. */
  readonly coefficient: number;
  /** Upper bound of a delay before jitter, in milliseconds. */
  readonly maximumMs: number;
}

/** The delay after failure number `attempt` (from 1): capped, then times a factor from 0.8 to 1.2 chosen by `random` (0 to 1). */
export function backoffMs(
  { initialMs, coefficient, maximumMs }: BackoffPolicy,
  attempt: number,
  random: number,
): number {
  return Math.min(initialMs * coefficient ** (attempt - 1), maximumMs) * (0.8 + 0.4 * random);
}
