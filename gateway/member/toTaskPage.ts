/** A page of the tasks that a member of another make lists whole (design § 3 "Pages"): pure. */
import { badUserInput } from '../../schema/errors.ts';
import type {
  TaskFilter,
  TaskLifecycle,
  TaskOrder,
  TaskState,
  TaskSubState,
} from '../../schema/generated/resolvers.ts';
import { formatPageCursor, type PageCursor, parsePageCursor } from '../../schema/pageCursor.ts';

const MAX_PAGE = 1000;
/** Longest accepted search text, in characters. */
const MAX_SEARCH_LENGTH = 200;

/** Arguments of the field `tasks`. */
export interface TaskPageArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly filter?: TaskFilter | null;
  readonly orderBy?: TaskOrder | null;
}

export interface TaskPage<Row> {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** What pages go by. */
export interface TaskFacts {
  readonly ref: string;
  readonly id: string;
  readonly state: TaskState;
  readonly subState: TaskSubState | null;
  readonly lifecycle: TaskLifecycle;
  readonly participantIds: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** What a search looks through. */
  readonly texts: readonly string[];
}

/** @throws {FlotillaError} BAD_USER_INPUT for a page, a cursor or a search text that is none. */
export function toTaskPage<Row>(
  rows: readonly Row[],
  { first, after, filter, orderBy }: TaskPageArguments,
  factsOf: (row: Row) => TaskFacts,
): TaskPage<Row> {
  const size = first ?? 50;
  if (size < 0 || size > MAX_PAGE) {
    throw badUserInput(`Cannot read page: "first" is ${size}, 0 to ${MAX_PAGE} is expected`);
  }
  const order = orderBy ?? 'CREATED_AT_DESC';
  const direction = order.endsWith('_DESC') ? -1 : 1;
  const position = after ? parsePageCursor(after) : undefined;
  const matches = buildMatch(filter);
  const found = rows
    .map((row) => ({ row, facts: factsOf(row) }))
    .filter(({ facts }) => matches(facts))
    .map(({ row, facts }) => ({ row, at: { value: orderValue(facts, order), id: facts.id } }))
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

function orderValue({ ref, createdAtMs, updatedAtMs }: TaskFacts, order: TaskOrder): string | number {
  if (order.startsWith('CREATED_AT')) return createdAtMs;
  return order.startsWith('UPDATED_AT') ? updatedAtMs : ref;
}

function compare(one: PageCursor, other: PageCursor): number {
  return compareValues(one.value, other.value) || compareValues(one.id, other.id);
}

function compareValues(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function buildMatch(filter: TaskFilter | null | undefined): (facts: TaskFacts) => boolean {
  const { states, subStates, lifecycles, participant, text } = filter ?? {};
  if (typeof text === 'string' && (text === '' || text.length > MAX_SEARCH_LENGTH)) {
    throw badUserInput(
      `Cannot read tasks: "text" has ${text.length} characters, 1 to ${MAX_SEARCH_LENGTH} are expected`,
    );
  }
  const part = text?.toLowerCase();
  return (facts) =>
    (states?.includes(facts.state) ?? true) &&
    (subStates?.some((subState) => subState === facts.subState) ?? true) &&
    (lifecycles?.includes(facts.lifecycle) ?? true) &&
    (!participant || facts.participantIds.includes(participant)) &&
    isWithin(facts.createdAtMs, filter?.createdSince, filter?.createdBefore) &&
    isWithin(facts.updatedAtMs, filter?.updatedSince, filter?.updatedBefore) &&
    (part === undefined || facts.texts.join('\n').toLowerCase().includes(part));
}

/** At or after `since` and before `before`; one that is absent is no bound. */
function isWithin(ms: number, since: string | null | undefined, before: string | null | undefined): boolean {
  return (!since || ms >= Date.parse(since)) && (!before || ms < Date.parse(before));
}
