/** Lists that an A2A agent has nothing of, so that they are whole without it. Pure. */

const ABSENT_LISTS: ReadonlySet<string> = new Set([
  'commands',
  'daemons',
  'eventTypes',
  'sessions',
  'standingSessions',
]);

/** @param field the root field of the list. */
export function isAbsentList(field: string): boolean {
  return ABSENT_LISTS.has(field);
}
