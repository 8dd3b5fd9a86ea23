/** Rows of tasks: which is which, which is newer, and in which order. */
import type { TaskRowFragment } from '../../gql/graphql.ts';

/** The same ref on two instances is two rows (spec/manager.md § 20.3). */
export function rowKey({ instance, ref }: { readonly instance: string; readonly ref: string }): string {
  return instance === '' ? ref : `${instance}@${ref}`;
}

/**
 * Whether `next` may take the place of `held`, of the same key.
 *
 * A ref can be used again once its task has ended: then the task that was created later is the newer one. Members of
 * another make may not count versions, so equal versions are told apart by their time.
 */
export function isNewer(next: TaskRowFragment, held: TaskRowFragment): boolean {
  if (next.id !== held.id) return next.createdAt > held.createdAt;
  if (next.version !== held.version) return next.version > held.version;
  return next.updatedAt > held.updatedAt;
}

/** One row per key, the newest of each, in the order of first appearance. */
export function newestOfEach(rows: readonly TaskRowFragment[]): readonly TaskRowFragment[] {
  const byKey = new Map<string, TaskRowFragment>();
  for (const row of rows) {
    const held = byKey.get(rowKey(row));
    if (held === undefined || isNewer(row, held)) byKey.set(rowKey(row), row);
  }
  return [...byKey.values()];
}

/** Newest activity first; the order of the server's pages. */
export function byActivity(rows: readonly TaskRowFragment[]): readonly TaskRowFragment[] {
  return rows.toSorted((a, b) => compare(b.updatedAt, a.updatedAt) || compare(rowKey(a), rowKey(b)));
}

export function isByActivity(rows: readonly TaskRowFragment[]): boolean {
  return rows.every((row, index) => index === 0 || row.updatedAt <= rows[index - 1]!.updatedAt);
}

/** What the row says under its name: the open question or the reason first, then the newest reply. */
export function rowSummary({ statusMessage, lastReply, goal, state, subState }: TaskRowFragment): string {
  const isAboutState = state === 'FAILED' || state === 'REJECTED' || subState === 'AWAITING_ANSWER';
  return (isAboutState ? (statusMessage ?? lastReply) : lastReply) ?? goal;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
