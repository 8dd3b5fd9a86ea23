/** Writes frames at the pace of the reader, and says that it is still there when there is nothing to write. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../lib/Clock.ts';
import type { Turns } from '../../lib/Turns.ts';
import { KEEP_ALIVE_FRAME } from './frames.ts';

/** Keep-alive intervals in which a reader takes nothing before it counts as gone. */
const MAX_STALLED_INTERVALS = 3;

export interface FrameWriterOptions {
  readonly clock: Clock;
  /** Idleness after which a comment is written, in milliseconds. */
  readonly keepAliveMs: number;
  /** Shared by all readers. */
  readonly turns: Turns;
  readonly signal: AbortSignal;
}

/** Disposing stops the keep-alive and leaves the response open. */
export class FrameWriter implements Disposable {
  readonly #response: ServerResponse;
  readonly #options: FrameWriterOptions;
  #timer: Disposable;
  #stalledIntervals = 0;

  constructor(response: ServerResponse, options: FrameWriterOptions) {
    this.#response = response;
    this.#options = options;
    this.#timer = this.#schedule();
  }

  /**
   * Resolves when the reader can take more: at most one frame waits here, whatever the reader does.
   *
   * @throws the reason of `signal` when it aborts first; a reader that takes nothing for three intervals is cut off.
   */
  async write(text: string): Promise<void> {
    const { signal, turns } = this.#options;
    await turns.next();
    signal.throwIfAborted();
    this.#timer[Symbol.dispose]();
    this.#timer = this.#schedule();
    this.#stalledIntervals = 0;
    if (!this.#response.write(text)) await once(this.#response, 'drain', { signal });
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #schedule(): Disposable {
    return this.#options.clock.schedule(this.#options.keepAliveMs, () => this.#tick());
  }

  #tick(): void {
    this.#timer = this.#schedule();
    if (!this.#response.writableNeedDrain) {
      this.#stalledIntervals = 0;
      this.#response.write(KEEP_ALIVE_FRAME);
      return;
    }
    this.#stalledIntervals += 1;
    if (this.#stalledIntervals >= MAX_STALLED_INTERVALS) this.#response.destroy();
  }
}
