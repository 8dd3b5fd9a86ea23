/** Every row of a list, page by page: for what a view without pages shows. */
import type { TaskEngine, TaskListQuery, TaskRow } from './TaskEngine.ts';

const PAGE = 1_000;

export type RowFilter = Omit<TaskListQuery, 'limit' | 'after' | 'order'>;

/** The oldest task first. */
export async function readAllRows(
  engine: Pick<TaskEngine, 'list'>,
  filter: RowFilter = {},
): Promise<readonly TaskRow[]> {
  const rows: TaskRow[] = [];
  for (let after: TaskListQuery['after']; ; ) {
    const page = await engine.list({ ...filter, limit: PAGE, order: 'CREATED_AT_ASC', after });
    rows.push(...page);
    const last = page.at(-1);
    if (page.length < PAGE || !last) return rows;
    after = { value: last.createdAtMs, id: last.id };
  }
}
