/**
 * One subscriber of the fan-in: a position per member, and nothing of what it has not read yet.
 *
 * It is pulled: a reader that is slow or paused costs its positions, and nobody else anything.
 */
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Turns } from '../../lib/Turns.ts';
import { CursorWriter } from '../cursor/CursorWriter.ts';
import type { FleetCursor } from '../cursor/FleetCursor.ts';
import type { EventPredicate } from './eventFilter.ts';
import type { StreamItem } from './FleetStream.ts';
import { type MemberFeed, PROMPT_MS } from './MemberFeed.ts';
import { MemberReader, type StartDesync } from './MemberReader.ts';
import { type InstanceTick, WatchedTranscripts } from './WatchedTranscripts.ts';

/** A subscriber that was told nothing for so long, in milliseconds, is told its position, if that has moved. */
const BOOKMARK_MS = 5000;

/** Items that a subscriber takes when it is its turn: so many are one write to its socket, and the next one waits for them. */
const ITEMS_PER_STEP = 8;

export interface FleetSubscriberOptions {
  /** Where the client has been, by registered name. */
  readonly cursor: FleetCursor;
  /** Members that are read from the end of their log without a word, if it is learned soon; others that `cursor` lacks are told. */
  readonly fresh: ReadonlySet<string>;
  /** The one member that is read. @default all */
  readonly instance?: string;
  readonly matches: EventPredicate;
  /** @default none */
  readonly transcripts?: ReadonlySet<string>;
  /** Reason of a desync that comes before anything else. */
  readonly desync?: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly turns: Turns;
}

/** The fleet as the fan-in knows it. */
export interface FleetView {
  /** Of each member that was live once since the first subscriber came. */
  readonly feeds: ReadonlyMap<string, MemberFeed>;
  /** Every registered name. */
  readonly names: ReadonlySet<string>;
  /** Names of members that were probed and are not live. */
  readonly away: ReadonlySet<string>;
}

export class FleetSubscriber implements Disposable {
  readonly #options: FleetSubscriberOptions;
  /** Positions of members that are not read: not reached yet, or not asked for. */
  readonly #resting: Map<string, number>;
  readonly #fresh: Set<string>;
  /** Names under which another log than the one that was read comes. */
  readonly #rotated = new Set<string>();
  /** Since when, by the monotonic clock, the members of `fresh` are to be read. */
  #freshMs: number;
  readonly #readers = new Map<string, MemberReader>();
  readonly #transcripts: WatchedTranscripts;
  readonly #writer = new CursorWriter();
  /** Whose turn it is: a busy member does not keep the others waiting. */
  #turn = 0;
  #desync: string | undefined;
  #lastCursor: string;
  #lastItemMs: number;
  #bookmark: Disposable | undefined;
  #wake = Promise.withResolvers<void>();
  /** What is left of the step, and the turn that it is of. */
  #step = { left: 0, turn: 0 };
  /** Somebody waits for an item, or has taken one since the last `rest`. */
  #isRead = true;
  #isWaitedFor = false;
  #isClosed = false;

  constructor(options: FleetSubscriberOptions) {
    const { cursor, fresh, desync, transcripts = new Set(), clock } = options;
    this.#options = options;
    this.#transcripts = new WatchedTranscripts(transcripts);
    this.#resting = new Map(cursor);
    this.#fresh = new Set(fresh);
    this.#desync = desync;
    this.#lastCursor = this.#writer.write(cursor);
    this.#freshMs = clock.monotonicMs();
    this.#lastItemMs = this.#freshMs;
  }

