/** Pages of a list of tasks, bounded in tasks and in bytes; others have their turn while a large one is told. */
import { nextTurn } from '../../lib/nextTurn.ts';
import type { PageCursor } from '../../schema/pageCursor.ts';
import type { TaskEngine, TaskFilter, TaskRow } from '../../subgraph/index.ts';
import { MAX_ANSWER_BYTES, sizeOf } from './answerSize.ts';
import type { WireTask } from './wire.ts';

/** Tasks that are told without a pause for others: each may be large. */
const TASKS_PER_TURN = 8;

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
  // One statement: a task that changes meanwhile moves to the front, and would be passed over by a second one.
  const rows = await engine.list({
    ...filter,
    // One more than the page may have says whether there are more.
    limit: pageSize + 1,
    order: 'UPDATED_AT_DESC',
    ...(query.after && { after: query.after }),
  });
  const tasks: WireTask[] = [];
  let { after } = query;
  let size = 0;
  for (const row of rows.slice(0, pageSize)) {
    const task = await tell(row);
    size += sizeOf(task);
    if (size > MAX_ANSWER_BYTES && tasks.length > 0) return { tasks, next: after };
    tasks.push(task);
    after = { value: row.updatedAtMs, id: row.id };
    if (tasks.length % TASKS_PER_TURN === 0) await nextTurn();
  }
  return { tasks, next: rows.length > pageSize ? after : undefined };
}
