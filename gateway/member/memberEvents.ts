/** The event log of a member as GraphQL tells it: the selections, and events from their answers. */
import { parse } from 'graphql';
import { EVENT_LEVELS } from '../../schema/events.ts';
import type {
  Member,
  MemberCallOptions,
  MemberEvent,
  MemberLogPage,
  MemberLogRange,
  MemberRequest,
  MemberResult,
} from './Member.ts';
import { answered, failed } from './memberFailure.ts';
import { asRecord } from './parseMemberJson.ts';

const EVENT_FIELDS = 'offset type at level ref source pid data';

/** Everything in the log after `$after`, as it is appended. */
export const WATCH_EVENTS = `subscription WatchEvents($after: String) { events(after: $after) { ${EVENT_FIELDS} } }`;

// `oldest` is asked last: a log that is cut meanwhile is then seen as cut, and not as having nothing there.
const READ_EVENTS = `query ReadEvents($after: String!, $first: Int!) {
  page: events(first: $first, after: $after) { nodes { ${EVENT_FIELDS} } }
  newest: events(last: 1) { nodes { offset } }
  oldest: events(first: 1) { nodes { offset } }
}`;
const READ_EVENTS_DOCUMENT = parse(READ_EVENTS);

/** The member's kind keeps no log that can be paged, or positions of another kind: asking again is no use. */
const REFUSALS: ReadonlySet<unknown> = new Set(['NOT_SUPPORTED', 'BAD_USER_INPUT']);

/** Reads up to `first` (0 to 1,000) events after a position. A position that the log does not have gives no events and no error. */
export async function readMemberLog(
  member: Member,
  { after, first }: MemberLogRange,
  options: MemberCallOptions,
): Promise<MemberResult<MemberLogPage>> {
  if (member.readLog) return member.readLog({ after, first }, options);
  const request: MemberRequest = {
    text: READ_EVENTS,
    document: READ_EVENTS_DOCUMENT,
    operationName: 'ReadEvents',
    variables: { after: String(after), first },
  };
  const result = await member.execute(request, options);
  if (result.kind === 'failure') return result;
  const { data, errors } = result.answer;
  const refusal = errors.find(({ extensions }) => REFUSALS.has(extensions?.code));
  if (refusal?.extensions?.code === 'BAD_USER_INPUT' && after > 0) return readEnds(member, options);
  if (refusal) {
    return failed({ kind: 'notSupported', reason: 'the member cannot page its log from there' });
  }
  const events = nodesOf(data?.page)?.map(toMemberEvent);
  const newest = nodesOf(data?.newest)?.map(offsetOf);
  const oldest = nodesOf(data?.oldest)?.map(offsetOf);
  if (!isComplete(events) || !isComplete(newest) || !isComplete(oldest)) {
    return failed({ kind: 'malformed', reason: 'the answer is not a page of events' });
  }
  return answered({ events, newest: newest[0] ?? 0, start: Math.max(0, (oldest[0] ?? 0) - 1) });
}

/** A member that refuses a position beyond its end tells nothing else along with that. */
function readEnds(member: Member, options: MemberCallOptions): Promise<MemberResult<MemberLogPage>> {
  return readMemberLog(member, { after: 0, first: 0 }, options);
}

/** Undefined when the value is not an event: without an integer offset and a type nothing can be done with it. */
export function toMemberEvent(value: unknown): MemberEvent | undefined {
  const event = asRecord(value);
  const offset = offsetOf(event);
  if (!event || offset === undefined || typeof event.type !== 'string') return undefined;
  return {
    offset,
    type: event.type,
    at: typeof event.at === 'string' ? event.at : '',
    level: EVENT_LEVELS.find((level) => level === event.level) ?? 'INFO',
    ref: typeof event.ref === 'string' ? event.ref : null,
    source: typeof event.source === 'string' ? event.source : '',
    pid: typeof event.pid === 'number' && Number.isInteger(event.pid) ? event.pid : 0,
    data: event.data ?? {},
  };
}

function nodesOf(connection: unknown): readonly unknown[] | undefined {
  const nodes = asRecord(connection)?.nodes;
  return Array.isArray(nodes) ? nodes : undefined;
}

function offsetOf(value: unknown): number | undefined {
  const offset = asRecord(value)?.offset;
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0 ? offset : undefined;
}

function isComplete<T>(values: readonly (T | undefined)[] | undefined): values is readonly T[] {
  return values?.every((value) => value !== undefined) ?? false;
}
