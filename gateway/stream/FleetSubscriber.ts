/**
 * One subscriber of the fan-in: a position per member, and nothing of what it has not read yet.
 *
 * It is pulled: a reader that is slow or paused costs its positions, and nobody else anything.
 */
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import { type FleetCursor, formatFleetCursor } from '../cursor/FleetCursor.ts';
import type { EventPredicate } from './eventFilter.ts';
import type { StreamItem } from './FleetStream.ts';
import type { MemberFeed } from './MemberFeed.ts';
import { MemberReader } from './MemberReader.ts';

/** A subscriber that was told nothing for so long, in milliseconds, is told its position, if that has moved. */
const BOOKMARK_MS = 5000;

export interface FleetSubscriberOptions {
  /** Where the client has been, by registered name; members that it does not name are read from now on. */
  readonly cursor: FleetCursor;
  /** The one member that is read. @default all */
  readonly instance?: string;
  readonly matches: EventPredicate;
  /** Reason of a desync that comes before anything else. */
  readonly desync?: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly timeoutMs: () => number;
}

export class FleetSubscriber implements Disposable {
  readonly #options: FleetSubscriberOptions;
  /** Positions of members that are not read: not reached yet, or not asked for. */
  readonly #resting: Map<string, number>;
  readonly #readers = new Map<string, MemberReader>();
  /** Whose turn it is: a busy member does not keep the others waiting. */
  #turn = 0;
  #desync: string | undefined;
  #lastCursor: string;
  #lastItemMs: number;
  #bookmark: Disposable | undefined;
  #wake = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(options: FleetSubscriberOptions) {
    const { cursor, desync, clock } = options;
    this.#options = options;
    this.#resting = new Map(cursor);
    this.#desync = desync;
    this.#lastCursor = formatFleetCursor(cursor);
    this.#lastItemMs = clock.monotonicMs();
  }

  /** Reads these feeds from now on, each from the position it is known by. Members that are not in `names` are forgotten. */
  follow(feeds: ReadonlyMap<string, MemberFeed>, names: ReadonlySet<string>): void {
    for (const [name, feed] of feeds) {
      const isWanted = this.#options.instance === undefined || this.#options.instance === name;
      if (isWanted && this.#readers.get(name)?.feed !== feed) this.#read(name, feed);
    }
    for (const name of [...this.#readers.keys(), ...this.#resting.keys()]) {
      if (names.has(name)) continue;
      this.#readers.get(name)?.[Symbol.dispose]();
      this.#readers.delete(name);
      this.#resting.delete(name);
    }
    this.wake();
  }

  /** There may be something to take. */
  wake = (): void => {
    this.#wake.resolve();
  };

  /** Waits for the next item; undefined when the subscriber is closed. */
  async next(): Promise<StreamItem | undefined> {
    while (!this.#isClosed) {
      this.#wake = Promise.withResolvers();
      const item = this.#take() ?? this.#takeBookmark();
      if (item) return this.#told(item);
      await this.#wake.promise;
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#bookmark?.[Symbol.dispose]();
    for (const reader of this.#readers.values()) reader[Symbol.dispose]();
    this.wake();
  }

  #read(name: string, feed: MemberFeed): void {
    const before = this.#readers.get(name);
    // Offsets are those of one log: under another address the same name may be another log (spec/manager.md § 14.5).
    const isOtherLog = before?.position !== undefined;
    before?.[Symbol.dispose]();
    const reader = new MemberReader({
      feed,
      position: this.#resting.get(name),
      ...(isOtherLog && { desync: 'rotated' }),
      clock: this.#options.clock,
      ids: this.#options.ids,
      timeoutMs: this.#options.timeoutMs,
      onChange: this.wake,
    });
    this.#resting.delete(name);
    this.#readers.set(name, reader);
  }

  #take(): StreamItem | undefined {
    if (this.#desync !== undefined) {
      const reason = this.#desync;
      this.#desync = undefined;
      return { kind: 'desync', reason, cursor: this.#cursor() };
    }
    const readers = [...this.#readers];
    for (let count = 0; count < readers.length; count += 1) {
      this.#turn = (this.#turn + 1) % readers.length;
      const [instance, reader] = readers[this.#turn] as [string, MemberReader];
      const item = this.#takeFrom(instance, reader);
      if (item) return item;
    }
    return undefined;
  }

  #takeFrom(instance: string, reader: MemberReader): StreamItem | undefined {
    for (let reading = reader.take(); reading; reading = reader.take()) {
      if (reading.kind === 'desync') {
        return { kind: 'desync', reason: reading.reason, instance, cursor: this.#cursor() };
      }
      if (this.#options.matches(reading.event)) {
        return { kind: 'event', instance, event: reading.event, cursor: this.#cursor() };
      }
    }
    return undefined;
  }

  #takeBookmark(): StreamItem | undefined {
    const { clock } = this.#options;
    const dueInMs = this.#lastItemMs + BOOKMARK_MS - clock.monotonicMs();
    if (dueInMs > 0) {
      this.#bookmark ??= clock.schedule(dueInMs, () => {
        this.#bookmark = undefined;
        this.wake();
      });
      return undefined;
    }
    const cursor = this.#cursor();
    return cursor === this.#lastCursor ? undefined : { kind: 'bookmark', cursor };
  }

  #told(item: StreamItem): StreamItem {
    this.#lastCursor = item.cursor;
    this.#lastItemMs = this.#options.clock.monotonicMs();
    return item;
  }

  #cursor(): string {
    const cursor = new Map(this.#resting);
    for (const [name, { position }] of this.#readers) {
      if (position !== undefined) cursor.set(name, position);
    }
    return formatFleetCursor(cursor);
  }
}
