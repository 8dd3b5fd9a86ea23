/** `streamEvents`: the `events` subscription of the graph as frames (spec/manager.md § 14). */
import { badUserInput } from '../../schema/errors.ts';
import {
  type EventRowFragment,
  StreamEventsDocument,
  type StreamEventsSubscription,
  type StreamEventsSubscriptionVariables,
} from '../../schema/generated/restOperations.ts';
import type { RestFacts } from '../rest/bind.ts';
import { toEventRow } from '../rest/mappings/events.ts';
import { isRow, parseRef } from '../rest/rows.ts';
import type { Frame } from './frames.ts';

/** Most entries of one filter. */
const MAX_ENTRIES = 64;

/** Never on the stream: a dashboard that refreshes at an event would cause the next one. */
const NEVER_CARRIED: ReadonlySet<string> = new Set(['api.request', 'mcp.call']);

export const STREAM_EVENTS_TEXT = StreamEventsDocument.toString();

export interface StreamInput {
  readonly workItem: readonly string[];
  readonly transcript: readonly string[];
  readonly 'Last-Event-ID'?: string;
}

/** What a subscriber asked for. */
export interface StreamPlan {
  readonly variables: StreamEventsSubscriptionVariables;
  /** Refs; empty is all. */
  readonly workItems: readonly string[];
  readonly transcripts: readonly string[];
  readonly cursor: string | undefined;
}

/**
 * Checks what the contract's shape does not. A manager says itself, on the stream, that a cursor is none of its own.
 *
 * @throws {FlotillaError} BAD_USER_INPUT for too many entries, one that is no ref, and on a worker a cursor that is no offset.
 */
export function planStream(input: StreamInput, { isManager }: RestFacts): StreamPlan {
  const workItems = parseEntries('workItem', input.workItem);
  const transcripts = parseEntries('transcript', input.transcript);
  const cursor = input['Last-Event-ID'];
  if (cursor !== undefined && !isManager && !/^\d{1,15}$/.test(cursor)) {
    throw badUserInput('Cannot read stream: Last-Event-ID is not a cursor, an offset in digits is expected');
  }
  const [ref] = workItems;
  const variables = {
    ...(cursor !== undefined && { after: cursor }),
    // The graph filters by one ref; of several the stream passes on what belongs to them.
    ...(workItems.length === 1 && { filter: { ref } }),
    ...(transcripts.length > 0 && { transcripts }),
  };
  return { variables, workItems, transcripts, cursor };
}

/** The frame of one value of the subscription; undefined for what a subscriber is not shown. */
export function streamEvents(
  { events: event }: StreamEventsSubscription,
  facts: RestFacts,
  { workItems, ownName }: { readonly workItems: readonly string[]; readonly ownName: string },
): Frame | undefined {
  if (event.type === 'stream.desync') return { event: 'desync', data: desyncOf(event, ownName) };
  if (event.type === 'stream.transcript') return { event: 'transcript', data: growthOf(event) };
  if (event.type === 'stream.bookmark' || NEVER_CARRIED.has(event.type)) return undefined;
  const row = toEventRow(event, facts);
  if (workItems.length > 0 && !concerns(row, workItems)) return undefined;
  return { id: event.cursor, event: 'log', data: row };
}

function growthOf({ ref, data }: EventRowFragment): Frame['data'] {
  return { ref, totalLines: isRow(data) ? data.totalLines : undefined };
}

/** A member's names the member; to whoever reads on by itself both give the position to read on from. */
function desyncOf({ data, cursor, instance }: EventRowFragment, ownName: string): Frame['data'] {
  const { reason = 'truncated' } = isRow(data) ? data : {};
  return { reason, cursor, ...(instance !== ownName && { instance }) };
}

function concerns(row: Readonly<Record<string, unknown>>, workItems: readonly string[]): boolean {
  const several = Array.isArray(row.work_items) ? row.work_items : [];
  return workItems.some((ref) => row.work_item === ref || several.includes(ref));
}

function parseEntries(name: string, entries: readonly string[]): readonly string[] {
  if (entries.length > MAX_ENTRIES) {
    throw badUserInput(
      `Cannot read stream: "${name}" has ${entries.length} entries, at most ${MAX_ENTRIES} are accepted`,
    );
  }
  return entries.map(parseRef);
}
