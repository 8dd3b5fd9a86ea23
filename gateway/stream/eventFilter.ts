/** Which events a stream tells, and which of them a subscriber wants. Pure. */
import { matchesGlob } from '../../lib/matchesGlob.ts';
import { EVENT_LEVELS } from '../../schema/events.ts';
import type { EventLogFilter } from '../../subgraph/index.ts';
import type { MemberEvent } from '../member/Member.ts';

/** Never on a stream: a reader that refreshes on events would cause the events it reads (spec/manager.md § 14.2). */
const PRIVATE_TYPES: ReadonlySet<string> = new Set(['api.request', 'mcp.call']);

export function isPublic({ type }: MemberEvent): boolean {
  return !PRIVATE_TYPES.has(type);
}

export type EventPredicate = (event: MemberEvent) => boolean;

/** Every condition that the filter has must hold; without any, every event matches. */
export function buildEventPredicate(filter: EventLogFilter): EventPredicate {
  const { types, ref, minLevel, source, sinceMs } = filter;
  const leastRank = minLevel === undefined ? 0 : rankOf(minLevel);
  return (event) =>
    (ref === undefined || event.ref === ref) &&
    (source === undefined || event.source === source) &&
    rankOf(event.level) >= leastRank &&
    (sinceMs === undefined || Date.parse(event.at) >= sinceMs) &&
    (types?.some((glob) => matchesGlob(glob, event.type)) ?? true);
}

function rankOf(level: string): number {
  return (EVENT_LEVELS as readonly string[]).indexOf(level);
}
