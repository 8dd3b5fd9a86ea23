/** The list of work items, which the contract gives whole, as a page of tasks (design § 3 "Pages"). */
import {
  type TaskPage as PageOf,
  type TaskFacts,
  type TaskPageArguments,
  toTaskPage as toPage,
} from '../toTaskPage.ts';
import type { Row } from './RestCalls.ts';
import type { RestContext } from './RestContext.ts';
import {
  createdAtMs,
  participantsOf,
  TASK_LIFECYCLE,
  taskId,
  taskName,
  taskState,
  taskSubState,
  toWorkItem,
  updatedAtMs,
} from './taskFields.ts';

export type TaskPage = PageOf<Row>;

/**
 * One request, whatever the page, and one more for a member whose newest probe told a session of a ref without a work item: such a ref
 * is a task, too. @throws {FlotillaError} as `toTaskPage`.
 */
export async function readTasks(args: TaskPageArguments, context: RestContext): Promise<TaskPage> {
  const isAsked = args.filter?.instances?.includes(context.name) ?? true;
  return toTaskPage(isAsked ? await readRows(context) : [], args);
}

async function readRows({ calls, sessionRefs }: RestContext): Promise<readonly Row[]> {
  const items = await calls.readList('/api/v1/work-items');
  const recorded = new Set(items.map(({ ref }) => ref));
  const missing = new Set<unknown>(sessionRefs.filter((ref) => !recorded.has(ref)));
  if (missing.size === 0) return items;
  const sessions = await calls.readList('/api/v1/sessions');
  return [...items, ...sessions.filter(({ ref }) => missing.has(ref)).map(toWorkItem)];
}

/** Pure. @throws {FlotillaError} BAD_USER_INPUT for a page, a cursor or a search text that is none. */
export function toTaskPage(rows: readonly Row[], args: TaskPageArguments): TaskPage {
  const named = rows.filter((row) => typeof row.ref === 'string');
  return toPage(named, args, toFacts);
}

function toFacts(row: Row): TaskFacts {
  const ref = String(row.ref);
  return {
    ref,
    id: taskId(row),
    state: taskState(row),
    subState: taskSubState(row),
    lifecycle: TASK_LIFECYCLE,
    participantIds: participantsOf(row).map(({ id }) => id),
    createdAtMs: createdAtMs(row),
    updatedAtMs: updatedAtMs(row),
    texts: [taskName(row), ref],
  };
}
