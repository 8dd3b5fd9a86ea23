/**
 * When tasks were seen first: the protocol tells when a task has changed, not when it was created.
 *
 * It is the earliest time of a status that was seen of a task, of the 10,000 tasks that were seen last, for as long as the manager
 * runs. So a task keeps its place in a list while it changes.
 */
import { LRUCache } from 'lru-cache';
import { MAX_TASKS } from './collectTasks.ts';
import type { RemoteTask } from './readRemoteTask.ts';

export class FirstSeen {
  readonly #atMs = new LRUCache<string, number>({ max: MAX_TASKS });

  /** Epoch milliseconds; 0 for a task of which no time is told. */
  of({ id, statusAtMs }: Pick<RemoteTask, 'id' | 'statusAtMs'>): number {
    const known = this.#atMs.get(id);
    if (statusAtMs === undefined) return known ?? 0;
    const atMs = Math.min(known ?? statusAtMs, statusAtMs);
    this.#atMs.set(id, atMs);
    return atMs;
  }
}
