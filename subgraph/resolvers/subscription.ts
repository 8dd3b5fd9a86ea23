/** Root type Subscription of the `instance` subgraph: the event log, read page by page and woken by appends. */
import { toIsoTime } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import type { SubscriptionResolvers } from '../../schema/generated/resolvers.ts';
import { readWatchedTranscripts } from '../../schema/watchedTranscripts.ts';
import type { EventLogFilter, EventRecord, NewEvent, Offset } from '../log/EventLog.ts';
import { toPredicate } from '../log/eventFilter.ts';
import { parseOffsetCursor, toEventRecord, toLogFilter } from './event.ts';
import { toTask } from './task.ts';
import { createTranscriptGrowth } from './transcriptGrowth.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

/** Offsets that a reader was shown nothing of, after which it is told its position. */
const BOOKMARK_DISTANCE = 1000;

export function subscriptionResolvers(parts: WorkerParts): SubscriptionResolvers<unknown> {
  return {
    taskEvents: {
      subscribe(_root, { after, ref, instance }) {
        assertSelf(parts, instance);
        if (!ref) return openReader(parts, after, { filter: { types: ['task.*'] } });
        return openReader(parts, after, { filter: { types: ['task.*'], ref }, endsWith: ref });
      },
      resolve: (payload: unknown) => toTaskEvent(parts, (payload as Payload).record),
    },
    events: {
      subscribe: (_root, { after, filter, transcripts }) =>
        openReader(parts, after, {
          filter: toLogFilter(filter),
          transcripts: readWatchedTranscripts(transcripts),
        }),
      resolve: (payload: unknown) => toEventRecord((payload as Payload).record, nameOf(parts)),
    },
  } as SubscriptionResolvers<unknown>;
}

interface Payload {
  readonly record: EventRecord;
}

interface Reading {
  readonly filter: EventLogFilter | undefined;
  /** Refs whose transcripts are watched, whatever the filter. @default none */
  readonly transcripts?: ReadonlySet<string>;
  /** The stream ends when the task of this ref is purged. @default it does not end */
  readonly endsWith?: string;
}

/**
 * The records after `after`, or from now on without it. A position that the log does not have (it was truncated, or is
 * another log) gives one `stream.desync`, and the stream goes on from the end. A reader that the log is truncated past gives
 * one too, and goes on with what is kept. What is told of transcripts has the position of the page that it was seen by.
 *
 * @throws {FlotillaError} BAD_USER_INPUT when `after` is not an offset.
 */
function openReader(
  parts: WorkerParts,
  after: string | null | undefined,
  { filter, transcripts = new Set(), endsWith }: Reading,
): AsyncGenerator<Payload> {
  const { log } = parts;
  const asked = after ? parseOffsetCursor(after) : log.end();
  const isKept = asked >= log.start() && asked <= log.end();
  const from = isKept ? asked : log.end();
  // The events that a transcript grows by are seen also where the filter leaves them out.
  const watched = transcripts.size === 0 ? filter : undefined;
  const isShown = toPredicate(filter ?? {});
  const grown = createTranscriptGrowth(parts.engine, transcripts);
  let toldAt = from;
  return closableIterable(async function* (signal) {
    const isEnd = endsWith === undefined ? undefined : await createEndOf(parts, endsWith);
    if (!isKept) yield { record: control(parts, 'stream.desync', from, { reason: 'truncated' }) };
    for await (const page of log.watch({ after: from, filter: watched, signal })) {
      const records = page.records.filter(isShown);
      for (const record of records) {
        yield { record };
        if (await isEnd?.(record)) return;
      }
      const ticks = await grown(page.records);
      for (const { ref, totalLines } of ticks) {
        yield { record: { ...control(parts, 'stream.transcript', page.seen, { totalLines }), ref } };
      }
      if (page.isCut) yield { record: control(parts, 'stream.desync', page.seen, { reason: 'truncated' }) };
      else if (records.length + ticks.length === 0) {
        if (page.records.length > 0 && page.seen - toldAt < BOOKMARK_DISTANCE) continue;
        yield { record: control(parts, 'stream.bookmark', page.seen, {}) };
      }
      toldAt = page.seen;
    }
  });
}

/**
 * Whether a record is the end of its ref's stream: the newest task is purged. An earlier one may be purged long after the next one has
 * come, by its retention, and such a purge may be replayed: it is the end only where no task has the ref any more.
 */
async function createEndOf(
  { engine }: WorkerParts,
  ref: string,
): Promise<(record: EventRecord) => Promise<boolean>> {
  let newest: unknown = (await engine.read(ref))?.id;
  return async ({ type, data }) => {
    if (type === 'task.created') newest = data.taskId ?? newest;
    if (type !== 'task.purged') return false;
    return data.taskId === newest || (await engine.read(ref)) === undefined;
  };
}

function control(parts: WorkerParts, type: string, offset: Offset, data: NewEvent['data']): EventRecord {
  return {
    type,
    level: 'DEBUG',
    source: 'stream',
    data,
    offset,
    atMs: parts.clock.nowMs(),
    pid: process.pid,
  };
}

function toTaskEvent(parts: WorkerParts, { offset, type, atMs, ref, data }: EventRecord) {
  const instance = nameOf(parts);
  return {
    __typename: 'TaskEvent' as const,
    cursor: String(offset),
    instance,
    offset,
    type,
    at: toIsoTime(atMs),
    ref,
    data,
    task: async () => {
      const row = ref === undefined ? undefined : await parts.engine.read(ref);
      return row ? toTask(row, instance) : null;
    },
  };
}
