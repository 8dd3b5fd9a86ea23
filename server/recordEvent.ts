/** Events that the instance itself writes, beside those of its tasks: levels by the table of `schema/events.ts`. */
import { EVENT_TYPES, type EventType } from '../schema/events.ts';
import type { EventLog, NewEvent } from '../subgraph/index.ts';

/** @throws what the log throws when it cannot be written. */
export function recordEvent(log: EventLog, type: EventType, data: Readonly<Record<string, unknown>>): void {
  log.append([toOwnEvent(type, data)]);
}

export function toOwnEvent(type: EventType, data: NewEvent['data']): NewEvent {
  return { type, level: EVENT_TYPES[type].level, source: 'service', data };
}
