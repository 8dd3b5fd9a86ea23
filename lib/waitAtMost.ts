/** A wait that ends with its time, while what was waited for goes on. */
import type { Clock } from './Clock.ts';

/** Resolves when the work has ended, or after `timeoutMs`, whichever is first; rejects as the work does before that. */
export async function waitAtMost(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<void> {
  const time = Promise.withResolvers<void>();
  using _timer = clock.schedule(timeoutMs, time.resolve);
  await Promise.race([work, time.promise]);
}
