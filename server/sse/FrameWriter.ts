/** Writes frames at the pace of the reader, and says that it is still there when there is nothing to write. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../lib/Clock.ts';
import type { Turns } from '../../lib/Turns.ts';
import { formatFinalFrame, KEEP_ALIVE_FRAME } from './frames.ts';

/** Keep-alive intervals in which a reader takes nothing before it counts as gone, unless a time is given. */
const MAX_STALLED_INTERVALS = 3;

/** Characters of frames that are collected for one write. */
const MAX_COLLECTED = 16_384;

export interface FrameWriterOptions {
  readonly clock: Clock;
  /** Idleness after which a comment is written, in milliseconds. */
  readonly keepAliveMs: number;
  /** How long a reader may take nothing before it counts as gone, in milliseconds. @default three times `keepAliveMs` */
  readonly maxStallMs?: number;
  /** Shared by all readers. */
  readonly turns: Turns;
  readonly signal: AbortSignal;
  /** Where the reader is before the first frame. */
  readonly cursor: string;
}

/** What is written in one turn of the event loop is handed over at once. Disposing stops the keep-alive and leaves the response open. */
export class FrameWriter implements Disposable {
  readonly #response: ServerResponse;
  readonly #options: FrameWriterOptions;
  #timer: Disposable;
  #collected = '';
  #lastFrameMs: number;
  #stalledIntervals = 0;
  #cursor: string;

  constructor(response: ServerResponse, options: FrameWriterOptions) {
    this.#response = response;
    this.#options = options;
    this.#cursor = options.cursor;
    this.#lastFrameMs = options.clock.monotonicMs();
    this.#timer = this.#schedule(options.keepAliveMs);
  }

  /**
   * Resolves when the reader can take more: at most one frame waits here, whatever the reader does, and 16 KiB with it.
   *
   * @param cursor where the reader is behind it. @default where it was
   * @throws the reason of `signal` when it aborts first; a reader that takes nothing for `maxStallMs` is cut off.
   */
  async write(text: string, cursor = this.#cursor): Promise<void> {
    const { signal, turns, clock } = this.#options;
    await turns.next();
    signal.throwIfAborted();
    this.#lastFrameMs = clock.monotonicMs();
    this.#stalledIntervals = 0;
    // What was handed over counts as read, also when the stream ends before there is room for more.
    this.#cursor = cursor;
    this.#collect(text);
    if (this.#response.writableNeedDrain) await once(this.#response, 'drain', { signal });
  }

  /** The reader is shown nothing of what lies before `cursor`. */
  pass(cursor: string): void {
    this.#cursor = cursor;
  }

  /** Ends the response; when the instance stops with the position, from which the reader goes on when it comes back. */
  end({ isStopping }: { readonly isStopping: boolean }): void {
    this.#flush();
    this.#response.end(isStopping ? formatFinalFrame(this.#cursor) : '');
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  /** The end of the turn comes when all that is ready now was collected. */
  #collect(text: string): void {
    if (this.#collected === '') process.nextTick(() => this.#flush());
    this.#collected += text;
    if (this.#collected.length >= MAX_COLLECTED) this.#flush();
  }

  #flush(): void {
    const text = this.#collected;
    this.#collected = '';
    if (text !== '' && !this.#response.destroyed) this.#response.write(text);
  }

  #schedule(delayMs: number): Disposable {
    return this.#options.clock.schedule(delayMs, () => this.#tick());
  }

  #tick(): void {
    const { clock, keepAliveMs, maxStallMs = MAX_STALLED_INTERVALS * keepAliveMs } = this.#options;
    const dueInMs = this.#lastFrameMs + keepAliveMs - clock.monotonicMs();
    this.#timer = this.#schedule(dueInMs > 0 ? dueInMs : keepAliveMs);
    if (dueInMs > 0) return;
    if (!this.#response.writableNeedDrain) {
      this.#stalledIntervals = 0;
      this.#response.write(KEEP_ALIVE_FRAME);
      return;
    }
    this.#stalledIntervals += 1;
    if (this.#stalledIntervals * keepAliveMs >= maxStallMs) this.#response.destroy();
  }
}
