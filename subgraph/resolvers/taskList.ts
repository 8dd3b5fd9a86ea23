/** The list of tasks: what a filter and a cursor ask of the engine. Pure. */
import { badUserInput } from '../../schema/errors.ts';
import type { TaskFilter } from '../../schema/generated/resolvers.ts';
import { formatPageCursor, parsePageCursor } from '../../schema/pageCursor.ts';
import type { TaskListQuery, TaskOrder, TaskRow, TimeRange } from '../engine/TaskEngine.ts';

/** Longest accepted search text, in characters. */
const MAX_SEARCH_LENGTH = 200;

/** @throws {FlotillaError} BAD_USER_INPUT for a cursor or a search text that is none. */
export function toListQuery(
  after: string | null | undefined,
  filter: TaskFilter | null | undefined,
): Omit<TaskListQuery, 'limit' | 'order'> {
  const { states, subStates, lifecycles, participant, text } = filter ?? {};
  if (typeof text === 'string' && (text === '' || text.length > MAX_SEARCH_LENGTH)) {
    throw badUserInput(
      `Cannot read tasks: "text" has ${text.length} characters, 1 to ${MAX_SEARCH_LENGTH} are expected`,
    );
  }
  return {
    ...(after && { after: parsePageCursor(after) }),
    ...(states && { states }),
    ...(subStates && { subStates }),
    ...(lifecycles && { lifecycles }),
    ...(typeof participant === 'string' && { participant }),
    created: toRange(filter?.createdSince, filter?.createdBefore),
    updated: toRange(filter?.updatedSince, filter?.updatedBefore),
    ...(text && { text }),
  };
}

/** The reader's position after the row. */
export function toListCursor(row: TaskRow, order: TaskOrder): string {
  return formatPageCursor({ value: orderValue(row, order), id: row.id });
}

function toRange(since: string | null | undefined, before: string | null | undefined): TimeRange {
  return {
    ...(since && { sinceMs: Date.parse(since) }),
    ...(before && { beforeMs: Date.parse(before) }),
  };
}

function orderValue(row: TaskRow, order: TaskOrder): string | number {
  switch (order) {
    case 'CREATED_AT_ASC':
    case 'CREATED_AT_DESC':
      return row.createdAtMs;
    case 'UPDATED_AT_ASC':
    case 'UPDATED_AT_DESC':
      return row.updatedAtMs;
    case 'REF_ASC':
      return row.ref;
  }
}
