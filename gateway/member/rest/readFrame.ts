/** Frames of the contract's stream as events of a member's log (spec/rest-shapes.md §§ 6 and 14). Pure. */
import { toIsoTime } from '../../../lib/Clock.ts';
import { EVENT_LEVELS } from '../../../schema/events.ts';
import type { EventFrame } from '../EventStreamParser.ts';
import type { MemberEvent, TranscriptTick } from '../Member.ts';
import { asRecord, parseMemberJson } from '../parseMemberJson.ts';

export type StreamFrame =
  | {
      readonly kind: 'log';
      readonly event: MemberEvent;
      /** Where the record begins in the member's log, which is kept in the compact form in which it is sent. */
      readonly startsAt: number;
    }
  | { readonly kind: 'transcript'; readonly tick: TranscriptTick }
  | { readonly kind: 'desync'; readonly reason: string; readonly position: number | undefined };

/** Undefined for a frame of an unknown kind, data that is no object, and a record whose id is not a position (A13). */
export function readFrame({ id, event, data }: EventFrame): StreamFrame | undefined {
  const record = parseObject(data);
  if (!record) return undefined;
  switch (event) {
    case 'log': {
      const offset = parsePosition(id);
      const read = offset === undefined ? undefined : toLogEvent(record, offset);
      if (offset === undefined || !read) return undefined;
      return { kind: 'log', event: read, startsAt: startOf(offset, Buffer.byteLength(data) + 1) };
    }
    case 'transcript': {
      const { ref, totalLines } = record;
      if (typeof ref !== 'string' || !Number.isSafeInteger(totalLines)) return undefined;
      return { kind: 'transcript', tick: { ref, totalLines: totalLines as number } };
    }
    case 'desync':
      return { kind: 'desync', reason: reasonOf(record.reason), position: parsePosition(record.cursor) };
    default:
      return undefined;
  }
}

/** One record of the contract as an event; all that has no field of its own is in `data`. Undefined without a type. */
export function toLogEvent(
  record: Readonly<Record<string, unknown>>,
  offset: number,
): MemberEvent | undefined {
  const { ts, source, event, level, pid, work_item: ref, ...data } = record;
  if (typeof event !== 'string' || event === '') return undefined;
  return {
    offset,
    type: event,
    at: toInstant(ts) ?? new Date(0).toISOString(),
    level: EVENT_LEVELS.find((name) => name.toLowerCase() === level) ?? 'INFO',
    ref: typeof ref === 'string' && ref !== '' ? ref : null,
    source: typeof source === 'string' ? source : '',
    pid: typeof pid === 'number' && Number.isInteger(pid) ? pid : 0,
    data,
  };
}

/** An instant as the wire of ours has it, with milliseconds; undefined for what is none. */
export function toInstant(text: unknown): string | undefined {
  const ms = toInstantMs(text);
  return ms === undefined ? undefined : toIsoTime(ms);
}

/** Epoch milliseconds of an instant; undefined for what is none. */
export function toInstantMs(text: unknown): number | undefined {
  const ms = typeof text === 'string' && text !== '' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** A position that is less than the record is long counts records and not bytes. */
function startOf(offset: number, length: number): number {
  return offset >= length ? offset - length : Math.max(0, offset - 1);
}

function parsePosition(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function reasonOf(reason: unknown): string {
  return typeof reason === 'string' && /^[a-z-]{1,40}$/.test(reason) ? reason : 'member';
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asRecord(parseMemberJson(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
