/**
 * The task list as a value, and what each answer or event makes of it.
 *
 * Rows keep their place while they are read: a live change replaces a row where it stands, and tasks that are not in
 * the list wait in `arrived` until the reader asks for them.
 */
import type { TaskListQuery, TaskRowFragment } from '../../gql/graphql.ts';
import type { MissingMember } from '../../transport/problem.ts';
import { type ListFilter, matches, NO_FILTER } from './filter.ts';
import { byActivity, isNewer, newestOfEach, rowKey } from './rows.ts';

/** Above this many waiting tasks the list is read again instead of joined. */
export const MAX_ARRIVED = 200;

export interface TaskListState {
  /** `failed`: the newest answer was an error; rows of an earlier answer may still be there. */
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly filter: ListFilter;
  readonly rows: readonly TaskRowFragment[];
  /** Tasks under the filter that are not in `rows`; at most `MAX_ARRIVED`, newest arrivals last. */
  readonly arrived: readonly TaskRowFragment[];
  /** Tasks arrived that `arrived` has no room for. */
  readonly isArrivedFull: boolean;
  readonly endCursor: string | undefined;
  readonly hasNextPage: boolean;
  readonly isLoadingMore: boolean;
  readonly missing: readonly MissingMember[];
  /** Of the newest answer: a failure, or errors beside the rows. */
  readonly problem: string | undefined;
}

export interface TaskPage {
  readonly rows: readonly TaskRowFragment[];
  readonly endCursor: string | undefined;
  readonly hasNextPage: boolean;
  readonly missing: readonly MissingMember[];
  readonly problem: string | undefined;
}

export type TaskListResult =
  /** Another filter was chosen; of the rows those that match stay until its first page is there. */
  | { readonly kind: 'filtered'; readonly filter: ListFilter }
  | { readonly kind: 'reloading' }
  | { readonly kind: 'loadingMore' }
  /** Replaces the list. */
  | { readonly kind: 'firstPage'; readonly page: TaskPage }
  | { readonly kind: 'nextPage'; readonly page: TaskPage }
  /** The first rows read once more, because events were missed; nothing moves. */
  | { readonly kind: 'refreshed'; readonly page: TaskPage }
  | { readonly kind: 'failed'; readonly problem: string }
  /** A live event brought a snapshot. */
  | { readonly kind: 'changed'; readonly row: TaskRowFragment }
  /** The reader has started the task: it does not wait. */
  | { readonly kind: 'created'; readonly row: TaskRowFragment }
  /** The reader asked for what has arrived. */
  | { readonly kind: 'shown' };

export const INITIAL_TASK_LIST: TaskListState = {
  phase: 'loading',
  filter: NO_FILTER,
  rows: [],
  arrived: [],
  isArrivedFull: false,
  endCursor: undefined,
  hasNextPage: false,
  isLoadingMore: false,
  missing: [],
  problem: undefined,
};

export function nextState(previous: TaskListState, result: TaskListResult): TaskListState {
  switch (result.kind) {
    case 'filtered':
      return {
        ...INITIAL_TASK_LIST,
        filter: result.filter,
        rows: previous.rows.filter((row) => matches(row, result.filter)),
      };
    case 'reloading':
      return { ...previous, phase: 'loading' };
    case 'loadingMore':
      return { ...previous, isLoadingMore: true };
    case 'firstPage': {
      const rows = withNewest(result.page.rows, [...previous.rows, ...previous.arrived]);
      const page = withPage(previous, result.page);
      return { ...page, isArrivedFull: false, rows, arrived: above(previous.arrived, rows, result.page) };
    }
    case 'nextPage': {
      const next = withNewest(result.page.rows, previous.arrived);
      const rows = newestOfEach([...previous.rows, ...next]);
      return { ...withPage(previous, result.page), rows, arrived: absent(previous.arrived, rows) };
    }
    case 'refreshed': {
      const { missing, problem, hasNextPage, endCursor } = result.page;
      // A list that had ended goes on where this answer ends: a member that was away may have brought more.
      const end = previous.hasNextPage ? {} : { hasNextPage, endCursor };
      return result.page.rows.reduce(withChange, { ...previous, ...end, phase: 'ready', missing, problem });
    }
    case 'failed':
      return { ...previous, phase: 'failed', problem: result.problem, isLoadingMore: false };
    case 'changed':
      return withChange(previous, result.row);
    case 'created': {
      const row = withNewest([result.row], [...previous.rows, ...previous.arrived]);
      const rows = newestOfEach([...row, ...previous.rows]);
      return { ...previous, rows, arrived: absent(previous.arrived, rows) };
    }
    case 'shown':
      return { ...previous, rows: byActivity([...previous.rows, ...previous.arrived]), arrived: [] };
  }
}

/** Reads the connection of an answer. */
export function toTaskPage(
  { nodes, pageInfo }: TaskListQuery['tasks'],
  { missing, problem }: Pick<TaskPage, 'missing' | 'problem'>,
): TaskPage {
  const { hasNextPage, endCursor } = pageInfo;
  return { rows: nodes, hasNextPage, endCursor: endCursor ?? undefined, missing, problem };
}

function withPage(
  previous: TaskListState,
  { endCursor, hasNextPage, missing, problem }: TaskPage,
): TaskListState {
  return { ...previous, phase: 'ready', isLoadingMore: false, endCursor, hasNextPage, missing, problem };
}

/** A page may be older than what the stream has brought meanwhile. */
function withNewest(
  rows: readonly TaskRowFragment[],
  known: readonly TaskRowFragment[],
): readonly TaskRowFragment[] {
  const byKey = new Map(known.map((row) => [rowKey(row), row]));
  return newestOfEach(rows).map((row) => {
    const held = byKey.get(rowKey(row));
    return held && isNewer(held, row) ? held : row;
  });
}

function absent(
  arrived: readonly TaskRowFragment[],
  rows: readonly TaskRowFragment[],
): readonly TaskRowFragment[] {
  const shown = new Set(rows.map(rowKey));
  return arrived.filter((row) => !shown.has(rowKey(row)));
}

/** Of what has arrived, what belongs above the end of the first page; the rest is on a later page. */
function above(
  arrived: readonly TaskRowFragment[],
  rows: readonly TaskRowFragment[],
  { hasNextPage }: TaskPage,
): readonly TaskRowFragment[] {
  const last = rows.at(-1);
  const others = absent(arrived, rows);
  return hasNextPage && last ? others.filter(({ updatedAt }) => updatedAt >= last.updatedAt) : others;
}

function withChange(previous: TaskListState, row: TaskRowFragment): TaskListState {
  const key = rowKey(row);
  const place = previous.rows.findIndex((held) => rowKey(held) === key);
  if (place >= 0) {
    if (!isNewer(row, previous.rows[place]!)) return previous;
    return { ...previous, rows: previous.rows.with(place, row) };
  }
  const waiting = previous.arrived.find((held) => rowKey(held) === key);
  if (waiting && !isNewer(row, waiting)) return previous;
  const others = previous.arrived.filter((held) => held !== waiting);
  if (!matches(row, previous.filter)) return waiting ? { ...previous, arrived: others } : previous;
  if (others.length >= MAX_ARRIVED) return { ...previous, isArrivedFull: true };
  return { ...previous, arrived: [...others, row] };
}
