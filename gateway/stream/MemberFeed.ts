/**
 * The one upstream of a member: while the member is live it is watched from the last position seen, and what arrives is
 * put into the window that all subscribers read (spec/manager.md § 14.5).
 *
 * Before each connection the log's ends are read. So a log that no longer holds the position (it was cut, or is another
 * one) is noticed whoever tells it; the window then starts anew at the log's end, as the next `epoch`.
 */
import { type BackoffPolicy, backoffMs } from '../../lib/backoff.ts';
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import { delay } from '../../lib/delay.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Member, MemberEventPage } from '../member/Member.ts';
import { readMemberLog } from '../member/memberEvents.ts';
import { isPublic } from './eventFilter.ts';
import { MemberWindow } from './MemberWindow.ts';
import { PageReads } from './PageReads.ts';

/** 1, 2, 4, 8, 16, 30, 30 … s, each give or take a fifth. */
const RECONNECT: BackoffPolicy = { initialMs: 1000, coefficient: 2, maximumMs: 30_000 };

/** A log whose end is known so soon after it was wanted, in milliseconds, is read from now on. */
export const PROMPT_MS = 2000;

export interface MemberFeedOptions {
  readonly member: Member;
  /** Where the feed starts, when that is known without asking. @default the end of the member's log when it is first reached */
  readonly startAt?: number;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** Longest wait for one read of the log, in milliseconds. */
  readonly timeoutMs: () => number;
  /** There may be something new to read. */
  readonly onChange: () => void;
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
  #epoch = 0;
  #epochReason = '';
  #upstream: AbortController | undefined;
  #isOpen = false;

  constructor(options: MemberFeedOptions) {
    this.member = options.member;
    this.#options = options;
    const { member, clock, timeoutMs } = options;
    this.#createdMs = clock.monotonicMs();
    this.pages = new PageReads({
      member,
      clock,
      timeoutMs,
      seen: () => this.#window?.seen ?? 0,
      signal: this.#closed.signal,
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

  /** Counts how often the member's log did not go on from the position that was seen of it. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Why the newest epoch began: a reason of a desync. */
  get epochReason(): string {
    return this.#epochReason;
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

  [Symbol.dispose](): void {
    this.setLive(false);
    this.#closed.abort(new DOMException('The feed is closed', 'AbortError'));
  }

  /** Connects again and again until `signal` aborts. Never rejects. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, ids, logger, member } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#align(signal);
        for await (const page of this.#watch(signal)) {
          failures = 0;
          this.#take(page);
        }
      } catch (error) {
        if (!signal.aborted) logger.debug({ err: error, instance: member.name }, 'An upstream was lost');
      }
      if (!this.#window) this.#isLate = true;
      failures += 1;
      await delay(clock, backoffMs(RECONNECT, failures, ids.random()), signal).catch(() => {});
    }
  }

  /** Learns where the log begins and ends; a member that cannot tell is trusted to say what it cannot go on from. */
  async #align(signal: AbortSignal): Promise<void> {
    const { clock, member, timeoutMs } = this.#options;
    using deadline = new Deadline(clock, timeoutMs(), signal);
    const position = this.#window?.seen ?? 0;
    const result = await readMemberLog(member, { after: position, first: 0 }, { signal: deadline.signal });
    signal.throwIfAborted();
    if (result.kind === 'failure') {
      if (result.failure.kind === 'notSupported') return;
      throw new Error(`The log of a member cannot be read: ${result.failure.reason}`);
    }
    const { newest, start } = result.answer;
    if (!this.#window) this.#begin(newest);
    else if (position > newest || position < start) this.#restart(newest, 'truncated');
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<MemberEventPage> {
    this.#isOpen = true;
    try {
      yield* this.#options.member.watch({ after: this.#window?.seen, signal });
    } finally {
      this.#isOpen = false;
    }
  }

  #take({ events, seen, desync }: MemberEventPage): void {
    if (desync !== undefined) this.#restart(seen, desync);
    const window = this.#window ?? this.#begin(events[0] ? events[0].offset - 1 : seen);
    window.append(events.filter(isPublic), seen);
    this.#options.onChange();
  }

  #begin(position: number): MemberWindow {
    if (!this.#window && this.#options.clock.monotonicMs() - this.#createdMs > PROMPT_MS) this.#isLate = true;
    this.#startedAt = position;
    this.#window = new MemberWindow(position);
    this.#options.onChange();
    return this.#window;
  }

  #restart(position: number, reason: string): void {
    this.#epoch += 1;
    this.#epochReason = reason;
    this.#begin(position);
  }
}
