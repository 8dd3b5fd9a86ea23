/**
 * The one upstream of a member: while the member is live it is watched from the last position seen, and what arrives is
 * put into the window that all subscribers read (spec/manager.md § 14.5).
 *
 * Before each connection the log's ends are read, and the event that was seen last. A log that was cut behind the position
 * gives a new window at its end, and each reader finds out by its pages whether it has missed something. A log that is
 * another one begins the next `epoch`, which everybody is told of.
 *
 * A member that has to be told which transcripts are watched is connected to anew when these change: the new connection goes on
 * after the last position seen, once the old one is gone, and readers of pages wait for it.
 */
import { type BackoffPolicy, backoffMs } from '../../lib/backoff.ts';
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import { delay } from '../../lib/delay.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Member, MemberEventPage, TranscriptTick } from '../member/Member.ts';
import { readMemberLog } from '../member/memberEvents.ts';
import { ConnectionRenewal } from './ConnectionRenewal.ts';
import { isPublic } from './eventFilter.ts';
import { judgeLog, type Landmark } from './judgeLog.ts';
import { MemberWindow } from './MemberWindow.ts';
import { PageReads } from './PageReads.ts';
import { TranscriptCounter } from './TranscriptCounter.ts';

/** 1, 2, 4, 8, 16, 30, 30 … s, each give or take a fifth. */
const RECONNECT: BackoffPolicy = { initialMs: 1000, coefficient: 2, maximumMs: 30_000 };

/** A log whose end is known so soon after it was wanted, in milliseconds, is read from now on. */
export const PROMPT_MS = 2000;

export interface MemberFeedOptions {
  readonly member: Member;
  /** Where the feed starts, when that is known without asking. @default the end of the member's log when it is first reached */
  readonly startAt?: number;
  /** An event that an earlier feed has seen in the member's log. @default none is known */
  readonly landmark?: Landmark;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Longest wait for one read of the log, in milliseconds. */
  readonly timeoutMs: () => number;
  /** A page is read for readers that are behind the window. @default nobody hears of it */
  readonly onCatchUp?: () => void;
  /** There may be something new to read. */
  readonly onChange: () => void;
  /** A transcript of those that are watched has grown. Must not throw. @default nobody hears of it */
  readonly onTick?: (tick: TranscriptTick) => void;
}

export class MemberFeed implements Disposable {
  readonly member: Member;
  /** What is behind the window. */
  readonly pages: PageReads;
  readonly #options: MemberFeedOptions;
  readonly #closed = new AbortController();
  readonly #createdMs: number;
  #isLate = false;
  #window: MemberWindow | undefined;
  #startedAt = 0;
  #landmark: Landmark | undefined;
  #epoch = 0;
  #epochReason = '';
  #firstEpoch = 0;
  #delayMs = 0;
  #upstream: AbortController | undefined;
  #isOpen = false;
  readonly #counter: TranscriptCounter;
  readonly #renewal: ConnectionRenewal;

