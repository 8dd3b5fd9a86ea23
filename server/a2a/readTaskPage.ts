/** Pages of a list of tasks, bounded in tasks and in bytes; others have their turn while a large one is read. */
import { nextTurn } from '../../lib/nextTurn.ts';
import type { PageCursor } from '../../schema/pageCursor.ts';
import type { TaskEngine, TaskFilter, TaskRow } from '../../subgraph/index.ts';
import { MAX_ANSWER_BYTES, sizeOf } from './answerSize.ts';
import type { WireTask } from './wire.ts';

/** Tasks that are read without a pause for others: each may be large. */
const TASKS_AT_ONCE = 8;

export interface TaskPageQuery {
  readonly filter: TaskFilter;
  /** Position of the last task that the reader has. @default none */
  readonly after?: PageCursor | undefined;
  /** Most tasks; at least 1. */
  readonly pageSize: number;
  readonly tell: (task: TaskRow) => Promise<WireTask>;
}

export interface TaskRows {
  readonly tasks: readonly WireTask[];
  /** Position of the last one, when there are more. */
  readonly next: PageCursor | undefined;
}

/** The task that changed last comes first. Ends before the tasks have more than 4 MiB together, behind the first one at the earliest. */
export async function readTaskPage(
  engine: Pick<TaskEngine, 'list'>,
  query: TaskPageQuery,
): Promise<TaskRows> {
  const { filter, pageSize, tell } = query;
  const tasks: WireTask[] = [];
  let { after } = query;
  let size = 0;
  for (;;) {
    // One more than the page may have says whether there are more.
    const limit = Math.min(TASKS_AT_ONCE, pageSize + 1 - tasks.length);
    const rows = await engine.list({ ...filter, limit, order: 'UPDATED_AT_DESC', ...(after && { after }) });
    for (const row of rows) {
      if (tasks.length === pageSize) return { tasks, next: after };
      const task = await tell(row);
      size += sizeOf(task);
      if (size > MAX_ANSWER_BYTES && tasks.length > 0) return { tasks, next: after };
      tasks.push(task);
      after = { value: row.updatedAtMs, id: row.id };
    }
    if (rows.length < limit) return { tasks, next: undefined };
    await nextTurn();
  }
}
