/**
 * The event log of a member of the contract (spec/rest-shapes.md § 6, spec/manager.md § 14.3).
 *
 * The contract's read of the newest records tells no positions: such rows have the position 0, which is before the first. What
 * comes after a position is read from the replay of a stream.
 */
import { notSupported } from '../../../schema/errors.ts';
import type { EventFilter } from '../../../schema/generated/resolvers.ts';
import type { TargetQuery } from '../formatTarget.ts';
import type { MemberEvent } from '../Member.ts';
import { type EventPage, type EventPageArguments, parseEventRange, toEventPage } from '../toEventPage.ts';
import type { RestContext } from './RestContext.ts';
import { toLogEvent } from './readFrame.ts';

/**
 * @throws {FlotillaError} BAD_USER_INPUT for a page or a cursor that is none; NOT_SUPPORTED for what lies further back than the
 * member replays.
 */
export async function readEvents(args: EventPageArguments, context: RestContext): Promise<EventPage> {
  const { filter } = args;
  const range = parseEventRange(args);
  const { isForward, size, position } = range;
  if (position === 0) {
    const rows = await readNewest(isForward ? size + 1 : size, filter, context);
    // A log that fits into one page needs no positions. The member has filtered it.
    if (!isForward || rows.length <= size) return toEventPage(rows, range, {});
  }
  // The replay is bounded by itself; how much of it matches is seen only here.
  const limit = filter || !isForward ? Number.MAX_SAFE_INTEGER : size;
  const replay = await context.replay(position, limit);
  if (!replay) {
    throw notSupported('events', 'the position is further back than the member replays its log');
  }
  return toEventPage(replay.events, range, { filter, hasMore: replay.hasMore });
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
