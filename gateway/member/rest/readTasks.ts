/** The list of work items, which the contract gives whole, as a page of tasks (design § 3 "Pages"). */
import { badUserInput } from '../../../schema/errors.ts';
import type { TaskFilter, TaskOrder } from '../../../schema/generated/resolvers.ts';
import { formatPageCursor, type PageCursor, parsePageCursor } from '../../../schema/pageCursor.ts';
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

const MAX_PAGE = 1000;
/** Longest accepted search text, in characters. */
const MAX_SEARCH_LENGTH = 200;

export interface TaskPageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly filter?: TaskFilter | null;
  readonly orderBy?: TaskOrder | null;
}

export interface TaskPage {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

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
export function toTaskPage(
  rows: readonly Row[],
  { first, after, filter, orderBy }: TaskPageArguments,
): TaskPage {
  const size = first ?? 50;
  if (size < 0 || size > MAX_PAGE) {
    throw badUserInput(`Cannot read page: "first" is ${size}, 0 to ${MAX_PAGE} is expected`);
  }
  const order = orderBy ?? 'CREATED_AT_DESC';
  const direction = order.endsWith('_DESC') ? -1 : 1;
  const position = after ? parsePageCursor(after) : undefined;
  const found = rows
    .filter((row) => typeof row.ref === 'string')
    .filter(buildMatch(filter))
    .map((row) => ({ row, at: { value: orderValue(row, order), id: taskId(row) } }))
    .sort((one, other) => direction * compare(one.at, other.at))
    .filter(({ at }) => position === undefined || direction * compare(at, position) > 0);
  const edges = found.slice(0, size).map(({ row, at }) => ({ cursor: formatPageCursor(at), node: row }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: found.length > size,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function orderValue(row: Row, order: TaskOrder): string | number {
  if (order.startsWith('CREATED_AT')) return createdAtMs(row);
  return order.startsWith('UPDATED_AT') ? updatedAtMs(row) : String(row.ref);
}

function compare(one: PageCursor, other: PageCursor): number {
  return compareValues(one.value, other.value) || compareValues(one.id, other.id);
}

function compareValues(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function buildMatch(filter: TaskFilter | null | undefined): (row: Row) => boolean {
  const { states, subStates, lifecycles, participant, text } = filter ?? {};
  if (typeof text === 'string' && (text === '' || text.length > MAX_SEARCH_LENGTH)) {
    throw badUserInput(
      `Cannot read tasks: "text" has ${text.length} characters, 1 to ${MAX_SEARCH_LENGTH} are expected`,
    );
  }
  const part = text?.toLowerCase();
  return (row) =>
    (states?.includes(taskState(row)) ?? true) &&
    (subStates?.some((subState) => subState === taskSubState(row)) ?? true) &&
    (lifecycles?.includes(TASK_LIFECYCLE) ?? true) &&
    (!participant || participantsOf(row).some(({ id }) => id === participant)) &&
    isWithin(createdAtMs(row), filter?.createdSince, filter?.createdBefore) &&
    isWithin(updatedAtMs(row), filter?.updatedSince, filter?.updatedBefore) &&
    (part === undefined || `${taskName(row)}\n${row.ref}`.toLowerCase().includes(part));
}

/** At or after `since` and before `before`; one that is absent is no bound. */
function isWithin(ms: number, since: string | null | undefined, before: string | null | undefined): boolean {
  return (!since || ms >= Date.parse(since)) && (!before || ms < Date.parse(before));
}
