/** Waits for what will be so: as long as a busy machine may need, and no longer than it takes. */
import { vi } from 'vitest';

/** In milliseconds. */
const WAIT_MS = 20_000;
const INTERVAL_MS = 25;
/** Looks between which nothing may have changed. */
const STILL_LOOKS = 10;

/** Asks again and again until `assertion` does not throw, and gives what it returns; the last error says what was missing. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: WAIT_MS, interval: INTERVAL_MS });
}

/**
 * The count at which something that has begun stands still. One look after another does not tell: where the event loop was held up, two of
 * them follow each other at once.
 */
export function standsStill(count: () => number): Promise<number> {
  let seen = 0;
  let looks = 0;
  return eventually(() => {
    const now = count();
    looks = now > 0 && now === seen ? looks + 1 : 0;
    seen = now;
    if (looks < STILL_LOOKS) throw new Error(`It was at ${now} for ${looks} of ${STILL_LOOKS} looks`);
    return now;
  });
}
