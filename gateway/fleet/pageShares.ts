/**
 * How many rows of one page a large fleet's members are asked for: pure.
 *
 * A page of fifty over a thousand members has, of nearly all of them, no row or one. So each is asked for a few rows first, and
 * those few of which all of these have a place in the page are asked again, for the whole page. What comes of it is exactly
 * the page that whole pages would have made.
 */
import type { PageOrder } from './mergePages.ts';

/** Most members that are asked for whole pages, and so exactly once (spec/manager.md § 23 P6). */
const MAX_WHOLE = 64;
/** How many times its even share a member is asked for, and the least: the more, the fewer are asked twice. */
const SHARES = 4;
const MIN_ROWS = 4;

/** The rows that each of so many members is asked for first. */
export function rowsToAsk({ keep, limit }: PageOrder, members: number): number {
  if (keep === 'last' || members <= MAX_WHOLE) return limit;
  return Math.min(limit, Math.max(MIN_ROWS, SHARES * Math.ceil(limit / members)));
}