  /** Reads these feeds from now on, each from the position it is known by. Members that are not registered are forgotten. */
  follow({ feeds, names, away }: FleetView): void {
    for (const [name, reader] of this.#readers) {
      if (feeds.get(name) === reader.feed) continue;
      reader[Symbol.dispose]();
      this.#readers.delete(name);
      // Offsets are those of one log: under another address the same name may be another log (spec/manager.md § 14.5).
      this.#rotated.add(name);
    }
    for (const name of [...this.#resting.keys(), ...this.#fresh, ...this.#rotated]) {
      if (names.has(name)) continue;
      this.#resting.delete(name);
      this.#fresh.delete(name);
      this.#rotated.delete(name);
    }
    for (const [name, feed] of feeds) {
      const isWanted = this.#options.instance === undefined || this.#options.instance === name;
      if (isWanted && !this.#readers.has(name)) this.#read(name, feed);
    }
    for (const name of away) this.#fresh.delete(name);
    this.wake();
  }

  /** The next item is a desync: something that the subscriber follows does not go on, but anew under `name`. */
  tellDesync(reason: string, name: string): void {
    this.#desync = reason;
    this.#fresh.add(name);
    this.#freshMs = this.#options.clock.monotonicMs();
    this.wake();
  }

  /** Refs whose transcripts it watches. */
  get transcripts(): ReadonlySet<string> {
    return this.#transcripts.refs;
  }

  /** A transcript has grown; one that the subscriber does not watch is passed over. */
  tellTranscript(news: InstanceTick): void {
    if (this.#transcripts.put(news)) this.wake();
  }

  /** Where the subscriber is in the log of a member; undefined when it does not read it, or is still to be told of a desync. */
  positionIn(name: string): number | undefined {
    return this.#readers.get(name)?.position;
  }

  /** There may be something to take. */
  wake = (): void => {
    this.#wake.resolve();
  };

  /** Waits for the next item; undefined when the subscriber is closed. */
  async next(): Promise<StreamItem | undefined> {
    this.#isRead = true;
    this.#isWaitedFor = true;
    for (;;) {
      if (!this.#isInStep()) await this.#beginStep();
      if (this.#isClosed) return undefined;
      this.#wake = Promise.withResolvers();
      const item = this.#take() ?? this.#takeBookmark();
      if (item) return this.#told(item);
      await this.#wake.promise;
    }
  }

  /** Called now and then: a subscriber that has not been read since the last time gives up what can be read again. */
  rest(): void {
    if (!this.#isRead) for (const reader of this.#readers.values()) reader.dropPage();
    this.#isRead = this.#isWaitedFor;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#bookmark?.[Symbol.dispose]();
    for (const reader of this.#readers.values()) reader[Symbol.dispose]();
    this.wake();
  }

  #read(name: string, feed: MemberFeed): void {
    const { clock, ids } = this.#options;
    const position = this.#resting.get(name);
    const desync = position === undefined ? this.#startDesync(name) : undefined;
    const reader = new MemberReader({
      feed,
      position,
      ...(desync && { desync }),
      clock,
      ids,
      onChange: this.wake,
    });
    this.#resting.delete(name);
    this.#fresh.delete(name);
    this.#rotated.delete(name);
    this.#readers.set(name, reader);
  }

  #startDesync(name: string): StartDesync | undefined {
    if (this.#rotated.has(name)) return 'rotated';
    const isPrompt = this.#options.clock.monotonicMs() - this.#freshMs <= PROMPT_MS;
    return this.#fresh.has(name) && isPrompt ? undefined : 'joined';
  }

  #take(): StreamItem | undefined {
    if (this.#desync !== undefined) {
      const reason = this.#desync;
      this.#desync = undefined;
      return { kind: 'desync', reason, cursor: this.#cursor() };
    }
    const news = this.#transcripts.take();
    if (news) return { kind: 'transcript', ...news, cursor: this.#cursor() };
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

  #isInStep(): boolean {
    return this.#step.left > 0 && this.#step.turn === this.#options.turns.count;
  }

  async #beginStep(): Promise<void> {
    const { turns } = this.#options;
    await turns.next({ isPatient: this.#isBehind() });
    this.#step = { left: ITEMS_PER_STEP, turn: turns.count };
  }

  #told(item: StreamItem): StreamItem {
    this.#step.left -= 1;
    this.#lastCursor = item.cursor;
    this.#lastItemMs = this.#options.clock.monotonicMs();
    this.#isWaitedFor = false;
    return item;
  }

  /** Whoever has to be caught up waits for those who read what comes. */
  #isBehind(): boolean {
    for (const reader of this.#readers.values()) if (reader.isBehind) return true;
    return false;
  }

  #cursor(): string {
    const cursor = new Map(this.#resting);
    for (const [name, { position }] of this.#readers) {
      if (position !== undefined) cursor.set(name, position);
    }
    return this.#writer.write(cursor);
  }
}
