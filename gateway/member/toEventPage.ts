/** A page of a member's event log, for adapters that hold the log's events themselves: pure. */
import { matchesGlob } from '../../lib/matchesGlob.ts';
import { badUserInput } from '../../schema/errors.ts';
import { EVENT_LEVELS } from '../../schema/events.ts';
import type { EventFilter } from '../../schema/generated/resolvers.ts';
import type { MemberEvent } from './Member.ts';

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 50;

/** Of the root field `events`. */
export interface EventPageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly filter?: EventFilter | null;
}

export interface EventPage {
  readonly edges: readonly { readonly cursor: string; readonly node: MemberEvent }[];
  readonly nodes: readonly MemberEvent[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Which events a page has. */
export interface EventRange {
  /** Whether the oldest of them are kept, not the newest. */
  readonly isForward: boolean;
  readonly size: number;
  /** Only events after it. */
  readonly position: number;
}

/** @throws {FlotillaError} BAD_USER_INPUT for a page or a cursor that is none. */
export function parseEventRange({ first, last, after }: EventPageArguments): EventRange {
  const size = first ?? last ?? DEFAULT_PAGE;
  if (size < 0 || size > MAX_PAGE) {
    throw badUserInput(`Cannot read events: the page has ${size} rows, 0 to ${MAX_PAGE} are expected`);
  }
  return { isForward: typeof first === 'number', size, position: parsePosition(after) };
}

/**
 * The page of events after the range's position, which are given oldest first.
 *
 * @param hasMore whether there are newer ones that were not given. @default false
 */
export function toEventPage(
  events: readonly MemberEvent[],
  { isForward, size }: EventRange,
  {
    filter,
    hasMore = false,
  }: { readonly filter?: EventFilter | null | undefined; readonly hasMore?: boolean },
): EventPage {
  const matching = events.filter(buildMatch(filter));
  const nodes = isForward ? matching.slice(0, size) : matching.slice(Math.max(0, matching.length - size));
  const edges = nodes.map((node) => ({ cursor: String(node.offset), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: isForward && (hasMore || nodes.length < matching.length),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function parsePosition(after: string | null | undefined): number {
  const text = after || '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badUserInput(
    'Cannot read events: "after" is not a cursor of this log, a position in digits is expected',
  );
}

function buildMatch(filter: EventFilter | null | undefined): (event: MemberEvent) => boolean {
  const { types, ref, level, source, since } = filter ?? {};
  return (event) =>
    (types?.some((glob) => matchesGlob(glob, event.type)) ?? true) &&
    (!ref || event.ref === ref) &&
    (!level || rankOf(event.level) >= rankOf(level)) &&
    (!source || event.source === source) &&
    (!since || Date.parse(event.at) >= Date.parse(since));
}

function rankOf(level: string): number {
  return (EVENT_LEVELS as readonly string[]).indexOf(level);
}
