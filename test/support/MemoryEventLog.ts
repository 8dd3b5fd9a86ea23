/** An event log in memory that can also be cut and reset, as a member's may be. */
import type { Clock } from '../../lib/Clock.ts';
import { closableIterable } from '../../lib/closableIterable.ts';
import type {
  EventLog,
  EventPage,
  EventQuery,
  EventRecord,
  NewEvent,
  Offset,
} from '../../subgraph/log/EventLog.ts';
import { toPredicate } from '../../subgraph/log/eventFilter.ts';

const PAGE_LIMIT = 256;

export class MemoryEventLog implements EventLog {
  readonly #clock: Clock;
  #records: EventRecord[] = [];
  #start: Offset = 0;
  #wake = Promise.withResolvers<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  append(events: readonly NewEvent[]): Offset {
    for (const event of events) {
      this.#records.push({ ...event, offset: this.end() + 1, atMs: this.#clock.nowMs(), pid: 1 });
    }
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
    return this.end();
  }

  /** Appends events of one type, each with its offset in `data.n`. */
  add(count: number, type = 'task.updated', ref = 'o/r#1'): Offset {
    for (let index = 0; index < count; index += 1) {
      this.append([{ type, level: 'INFO', source: 'tasks', ref, data: { n: this.end() + 1 } }]);
    }
    return this.end();
  }

  end(): Offset {
    return this.#records.at(-1)?.offset ?? this.#start;
  }

  start(): Offset {
    return this.#start;
  }

  /** Forgets the records up to and with this offset. */
  truncate(before: Offset): void {
    this.#records = this.#records.filter(({ offset }) => offset > before);
    this.#start = before;
  }

  /** Another log under the same name: its offsets begin anew. */
  reset(): void {
    this.#records = [];
    this.#start = 0;
  }

  read({ after = 0, until = Number.MAX_SAFE_INTEGER, limit, keep = 'oldest', filter = {} }: EventQuery) {
    const matches = toPredicate(filter);
    const found = this.#records
      .slice(Math.max(0, after - this.#start))
      .filter((record) => record.offset > after && record.offset <= until && matches(record));
    return keep === 'oldest' ? found.slice(0, limit) : found.slice(Math.max(0, found.length - limit));
  }

  watch({ after, filter, signal }: Parameters<EventLog['watch']>[0]): AsyncIterable<EventPage> {
    return closableIterable((left) => this.#pages(after, filter, AbortSignal.any([signal, left])));
  }

  async *#pages(after: Offset, filter: EventQuery['filter'], signal: AbortSignal): AsyncGenerator<EventPage> {
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    let seen = after;
    while (!signal.aborted) {
      if (seen < this.#start) {
        seen = this.#start;
        yield { records: [], seen, isCut: true };
      }
      const woken = this.#wake.promise;
      const records = this.read({ after: seen, limit: PAGE_LIMIT, filter });
      const last = records.at(-1);
      if (last) {
        seen = last.offset;
        yield { records, seen };
      } else await Promise.race([woken, aborted]);
    }
  }
}
