/** The event log as the contract's rows (spec/rest-shapes.md § 6). */
import type {
  EventRowFragment,
  EventTypesQuery,
  QueryEventsQuery,
} from '../../../schema/generated/restOperations.ts';
import type { RestFacts } from '../bind.ts';
import { compareText, isRow, type Row, stamped } from '../rows.ts';

/** Most rows of one answer; `limit=0` keeps this many of the newest. */
export const MAX_EVENTS = 100_000;

/** Fields of the record itself, which no extra may take the place of. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['ts', 'source', 'event', 'level', 'pid', 'work_item']);

export interface EventsInput {
  readonly type: readonly string[];
  readonly workItem?: string;
  readonly deliveryId?: string;
  readonly source?: string;
  readonly level?: string;
  readonly since?: string;
  readonly limit: number;
}

/** Oldest first by time, then by instance; the newest `limit` are kept after the merge. */
export function queryEvents(
  { events }: QueryEventsQuery,
  facts: RestFacts,
  { deliveryId, limit }: Pick<EventsInput, 'deliveryId' | 'limit'>,
): readonly Row[] {
  return events.nodes
    .toSorted((one, other) => compareText(one.at, other.at) || compareText(one.instance, other.instance))
    .map((event) => toEventRow(event, facts))
    .filter((row) => deliveryId === undefined || row.delivery_id === deliveryId)
    .slice(-(limit === 0 ? MAX_EVENTS : limit));
}

export function eventTypes({ eventTypes: types }: EventTypesQuery): Row {
  return Object.fromEntries(types.map(({ name, meaning }) => [name, meaning]));
}

/** One record: fixed fields, then what its type adds, in snake_case and without nulls. */
export function toEventRow(event: EventRowFragment, facts: RestFacts): Row {
  const { instance, type, at, level, ref, source, pid, data } = event;
  const row = {
    ts: at,
    source,
    event: type,
    level: level.toLowerCase(),
    pid,
    ...(ref !== null && { work_item: ref }),
    ...(isRow(data) && extras(data)),
  };
  return stamped(row, instance, facts);
}

function extras(data: Row): Row {
  return Object.fromEntries(
    Object.entries(data)
      .map(([key, value]) => [snakeCase(key), value] as const)
      .filter(([key, value]) => value !== null && !OWN_FIELDS.has(key)),
  );
}

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
