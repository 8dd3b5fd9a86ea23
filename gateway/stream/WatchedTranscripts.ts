/** The transcripts that one subscriber watches, and what it has not been told of them yet: of each the newest length. */
import type { TranscriptTick } from '../member/Member.ts';

export interface InstanceTick {
  /** The registered name of the member that has told it. */
  readonly instance: string;
  readonly tick: TranscriptTick;
}

export class WatchedTranscripts {
  readonly refs: ReadonlySet<string>;
  readonly #untold = new Map<string, InstanceTick>();

  constructor(refs: ReadonlySet<string>) {
    this.refs = refs;
  }

  /** Whether it is a transcript that is watched. */
  put(news: InstanceTick): boolean {
    const { ref } = news.tick;
    if (!this.refs.has(ref)) return false;
    this.#untold.set(ref, news);
    return true;
  }

  /** What has waited longest; undefined when there is nothing. */
  take(): InstanceTick | undefined {
    const [first] = this.#untold.values();
    if (first) this.#untold.delete(first.tick.ref);
    return first;
  }
}
