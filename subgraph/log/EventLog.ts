/**
 * The instance's one append-only event log (design § 5): port.
 *
 * 1. Offsets are integers from 1, without a gap, in the order of the appends.
 * 2. A record is durable before a watcher or reader sees it.
 * 3. A watcher misses nothing and sees nothing twice, whatever its speed: it reads pages of the log and is woken by appends.
 * 4. Offset, type and time of a record never change: what a log is known by. Its ref and data are gone once its task is purged.
 */

import type { EventLevel } from '../../schema/events.ts';

export type { EventLevel };

/** Position in the log; 0 is before the first record. */
export type Offset = number;

export interface NewEvent {
  readonly type: string;
  readonly level: EventLevel;
  /** Which part of the instance wrote it: `tasks`, `service`, `config`, `registry` … */
  readonly source: string;
  readonly ref?: string;
  /** Number in the state file of the task that the event is of, and is emptied with. @default none: it stays as it is */
  readonly task?: number;
  /** Plain JSON. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventRecord extends Omit<NewEvent, 'task'> {
  readonly offset: Offset;
  readonly atMs: number;
  readonly pid: number;
}

export interface EventQuery {
  /** Records after this offset. @default 0 */
  readonly after?: Offset;
  /** Records up to and with this offset. */
  readonly until?: Offset;
  /** 1 to 1,001. */
  readonly limit: number;
  /** `newest` keeps the last `limit` matches, still answered oldest first. @default 'oldest' */
  readonly keep?: 'oldest' | 'newest';
  readonly filter?: EventLogFilter;
}

export interface EventLogFilter {
  /** Globs over the type (`*` any run of characters), any of them. */
  readonly types?: readonly string[];
  readonly ref?: string;
  readonly minLevel?: EventLevel;
  readonly source?: string;
  /** Epoch milliseconds, inclusive. */
  readonly sinceMs?: number;
}

export interface EventLog {
  /** Appends in one transaction (the caller's, when one is open); returns the last offset. Watchers wake after the commit. */
  append(events: readonly NewEvent[]): Offset;
  /** Offset of the newest record; 0 when there is none. */
  end(): Offset;
  /** Offset before the oldest record that is still kept; a reader whose cursor is below it has missed something. */
  start(): Offset;
  read(query: EventQuery): readonly EventRecord[];
  /**
   * Pages of new records after `after`, in order, until `signal` aborts; a page has 1 to 256 records. It is empty only as a
   * bookmark, where `seen` tells how far the filter has read, and where records were forgotten that the reader had not seen.
   */
  watch(options: {
    readonly after: Offset;
    readonly filter?: EventLogFilter;
    readonly signal: AbortSignal;
  }): AsyncIterable<EventPage>;
}

export interface EventPage {
  readonly records: readonly EventRecord[];
  /** The reader has seen everything up to here. */
  readonly seen: Offset;
  /** Records before `seen` were forgotten unseen: the log has been truncated past the reader. Such a page is empty. */
  readonly isCut?: boolean;
}
