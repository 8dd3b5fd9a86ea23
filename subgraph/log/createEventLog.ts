/**
 * The event log on SQLite.
 *
 * A watcher that waits is handed the records of a commit, read once for all of them; one that is busy, or starts in
 * the past, reads pages when it comes back. So watchers are cheap, and none of them holds more than one page.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import type { SqlValue, StateDatabase } from '../../lib/StateDatabase.ts';
import { EVENT_LEVELS } from '../../schema/events.ts';
import type {
  EventLog,
  EventLogFilter,
  EventPage,
  EventQuery,
  EventRecord,
  NewEvent,
  Offset,
} from './EventLog.ts';
import { toPredicate, toSqlConditions } from './eventFilter.ts';

/** Most records of one page of a watcher. */
const PAGE_LIMIT = 256;

/** Offsets that one filtered read looks through, and after which a quiet watcher gets a bookmark. */
const BOOKMARK_DISTANCE = 1_000;

/** What is left of the data of a record whose task was purged. */
const ERASED_DATA = JSON.stringify({ purged: true });

export interface EventLogOptions {
  /** Migrated with `STATE_MIGRATIONS`. The log is the only one on it. */
  readonly database: StateDatabase;
  readonly clock: Clock;
  /** Written into every record. */
  readonly pid: number;
}

export interface StateEventLog extends EventLog {
  /**
   * Empties the records of a task: their refs and their data are gone, and `{ purged: true }` stands for them. Readers are not
   * told, and find the same offsets, types and times as before.
   */
  erase(task: EventTask): void;
  /** Forgets the records up to and with `before`, so that it becomes `start()`. The newest record always stays. */
  truncate(before: Offset): void;
  /**
   * Forgets the oldest records as far as the limits say, one step at a time. Times in the log are taken to grow with the offsets.
   *
   * @returns whether another step has something to forget.
   */
  prune(limits: EventLimits): boolean;
}

/** Whose events they are, as in `NewEvent`. */
export type EventTask = Required<Pick<NewEvent, 'task' | 'ref'>>;

export interface EventLimits {
  /** The newest ones that are kept; at least 1. */
  readonly count: number;
  /** Epoch milliseconds; older records are forgotten. */
  readonly sinceMs: number;
  /** Most records that one step forgets. */
  readonly step: number;
}

export function createEventLog(options: EventLogOptions): StateEventLog {
  return new SqliteEventLog(options);
}

interface EventRow {
  readonly offset: number;
  readonly at_ms: number;
  readonly pid: number;
  readonly type: string;
  readonly level: number;
  readonly source: string;
  readonly ref: string | null;
  readonly data: string;
}

/** A watcher that has seen everything and waits. */
interface Waiter {
  readonly matches: (record: EventRecord) => boolean;
  /** The reader's last page ended here. */
  readonly told: Offset;
  seen: Offset;
  readonly resolve: (page: EventPage) => void;
}

class SqliteEventLog implements StateEventLog {
  readonly #database: StateDatabase;
  readonly #clock: Clock;
  readonly #pid: number;
  readonly #waiters = new Set<Waiter>();
  /** Up to here waiters have been shown the log. */
  #published: Offset;

  constructor({ database, clock, pid }: EventLogOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#pid = pid;
    this.#published = this.end();
  }