  constructor(options: MemberFeedOptions) {
    this.member = options.member;
    this.#options = options;
    this.#landmark = options.landmark;
    const { member, clock, timeoutMs } = options;
    this.#createdMs = clock.monotonicMs();
    this.#renewal = new ConnectionRenewal(clock);
    this.pages = new PageReads({
      member,
      clock,
      timeoutMs,
      seen: () => this.#window?.seen ?? 0,
      ...(options.onCatchUp && { onRead: options.onCatchUp }),
      // Meanwhile the member cannot say where its log ends.
      pause: () => this.#renewal.pending,
      signal: this.#closed.signal,
    });
    this.#counter = new TranscriptCounter({
      member,
      clock,
      timeoutMs,
      signal: this.#closed.signal,
      onTick: (tick) => options.onTick?.(tick),
    });
    if (options.startAt !== undefined) this.#begin(options.startAt);
  }

  /** Undefined until the member was reached for the first time. */
  get window(): MemberWindow | undefined {
    return this.#window;
  }

  /** The position at which the feed, or the newest epoch of it, began. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** The log's end was not learned at the first attempt, or not soon: what came before it may be news to who waited for it. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** Counts how often the member's log turned out to be another one than was seen of it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** The epoch in which the feed began: whoever had no position before that has missed nothing. */
  get firstEpoch(): number {
    return this.#firstEpoch;
  }

  /** The newest event that was seen in the log; what is left of it when the feed is closed. */
  get landmark(): Landmark | undefined {
    return this.#landmark;
  }

  /** Why the newest epoch began: a reason of a desync. */
  get epochReason(): string {
    return this.#epochReason;
  }

  /** Milliseconds between the newest event, by the member's clock, and its arrival here; 0 before the first. */
  get delayMs(): number {
    return this.#delayMs;
  }

  get isLive(): boolean {
    return this.#upstream !== undefined;
  }

  /** Whether the upstream is connected or connecting, and not waiting for its next attempt. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Opens the upstream of a live member; closes it, and keeps window and position, when the member is no longer live. */
  setLive(isLive: boolean): void {
    if (isLive === this.isLive) return;
    this.#upstream?.abort(new DOMException('The member is not live', 'AbortError'));
    if (!isLive && !this.#window) this.#isLate = true;
    this.#upstream = isLive ? new AbortController() : undefined;
    if (this.#upstream) void this.#follow(this.#upstream.signal);
    this.#options.onChange();
  }

  /** Refs of the member whose growth is told; an adapter that has to ask for them gets the first 64. */
  watchTranscripts(refs: ReadonlySet<string>): void {
    this.#counter.watch(refs);
    this.#renewal.want(refs, { isAsking: this.member.tellsTranscripts ?? false });
  }

  [Symbol.dispose](): void {
    this.setLive(false);
    this.#closed.abort(new DOMException('The feed is closed', 'AbortError'));
  }

  /** Connects again and again until `signal` aborts. Never rejects. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, ids, logger, member } = this.#options;
    let failures = 0;
    let isRenewed = false;
    while (!signal.aborted) {
      try {
        // What was connected to a moment ago is the same log.
        if (!isRenewed) await this.#align(signal);
        for await (const page of this.#watch(signal)) {
          failures = 0;
          this.#take(page);
        }
      } catch (error) {
        if (!signal.aborted) logger.debug({ err: error, instance: member.name }, 'An upstream was lost');
        this.#renewal.giveUp();
      }
      // What comes between two connections is told of only by a position that it comes after.
      if (!this.#window) this.#isLate = true;
      isRenewed = this.#renewal.pending !== undefined;
      if (isRenewed) continue;
      failures += 1;
      await delay(clock, backoffMs(RECONNECT, failures, ids.random()), signal).catch(() => {});
    }
    this.#renewal.giveUp();
  }

  /** Learns whether it is the log that was seen; a member that cannot tell is trusted to say what it cannot go on from. */
  async #align(signal: AbortSignal): Promise<void> {
    const { clock, member, timeoutMs } = this.#options;
    using deadline = new Deadline(clock, timeoutMs(), signal);
    // Where offsets are not counted one by one, nothing can be asked for that ends at the landmark.
    const landmark = member.readLog ? undefined : this.#landmark;
    const query = landmark
      ? { after: landmark.offset - 1, first: 1 }
      : { after: this.#window?.seen ?? 0, first: 0 };
    const result = await readMemberLog(member, query, { signal: deadline.signal });
    signal.throwIfAborted();
    if (result.kind === 'failure') {
      if (result.failure.kind === 'notSupported') return;
      throw new Error(`The log of a member cannot be read: ${result.failure.reason}`);
    }
    const { newest } = result.answer;
    switch (judgeLog({ seen: this.#window?.seen, landmark }, result.answer)) {
      case 'same':
        if (!this.#window) this.#begin(newest);
        return;
      case 'cut':
        this.#begin(newest);
        return;
      case 'reset':
        this.#restart(newest, 'truncated');
        return;
      case 'other':
        this.#restart(newest, 'rotated');
        return;
    }
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<MemberEventPage> {
    const connection = this.#renewal.begin();
    const { asked } = connection;
    this.#isOpen = true;
    try {
      yield* this.member.watch({
        after: this.#window?.seen,
        signal: AbortSignal.any([signal, connection.signal]),
        ...(asked.size > 0 && { transcripts: [...asked] }),
      });
    } finally {
      if (this.#renewal.end(connection)) this.#isOpen = false;
    }
  }

  #take({ events, seen, desync, transcripts = [] }: MemberEventPage): void {
    if (desync !== undefined) this.#takeDesync(seen, desync);
    const window = this.#window ?? this.#begin(events[0] ? events[0].offset - 1 : seen);
    window.append(events.filter(isPublic), seen);
    const newest = events.at(-1);
    if (newest) {
      this.#landmark = { offset: newest.offset, type: newest.type, at: newest.at };
      this.#delayMs = Math.max(0, this.#options.clock.nowMs() - Date.parse(newest.at)) || 0;
    }
    this.#options.onChange();
    for (const tick of transcripts) if (this.#renewal.isAsked(tick.ref)) this.#options.onTick?.(tick);
    if (!this.member.tellsTranscripts) this.#counter.see(events);
  }

  /** A member whose log was cut goes on further ahead; any other one goes on in a way that nobody can follow. */
  #takeDesync(seen: number, reason: string): void {
    const isCut = reason === 'truncated' && this.#window !== undefined && seen > this.#window.seen;
    if (isCut) this.#begin(seen);
    else this.#restart(seen, reason);
  }

  #begin(position: number): MemberWindow {
    if (!this.#window && this.#options.clock.monotonicMs() - this.#createdMs > PROMPT_MS) this.#isLate = true;
    this.#startedAt = position;
    this.#window = new MemberWindow(position);
    this.#options.onChange();
    return this.#window;
  }

  #restart(position: number, reason: string): void {
    this.#landmark = undefined;
    this.#epoch += 1;
    this.#epochReason = reason;
    if (!this.#window) this.#firstEpoch = this.#epoch;
    this.#begin(position);
  }
}
