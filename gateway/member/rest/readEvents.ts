/**
 * The event log of a member of the contract (spec/rest-shapes.md § 6, spec/manager.md § 14.3).
 *
 * The contract's read of the newest records tells no positions: such rows have the position 0, which is before the first. What
 * comes after a position is read from the replay of a stream.
 */
import { matchesGlob } from '../../../lib/matchesGlob.ts';
import { badUserInput, notSupported } from '../../../schema/errors.ts';
import { EVENT_LEVELS } from '../../../schema/events.ts';
import type { EventFilter } from '../../../schema/generated/resolvers.ts';
import type { TargetQuery } from '../formatTarget.ts';
import type { MemberEvent } from '../Member.ts';
import type { RestContext } from './RestContext.ts';
import { toLogEvent } from './readFrame.ts';

const MAX_PAGE = 1000;

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

/**
 * @throws {FlotillaError} BAD_USER_INPUT for a page or a cursor that is none; NOT_SUPPORTED for what lies further back than the
 * member replays.
 */
export async function readEvents(args: EventPageArguments, context: RestContext): Promise<EventPage> {
  const { first, last, after, filter } = args;
  const isForward = typeof first === 'number';
  const size = pageSize(first ?? last ?? 50);
  const position = parsePosition(after);
  if (position === 0) {
    const rows = await readNewest(isForward ? size + 1 : size, filter, context);
    // A log that fits into one page needs no positions.
    if (!isForward || rows.length <= size) return toPage(rows, false);
  }
  // The replay is bounded by itself; how much of it matches is seen only here.
  const limit = filter || !isForward ? Number.MAX_SAFE_INTEGER : size;
  const replay = await context.replay(position, limit);
  if (!replay) {
    throw notSupported('events', 'the position is further back than the member replays its log');
  }
  const matching = replay.events.filter(buildMatch(filter));
  const rows = isForward ? matching.slice(0, size) : matching.slice(Math.max(0, matching.length - size));
  return toPage(rows, isForward && (replay.hasMore || rows.length < matching.length));
}

async function readNewest(
  limit: number,
  filter: EventFilter | null | undefined,
  { calls }: RestContext,
): Promise<readonly MemberEvent[]> {
  // For the contract no rows are all rows.
  if (limit === 0) return [];
  const rows = await calls.readList('/api/v1/events', { ...toQuery(filter), limit });
  return rows.map((row) => toLogEvent(row, 0)).filter((event) => event !== undefined);
}

function toQuery(filter: EventFilter | null | undefined): TargetQuery {
  const { types, ref, level, source, since } = filter ?? {};
  return { type: types ?? [], workItem: ref, level: level?.toLowerCase(), source, since };
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

function toPage(nodes: readonly MemberEvent[], hasNextPage: boolean): EventPage {
  const edges = nodes.map((node) => ({ cursor: String(node.offset), node }));
  const [startCursor, endCursor] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
  return { edges, nodes, pageInfo: { hasNextPage, startCursor, endCursor } };
}

function pageSize(size: number): number {
  if (size >= 0 && size <= MAX_PAGE) return size;
  throw badUserInput(`Cannot read events: the page has ${size} rows, 0 to ${MAX_PAGE} are expected`);
}

function parsePosition(after: string | null | undefined): number {
  const text = after || '0';
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw badUserInput(
    'Cannot read events: "after" is not a cursor of this log, a position in digits is expected',
  );
}
