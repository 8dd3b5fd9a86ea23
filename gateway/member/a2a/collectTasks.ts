/** The tasks of an agent from the pages of its list, within bounds (A2A § 3.1.4). */
import { CallFailed } from '../CallFailed.ts';
import type { RemoteTask } from './readRemoteTask.ts';

/** Most tasks of one agent that are read. */
export const MAX_TASKS = 10_000;
/** Largest list of one agent that is read, in bytes over all of its pages. */
const MAX_LIST_BYTES = 67_108_864;

export interface TaskList {
  /** Each once, with its newest status. */
  readonly tasks: readonly RemoteTask[];
  /** Rows that are no tasks, or whose id has no ref. */
  readonly unusable: number;
}

export interface TaskListPage extends TaskList {
  /** Token of the next page; empty after the last one. */
  readonly next: string;
  readonly byteLength: number;
}

/** @throws {CallFailed} for more than 10,000 tasks or 64 MiB, and for pages that lead nowhere. */
export async function collectTasks(
  readPage: (pageToken: string) => Promise<TaskListPage>,
): Promise<TaskList> {
  const tasks = new Map<string, RemoteTask>();
  let pageToken = '';
  let byteLength = 0;
  let unusable = 0;
  do {
    const page = await readPage(pageToken);
    byteLength += page.byteLength;
    if (byteLength > MAX_LIST_BYTES) throw malformed(`a list of tasks of more than ${MAX_LIST_BYTES} bytes`);
    unusable += page.unusable;
    // A task that changes between two pages may be on both.
    for (const task of page.tasks) if (isNewer(task, tasks.get(task.id))) tasks.set(task.id, task);
    if (page.next === pageToken && pageToken !== '') throw malformed('a page of tasks leads to itself');
    if (tasks.size > MAX_TASKS || (page.next !== '' && tasks.size === MAX_TASKS)) {
      throw malformed(`more than ${MAX_TASKS} tasks`);
    }
    if (page.next !== '' && page.tasks.length === 0) throw malformed('a page without tasks has a next one');
    pageToken = page.next;
  } while (pageToken !== '');
  return { tasks: [...tasks.values()], unusable };
}

/** Of two of one time the one that has ended counts: nothing comes after it. */
function isNewer({ statusAtMs = 0, isEnded }: RemoteTask, known: RemoteTask | undefined): boolean {
  if (!known) return true;
  const knownAtMs = known.statusAtMs ?? 0;
  return statusAtMs > knownAtMs || (statusAtMs === knownAtMs && isEnded && !known.isEnded);
}

function malformed(reason: string): CallFailed {
  return new CallFailed({ kind: 'malformed', reason });
}
