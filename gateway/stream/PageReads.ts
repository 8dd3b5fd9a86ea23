/**
 * The reads that catch subscribers up, of one member's log.
 *
 * However many subscribers are behind, a few reads are under way, and those that are at the same position share one: a page is
 * work for the member and, when it arrives, for everybody here.
 */
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import type { Member, MemberResult } from '../member/Member.ts';
import { type MemberLogPage, readMemberLog } from '../member/memberEvents.ts';

/** Events of one page. */
const PAGE_SIZE = 500;
/** Reads at the same time; the others wait in the order of asking. */
const MAX_READS = 4;

export interface PageRead {
  readonly result: MemberResult<MemberLogPage>;
  /** Where the feed was when the member was asked. */
  readonly seen: number;
}

export interface PageReadsOptions {
  readonly member: Member;
  readonly clock: Clock;
  /** Longest wait for one page once it was asked for, in milliseconds. */
  readonly timeoutMs: () => number;
  /** Where the feed is. */
  readonly seen: () => number;
  /** Ends every read. */
  readonly signal: AbortSignal;
}

export class PageReads {
  readonly #options: PageReadsOptions;
  /** By epoch and position. */
  readonly #reads = new Map<string, Promise<PageRead>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: PageReadsOptions) {
    this.#options = options;
  }

  /** @param epoch of the feed: what was asked of the log before it began anew is of no use after it. */
  read({ epoch, position }: { readonly epoch: number; readonly position: number }): Promise<PageRead> {
    const key = `${epoch}:${position}`;
    const read = this.#reads.get(key) ?? this.#read(position).finally(() => this.#reads.delete(key));
    this.#reads.set(key, read);
    return read;
  }

  async #read(position: number): Promise<PageRead> {
    if (this.#running < MAX_READS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const { member, clock, timeoutMs, signal } = this.#options;
    try {
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
