/**
 * The reads that catch subscribers up, of one member's log.
 *
 * However many subscribers are behind, a few reads are under way, and those that are at the same position share one: a page is
 * work for the member and, when it arrives, for everybody here. The newest pages are kept while anybody asks for what is in them,
 * so that those who are nearly at the same position come together at the end of one.
 */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import type { Member, MemberLogPage, MemberResult } from '../member/Member.ts';
import { readMemberLog } from '../member/memberEvents.ts';

/** Events of one page. */
const PAGE_SIZE = 500;
/** Reads at the same time, so that what is new at the member waits behind two at most; the others wait in the order of asking. */
const MAX_READS = 2;
/** Pages that are kept; the oldest leaves. */
const MAX_KEPT = 4;

export interface PageRead {
  readonly result: MemberResult<MemberLogPage>;
  /** Where the feed was when the member was asked. */
  readonly seen: number;
}

/** A position in the log, as it is known in one epoch of its feed: what was asked before is of no use after it. */
export interface LogPlace {
  readonly epoch: number;
  readonly position: number;
}

export interface PageReadsOptions {
  readonly member: Member;
  readonly clock: Clock;
  /** Longest wait for one page once it was asked for, in milliseconds. */
  readonly timeoutMs: () => number;
  /** Where the feed is. */
  readonly seen: () => number;
  /** What a read has to wait for; it may be more than one thing after another. @default nothing */
  readonly pause?: () => Promise<void> | undefined;
  /** Ends every read. */
  readonly signal: AbortSignal;
  /** A page is asked for. @default nobody hears of it */
  readonly onRead?: () => void;
}

/** A page that has come. */
interface KeptPage {
  readonly epoch: number;
  /** Everything after this position is in the page, up to `end`. */
  readonly after: number;
  readonly end: number;
  readonly answer: MemberLogPage;
  readonly seen: number;
  isWanted: boolean;
}

export class PageReads {
  readonly #options: PageReadsOptions;
  /** By epoch and position. */
  readonly #reads = new Map<string, Promise<PageRead>>();
  readonly #waiting: (() => void)[] = [];
  #kept: KeptPage[] = [];
  #running = 0;

  constructor(options: PageReadsOptions) {
    this.#options = options;
  }

  /** The events after a place, as far as one page has them. They may have come a while ago; where the log ends is asked anew. */
  async read({ epoch, position }: LogPlace): Promise<PageRead> {
    const kept = this.#fromKept({ epoch, position });
    if (kept) return kept;
    const key = `${epoch}:${position}`;
    const known = this.#reads.get(key);
    if (known) return known;
    const read = this.#read(position).finally(() => this.#reads.delete(key));
    this.#reads.set(key, read);
    const { result, seen } = await read;
    if (result.kind === 'answer') this.#keep(result.answer, { epoch, position, seen });
    return read;
  }

  /** Called now and then: pages of which nothing was asked for since the last time are given up. */
  rest(): void {
    this.#kept = this.#kept.filter(({ isWanted }) => isWanted);
    for (const page of this.#kept) page.isWanted = false;
  }

  #fromKept({ epoch, position }: LogPlace): PageRead | undefined {
    const page = this.#kept.find((one) => one.epoch === epoch && one.after <= position && position < one.end);
    if (!page) return undefined;
    page.isWanted = true;
    const events = page.answer.events.filter(({ offset }) => offset > position);
    return { result: { kind: 'answer', answer: { ...page.answer, events } }, seen: page.seen };
  }

  /** What is at the end of the log, or has a gap before it, is asked for again. */
  #keep(answer: MemberLogPage, { epoch, position, seen }: LogPlace & { readonly seen: number }): void {
    const { end = answer.events.at(-1)?.offset ?? position } = answer;
    if (position < answer.start || end <= position) return;
    if (this.#kept.length === MAX_KEPT) this.#kept.shift();
    this.#kept.push({ epoch, after: position, end, answer, seen, isWanted: true });
  }

  async #read(position: number): Promise<PageRead> {
    if (this.#running < MAX_READS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const { member, clock, timeoutMs, signal } = this.#options;
    try {
      for (let pause = this.#options.pause?.(); pause; pause = this.#options.pause?.()) await pause;
      this.#options.onRead?.();
      const seen = this.#options.seen();
      using deadline = new Deadline(clock, timeoutMs(), signal);
      const options = { signal: deadline.signal };
      const result = await readMemberLog(member, { after: position, first: PAGE_SIZE }, options);
      return { result, seen };
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
