/**
 * One subscriber's position in one member's log.
 *
 * Inside the window it reads from there. Behind it, pages of the member's own log catch it up, and the first event after
 * the last page is the window's: both are keyed by offset, so nothing is missed and nothing comes twice. It holds a
 * position and, while it is read, at most one page.
 */
import { type BackoffPolicy, backoffMs } from '../../lib/backoff.ts';
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { MemberEvent } from '../member/Member.ts';
import { isPublic } from './eventFilter.ts';
import type { MemberFeed } from './MemberFeed.ts';
import type { MemberWindow } from './MemberWindow.ts';
import type { PageRead } from './PageReads.ts';

const RETRY: BackoffPolicy = { initialMs: 1000, coefficient: 2, maximumMs: 30_000 };

export interface MemberReaderOptions {
  readonly feed: MemberFeed;
  /** Undefined: from where the feed is now, or where it will begin. */
  readonly position: number | undefined;
  /** Why events may be missing before the reader's start; told once, and first. `joined` is not told of an empty log. */
  readonly desync?: StartDesync;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** A page came, or it is time to try again. */
  readonly onChange: () => void;
}

/** `joined`: where the subscriber was in this log is not known. `rotated`: it is another log under a known name. */
export type StartDesync = 'joined' | 'rotated';

export type Reading =
  | { readonly kind: 'event'; readonly event: MemberEvent }
  | { readonly kind: 'desync'; readonly reason: string };

export class MemberReader implements Disposable {
  readonly feed: MemberFeed;
  readonly #options: MemberReaderOptions;
  #isClosed = false;
  #position: number | undefined;
  #epoch: number;
  #desync: string | undefined;
  /** What is left of the page that catches the reader up, newest first. */
  #page: MemberEvent[] = [];
  #pageEnd = 0;
  /** The member's log is known to reach up to here, though the feed has not come so far. */
  #verified = -1;
  #isReading = false;
  #failures = 0;
  #retry: Disposable | undefined;

  constructor(options: MemberReaderOptions) {
    const { feed, position, desync } = options;
    this.feed = feed;
    this.#options = options;
    this.#epoch = feed.epoch;
    this.#desync = desync;
    this.#position = position;
    if (position === undefined && feed.window) this.#start(feed.window.seen);
  }

  /**
   * The reader has seen everything up to here, or was told that it has not. Undefined as long as it waits for the feed to begin, or
   * has a desync to tell: who resumes without having been told of it must be told then.
   */
  get position(): number | undefined {
    if (this.#desync !== undefined || this.#epoch !== this.feed.epoch) return undefined;
    const { window, startedAt, isLate } = this.feed;
    return this.#position ?? (window && !isLate ? startedAt : undefined);
  }

  /** The reader is caught up by pages: what it has to read next is no longer in the window. */
  get isBehind(): boolean {
    const { window } = this.feed;
    return this.#page.length > 0 || (window !== undefined && (this.#position ?? window.seen) < window.floor);
  }

  /** Gives up what it holds; it is read again when the reader goes on. */
  dropPage(): void {
    this.#page = [];
    this.#pageEnd = 0;
  }

  /** The next thing to tell, without waiting; undefined when there is none now. Begins to read a page when one is needed. */
  take(): Reading | undefined {
    const { window } = this.feed;
    if (!window) return undefined;
    if (this.#position === undefined) this.#epoch = Math.max(this.#epoch, this.feed.firstEpoch);
    if (this.#epoch !== this.feed.epoch) {
      this.#epoch = this.feed.epoch;
      this.#leap(this.feed.startedAt, this.feed.epochReason);
    }
    if (this.#position === undefined) {
      if (this.feed.isLate) this.#desync ??= 'joined';
      this.#start(this.feed.startedAt);
    }
    if (this.#desync !== undefined) {
      const reason = this.#desync;
      this.#desync = undefined;
      return { kind: 'desync', reason };
    }
    const event = this.#fromPage() ?? this.#fromWindow(window);
    return event && { kind: 'event', event };
  }

  [Symbol.dispose](): void {
    this.#retry?.[Symbol.dispose]();
    this.#isClosed = true;
  }

  #start(position: number): void {
    this.#position = position;
    if (position === 0 && this.#desync === 'joined') this.#desync = undefined;
  }

  #fromPage(): MemberEvent | undefined {
    const event = this.#page.pop();
    if (event) this.#position = event.offset;
    else this.#position = Math.max(this.#position ?? 0, this.#pageEnd);
    return event;
  }

  #fromWindow(window: MemberWindow): MemberEvent | undefined {
    const position = this.#position ?? window.seen;
    const isBehind = position < window.floor;
    const isAhead = position > window.seen && position > this.#verified;
    if (isBehind || isAhead) {
      void this.#readPage(position);
      return undefined;
    }
    const event = window.after(position);
    this.#position = event ? event.offset : Math.max(position, window.seen);
    return event;
  }

  /** One page at a time, and none while the member is away or the last try was a moment ago. Never rejects. */
  async #readPage(position: number): Promise<void> {
    if (this.#isReading || this.#retry || !this.feed.isLive) return;
    const epoch = this.#epoch;
    this.#isReading = true;
    const read = await this.feed.pages.read({ epoch, position });
    this.#isReading = false;
    if (this.#isClosed) return;
    // Once the window has come up and was read from, the page is of the past.
    if (epoch === this.feed.epoch && position === this.#position) this.#accept(read, position);
    this.#options.onChange();
  }

  #accept({ result, seen }: PageRead, position: number): void {
    if (result.kind === 'failure') {
      const { window, startedAt } = this.feed;
      if (result.failure.kind === 'notSupported') this.#leap(window?.seen ?? startedAt, 'member');
      else this.#retryLater();
      return;
    }
    const { events, newest, start, end = events.at(-1)?.offset ?? position } = result.answer;
    // The log was reset, and the feed, which has been further than its end, is about to find out and tell everybody.
    if (position <= seen && newest < position) {
      this.#retryLater();
      return;
    }
    this.#failures = 0;
    const isGone = position > newest || position < start || (end <= position && position < seen);
    if (isGone) {
      this.#leap(newest, 'truncated');
      return;
    }
    this.#pageEnd = end;
    this.#page = events.filter(isPublic).reverse();
    this.#verified = Math.max(this.#pageEnd, newest);
  }

  /** What lies between is lost to this reader, and it is told so. */
  #leap(position: number, reason: string): void {
    this.#position = position;
    this.#verified = position;
    this.#desync = reason;
    this.#page = [];
    this.#pageEnd = position;
  }

  #retryLater(): void {
    const { clock, ids, onChange } = this.#options;
    this.#failures += 1;
    this.#retry = clock.schedule(backoffMs(RETRY, this.#failures, ids.random()), () => {
      this.#retry = undefined;
      onChange();
    });
  }
}
