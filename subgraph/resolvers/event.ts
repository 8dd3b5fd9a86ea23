/** Records of the event log as the wire shows them, and cursors over it. */
import { toIsoTime } from '../../lib/Clock.ts';
import { badUserInput } from '../../schema/errors.ts';
import type { EventFilter, EventRecord as WireEvent } from '../../schema/generated/resolvers.ts';
import type { EventLogFilter, EventRecord, Offset } from '../log/EventLog.ts';

export function toEventRecord(record: EventRecord, instance: string): WireEvent {
  return {
    __typename: 'EventRecord',
    cursor: String(record.offset),
    instance,
    offset: record.offset,
    type: record.type,
    at: toIsoTime(record.atMs),
    level: record.level,
    ref: record.ref,
    source: record.source,
    pid: record.pid,
    data: record.data,
  };
}

/** @throws {FlotillaError} BAD_USER_INPUT when the text is not an offset in digits. */
export function parseOffsetCursor(after: string): Offset {
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw badUserInput(
    'Cannot read events: "after" is not a cursor of this log, an offset in digits is expected',
  );
}

export function toLogFilter(filter: EventFilter | null | undefined): EventLogFilter | undefined {
  if (!filter) return undefined;
  const { types, ref, level, source, since } = filter;
  return {
    ...(types && { types }),
    ...(ref && { ref }),
    ...(level && { minLevel: level }),
    ...(source && { source }),
    ...(since && { sinceMs: Date.parse(since) }),
  };
}
