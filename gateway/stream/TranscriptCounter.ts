/**
 * Transcript ticks of a member whose event stream tells none: an event of a task is the hint, the member's count is the tick.
 *
 * One question is under way at a time; what happens meanwhile is one more question for each ref, however much it is.
 */
import { parse } from 'graphql';
import type { Clock } from '../../lib/Clock.ts';
import { Deadline } from '../../lib/Deadline.ts';
import type { Member, MemberEvent, TranscriptTick } from '../member/Member.ts';
import { asRecord } from '../member/parseMemberJson.ts';

const COUNT_LINES = `query CountTranscript($ref: ID!) { transcript(ref: $ref, tail: 1) { totalLines } }`;
const COUNT_LINES_DOCUMENT = parse(COUNT_LINES);

export interface TranscriptCounterOptions {
  readonly member: Member;
  readonly clock: Clock;
  /** Longest wait for one count, in milliseconds. */
  readonly timeoutMs: () => number;
  /** Ends every question. */
  readonly signal: AbortSignal;
  /** A transcript has another length than was told last. Must not throw. */
  readonly onTick: (tick: TranscriptTick) => void;
}

export class TranscriptCounter {
  readonly #options: TranscriptCounterOptions;
  readonly #told = new Map<string, number>();
  readonly #touched = new Set<string>();
  #watched: ReadonlySet<string> = new Set();
  #isCounting = false;

  constructor(options: TranscriptCounterOptions) {
    this.#options = options;
  }

  /** From now on these refs, and no others. */
  watch(refs: ReadonlySet<string>): void {
    this.#watched = refs;
    for (const ref of this.#told.keys()) if (!refs.has(ref)) this.#told.delete(ref);
  }

  /** Events that the member has told. A count that fails is not repeated before the next event of its task. */
  see(events: readonly MemberEvent[]): void {
    for (const { type, ref } of events) {
      if (ref !== null && type.startsWith('task.') && this.#watched.has(ref)) this.#touched.add(ref);
    }
    if (this.#touched.size > 0 && !this.#isCounting) void this.#countAll();
  }

  async #countAll(): Promise<void> {
    this.#isCounting = true;
    for (const ref of this.#touched) {
      this.#touched.delete(ref);
      const totalLines = await this.#count(ref);
      if (totalLines === undefined || !this.#watched.has(ref)) continue;
      if ((this.#told.get(ref) ?? 0) === totalLines) continue;
      this.#told.set(ref, totalLines);
      this.#options.onTick({ ref, totalLines });
    }
    this.#isCounting = false;
  }

  async #count(ref: string): Promise<number | undefined> {
    const { member, clock, timeoutMs, signal } = this.#options;
    if (signal.aborted) return undefined;
    using deadline = new Deadline(clock, timeoutMs(), signal);
    const request = {
      text: COUNT_LINES,
      document: COUNT_LINES_DOCUMENT,
      operationName: 'CountTranscript',
      variables: { ref },
    };
    const result = await member.execute(request, { signal: deadline.signal });
    if (result.kind === 'failure') return undefined;
    const totalLines = asRecord(result.answer.data?.transcript)?.totalLines;
    return Number.isSafeInteger(totalLines) ? (totalLines as number) : undefined;
  }
}
