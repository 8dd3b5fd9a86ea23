/** An item of the fan-in as the wire shows it: the fields of `EventRecord`, and those of `TaskEvent` but its task. */
import { toIsoTime } from '../../lib/Clock.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import type { MemberEvent } from '../member/Member.ts';
import type { StreamItem } from './FleetStream.ts';

export interface StreamRecord extends MemberEvent {
  readonly cursor: string;
  /** The registered name of the member; the own name where an item is about no member. */
  readonly instance: string;
}

export function toStreamRecord(
  item: StreamItem,
  { ownName, nowMs }: { readonly ownName: string; readonly nowMs: number },
): StreamRecord {
  const { kind, cursor } = item;
  if (kind === 'event') return { ...item.event, cursor, instance: item.instance };
  const type = `stream.${kind}` as const;
  const instance = (kind === 'bookmark' ? undefined : item.instance) ?? ownName;
  return {
    cursor,
    instance,
    offset: positionOf(instance, cursor),
    type,
    at: toIsoTime(nowMs),
    level: EVENT_TYPES[type].level,
    ref: kind === 'transcript' ? item.tick.ref : null,
    source: 'stream',
    pid: process.pid,
    data: dataOf(item),
  };
}

function dataOf(item: Exclude<StreamItem, { kind: 'event' }>): Readonly<Record<string, unknown>> {
  switch (item.kind) {
    case 'desync':
      return { reason: item.reason };
    case 'transcript':
      return { totalLines: item.tick.totalLines };
    case 'bookmark':
      return {};
  }
}

/** Not by the parser of cursors: that refuses what is too long for a client to send back. */
function positionOf(instance: string, cursor: string): number {
  const part = cursor.split(',').find((candidate) => candidate.startsWith(`${instance}=`));
  return part === undefined ? 0 : Number(part.slice(instance.length + 1));
}
