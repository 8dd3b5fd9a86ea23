/** How many members are asked at the same time, and who gives way to the others: pure. */

/** For a fleet of up to 128 members (spec/manager.md §§ 5.4, 7), and for one of any size. */
const LEAST = 8;
const MOST = 64;

/** Of a larger fleet so many parts are asked one after the other, until there are more members than `MOST` can be of use to. */
const PARTS = 16;

/**
 * Who has not answered for so long, in milliseconds, gives its place to the next one: its answer is still waited for, but as many
 * members that hang as there are places may not keep everybody else from being asked.
 */
export const SLOW_MS = 1000;

/**
 * Most members that are asked at once, beside those that are slow, each question on a connection of its own. A thousand members that
 * answer within 100 ms, eight at a time, would take longer than clients wait; all of them at once would take the machine that they
 * may share.
 */
export function poolSize(members: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.ceil(members / PARTS)));
}
