/** How often one address may ask (spec/worker.md § 7.1): a bucket of requests that fills again over a minute. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/Clock.ts';
import { FlotillaError } from '../../schema/errors.ts';

const MINUTE_MS = 60_000;

/** How many addresses are remembered; a forgotten one begins with a full bucket. */
const MAX_ADDRESSES = 10_000;

export interface RateLimit {
  /** Takes one request out of the bucket of the address. Undefined when there was one, else the error and the wait. */
  refusalOf(address: string | undefined): RateRefusal | undefined;
}

export interface RateRefusal {
  readonly error: FlotillaError;
  /** Until the next request is taken; at least 1. */
  readonly retryAfterSeconds: number;
}

export interface RateLimitOptions {
  readonly clock: Clock;
  /** Requests of one address; asked at every request. Undefined: as many as it likes. */
  readonly perMinute: () => number | undefined;
}

/** An address may make `perMinute` requests at once, and then as many as come back to it over a minute. */
export function createRateLimit({ clock, perMinute }: RateLimitOptions): RateLimit {
  const buckets = new LRUCache<string, { left: number; atMs: number }>({ max: MAX_ADDRESSES });

  return {
    refusalOf(address = '') {
      const limit = perMinute();
      if (limit === undefined) return undefined;
      const nowMs = clock.monotonicMs();
      const { left, atMs } = buckets.get(address) ?? { left: limit, atMs: nowMs };
      const refilled = Math.min(limit, left + ((nowMs - atMs) * limit) / MINUTE_MS);
      const isTaken = refilled >= 1;
      buckets.set(address, { left: isTaken ? refilled - 1 : refilled, atMs: nowMs });
      if (isTaken) return undefined;
      return {
        error: new FlotillaError(
          'TOO_MANY_REQUESTS',
          `Cannot take request: this address may make ${limit} a minute and has made more, fewer are expected`,
        ),
        retryAfterSeconds: Math.max(1, Math.ceil(((1 - refilled) * MINUTE_MS) / limit / 1_000)),
      };
    },
  };
}
