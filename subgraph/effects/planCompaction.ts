/** Which entries of a history a summary takes the place of (spec/worker.md § 3.5). Pure. */
import type { HistoryEntry, TaskState } from '../task/index.ts';

/** The entries that the model still reads one by one. */
export function livingEntries({
  history,
  compactedThroughId = 0,
}: Pick<TaskState, 'history' | 'compactedThroughId'>): readonly HistoryEntry[] {
  return compactedThroughId === 0 ? history : history.filter(({ id }) => id > compactedThroughId);
}

/**
 * The oldest half of them, at least one; the cut moves on until no call is parted from its result. Empty only when there
 * is no entry, or nothing but a call that has no result yet.
 */
export function planCompaction(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const open = new Set<string>();
  const half = Math.max(1, Math.floor(entries.length / 2));
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'toolCall') open.add(entry.callId);
    if (entry.kind === 'toolResult') open.delete(entry.callId);
    if (index + 1 >= half && open.size === 0) return entries.slice(0, index + 1);
  }
  return [];
}