  append(events: readonly NewEvent[]): Offset {
    if (events.length === 0) return this.end();
    return this.#database.transaction(() => {
      const insert = this.#database.statement(
        'INSERT INTO events (offset, at_ms, pid, type, level, source, ref, task, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      );
      const atMs = this.#clock.nowMs();
      let offset = this.end();
      for (const { type, level, source, ref = null, task = null, data } of events) {
        offset += 1;
        const levelIndex = EVENT_LEVELS.indexOf(level);
        insert.run(offset, atMs, this.#pid, type, levelIndex, source, ref, task, JSON.stringify(data));
      }
      this.#database.afterCommit(this.#publish);
      return offset;
    });
  }

  end(): Offset {
    return this.#edge('SELECT max(offset) AS offset FROM events') ?? 0;
  }

  start(): Offset {
    return (this.#edge('SELECT min(offset) AS offset FROM events') ?? 1) - 1;
  }

  read(query: EventQuery): readonly EventRecord[] {
    const { after = 0, until = Number.MAX_SAFE_INTEGER, limit, keep = 'oldest', filter = {} } = query;
    const { sql, values } = toSqlConditions(filter);
    const records = this.#select(
      `WHERE offset > ? AND offset <= ? ${sql} ORDER BY offset ${keep === 'oldest' ? 'ASC' : 'DESC'} LIMIT ?`,
      [after, until, ...values, limit],
    );
    return keep === 'oldest' ? records : records.reverse();
  }

  watch({ after, filter = {}, signal }: Parameters<EventLog['watch']>[0]): AsyncIterable<EventPage> {
    return closableIterable((left) => this.#pages(after, filter, AbortSignal.any([signal, left])));
  }

  erase({ task, ref }: EventTask): void {
    this.#database
      .statement('UPDATE events SET ref = NULL, task = NULL, data = ? WHERE ref = ? AND task = ?')
      .run(ERASED_DATA, ref, task);
  }

  truncate(before: Offset): void {
    this.#database.transaction(() => {
      const last = Math.min(before, this.end() - 1);
      this.#database.statement('DELETE FROM events WHERE offset <= ?').run(last);
    });
  }

  prune({ count, sinceMs, step }: EventLimits): boolean {
    const start = this.start();
    const last = Math.min(start + step, this.end() - 1);
    const kept = this.#database
      .statement<{ readonly offset: Offset }>(
        'SELECT offset FROM events WHERE offset <= ? AND offset > ? AND at_ms >= ? ORDER BY offset LIMIT 1',
      )
      .get(last, this.end() - count, sinceMs);
    const before = kept ? kept.offset - 1 : last;
    if (before > start) this.truncate(before);
    return !kept && before === start + step;
  }

  async *#pages(after: Offset, filter: EventLogFilter, signal: AbortSignal): AsyncGenerator<EventPage> {
    const matches = toPredicate(filter);
    let seen = after;
    let told = after;
    while (!signal.aborted) {
      const start = this.start();
      if (seen < start) {
        seen = start;
        told = start;
        yield { records: [], seen, isCut: true };
        continue;
      }
      const isBehind = seen < this.end();
      const page = isBehind ? this.#scan(seen, filter) : await this.#wait({ seen, told, matches }, signal);
      seen = page.seen;
      if (page.records.length > 0 || seen - told >= BOOKMARK_DISTANCE) {
        told = seen;
        yield page;
      }
      // A long catch-up leaves room for everybody else between its pages.
      if (isBehind) await setImmediate();
    }
  }

  #scan(seen: Offset, filter: EventLogFilter): EventPage {
    const until = Math.min(seen + BOOKMARK_DISTANCE, this.end());
    const records = this.read({ after: seen, until, limit: PAGE_LIMIT, filter });
    const last = records.at(-1);
    return { records, seen: last && records.length === PAGE_LIMIT ? last.offset : until };
  }

  #wait(position: Omit<Waiter, 'resolve'>, signal: AbortSignal): Promise<EventPage> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        ...position,
        resolve: (page) => {
          this.#waiters.delete(waiter);
          signal.removeEventListener('abort', onAbort);
          resolve(page);
        },
      };
      const onAbort = (): void => waiter.resolve({ records: [], seen: position.seen });
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** Shows a commit to everybody who waits. */
  readonly #publish = (): void => {
    let after = this.#published;
    this.#published = this.end();
    while (after < this.#published && this.#waiters.size > 0) {
      const records = this.read({ after, limit: PAGE_LIMIT });
      after = records.at(-1)?.offset ?? this.#published;
      for (const waiter of this.#waiters) show(waiter, records, after);
    }
  };

  #select(clauses: string, values: readonly SqlValue[]): EventRecord[] {
    return this.#database
      .statement<EventRow>(`SELECT offset, at_ms, pid, type, level, source, ref, data FROM events ${clauses}`)
      .all(...values)
      .map(toRecord);
  }

  #edge(sql: string): Offset | undefined {
    return this.#database.statement<{ readonly offset: number | null }>(sql).get()?.offset ?? undefined;
  }
}

function show(waiter: Waiter, records: readonly EventRecord[], seen: Offset): void {
  // A cursor of an earlier log may lie beyond the end.
  if (seen <= waiter.seen) return;
  const news = records.filter((record) => record.offset > waiter.seen && waiter.matches(record));
  waiter.seen = seen;
  if (news.length > 0 || seen - waiter.told >= BOOKMARK_DISTANCE) waiter.resolve({ records: news, seen });
}

function toRecord({ offset, at_ms, pid, type, level, source, ref, data }: EventRow): EventRecord {
  return {
    offset,
    atMs: at_ms,
    pid,
    type,
    level: EVENT_LEVELS[level] ?? 'INFO',
    source,
    ...(ref === null ? {} : { ref }),
    data: JSON.parse(data),
  };
}
