/** The live stream as an iterator that outlives its connections (spec/manager.md § 14). */
import { type BackoffPolicy, backoffMs } from '../lib/backoff.ts';
import type { Clock } from '../lib/Clock.ts';
import { closableIterable } from '../lib/closableIterable.ts';
import { delay } from '../lib/delay.ts';
import type { Event, StreamEventsInput } from '../schema/generated/clientOperations.ts';
import { ClientError, isTransient } from './ClientError.ts';
import { type Frame, FrameParser } from './FrameParser.ts';
import { requestStream, type TransportOptions, toFailure } from './request.ts';

const BACKOFF: BackoffPolicy = { initialMs: 1000, coefficient: 2, maximumMs: 30_000 };

/** Three of the intervals in which an instance says that it is there, in milliseconds. */
const IDLE_TIMEOUT_MS = 45_000;

/** What the stream tells, by `type`. */
export type StreamFrame =
  /** An event. `cursor` is the position after it. */
  | { readonly type: 'log'; readonly cursor: string; readonly event: Event }
  /** A transcript that is watched has so many entries now. */
  | { readonly type: 'transcript'; readonly ref: string; readonly totalLines: number }
  /**
   * Events were missed: read the state again. `reason` is the instance's, `bad-cursor` when it does not know the position any more, or
   * `no-position` when a connection was lost before it had told one. `instance` is the member that it is about, if it is one.
   */
  | {
      readonly type: 'desync';
      readonly reason: string;
      readonly cursor: string | undefined;
      readonly instance: string | undefined;
    };

export interface StreamOptions extends StreamEventsInput {
  /** The `cursor` of the last frame that was seen. @default from now on */
  readonly after?: string;
  /** Ends the iteration: its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Silence after which a connection counts as lost, in milliseconds. @default 45_000 */
  readonly idleTimeoutMs?: number;
  /** Told of each loss before the wait. What it throws ends the iteration. */
  readonly onRetry?: (error: ClientError, delayMs: number) => void;
}

interface Reading extends StreamOptions {
  readonly transport: TransportOptions;
  /** A number from 0 to 1, for jitter. */
  readonly random: () => number;
}

/**
 * 1. Each event that the instance still has is told once, in the order of the stream, whatever becomes of its connections.
 * 2. What may have been missed is told as a `desync`, once the connection behind it is there.
 * 3. Leaving the loop, or `return()` at any time, closes the connection.
 *
 * A connection that is lost is made again after the wait that the instance asks for, doubled up to 30 s, as long as it takes.
 *
 * @throws {ClientError} when the first connection cannot be made; later only for what no retry can mend.
 */
export function readStream(reading: Reading): AsyncGenerator<StreamFrame> {
  return closableIterable((left) => {
    const signals = [left, reading.signal, reading.transport.signal].filter((one) => one !== undefined);
    return readOn(reading, AbortSignal.any(signals));
  });
}

async function* readOn(reading: Reading, signal: AbortSignal): AsyncGenerator<StreamFrame> {
  const { transport, random, onRetry } = reading;
  let cursor = reading.after;
  let policy = BACKOFF;
  let attempt = 0;
  let wasOpen = false;
  let missed: string | undefined;
  for (;;) {
    let failure: ClientError;
    try {
      const connection = new StreamConnection(reading, signal);
      try {
        await connection.open(cursor);
        wasOpen = true;
        if (missed !== undefined) yield { type: 'desync', reason: missed, cursor, instance: undefined };
        missed = undefined;
        for (let frames = await connection.next(); frames; frames = await connection.next()) {
          attempt = 0;
          for (const frame of frames) {
            if (frame.retryMs !== undefined) policy = { ...BACKOFF, initialMs: frame.retryMs };
            const told = toStreamFrame(frame);
            cursor = (told?.type === 'desync' ? told.cursor : frame.id) ?? cursor;
            if (told) yield told;
          }
        }
      } finally {
        connection.close();
      }
      failure = new ClientError('UNREACHABLE', 'The instance has ended the stream');
    } catch (error) {
      if (signal.aborted || !wasOpen || !(error instanceof ClientError)) throw error;
      failure = error;
    }
    if (failure.status === 400 && cursor !== undefined) {
      // The instance is another one than it was, perhaps of another role: its positions begin anew.
      cursor = undefined;
      missed = 'bad-cursor';
      continue;
    }
    if (!isTransient(failure)) throw failure;
    if (cursor === undefined) missed ??= 'no-position';
    attempt += 1;
    const delayMs = failure.retryAfterMs ?? backoffMs(policy, attempt, random());
    onRetry?.(failure, delayMs);
    await delay(transport.clock, delayMs, signal);
  }
}

/** One connection, which ends after too long a silence. */
class StreamConnection {
  readonly #options: Reading;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #end = new AbortController();
  readonly #parser = new FrameParser();
  readonly #decoder = new TextDecoder();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(options: Reading, signal: AbortSignal) {
    this.#options = options;
    this.#clock = options.transport.clock;
    this.#signal = signal;
  }

  async open(cursor: string | undefined): Promise<void> {
    const { workItem, transcript, transport } = this.#options;
    const headers = {
      accept: 'text/event-stream',
      ...(cursor !== undefined && { 'last-event-id': cursor }),
    };
    const target = { method: 'GET', path: '/api/v1/stream', query: { workItem, transcript }, headers };
    const signal = AbortSignal.any([this.#signal, this.#end.signal]);
    this.#reader = (await requestStream(transport, target, signal)).getReader();
  }

  /** The frames of the next piece, perhaps none; undefined at the end of the stream. */
  async next(): Promise<readonly Frame[] | undefined> {
    const { idleTimeoutMs = IDLE_TIMEOUT_MS } = this.#options;
    const silence = this.#clock.schedule(idleTimeoutMs, () =>
      this.#end.abort(new ClientError('TIMED_OUT', `The stream was silent for ${idleTimeoutMs} ms`)),
    );
    try {
      const { value, done = true } = (await this.#reader?.read()) ?? {};
      return done ? undefined : this.#parser.push(this.#decoder.decode(value, { stream: true }));
    } catch (error) {
      if (error instanceof RangeError) throw new ClientError('MALFORMED', error.message, { cause: error });
      throw toFailure(this.#end.signal.aborted ? this.#end.signal.reason : error, this.#signal);
    } finally {
      silence[Symbol.dispose]();
    }
  }

  close(): void {
    this.#end.abort(new DOMException('The stream is closed', 'AbortError'));
  }
}

/** Undefined for frames of kinds that are not known, and those that only move the position. */
function toStreamFrame({ id, event, data }: Frame): StreamFrame | undefined {
  if (event === 'log' && id !== undefined) {
    return { type: 'log', cursor: id, event: readRow(data) as unknown as Event };
  }
  if (event === 'transcript') {
    const { ref, totalLines } = readRow(data);
    return { type: 'transcript', ref: String(ref), totalLines: Number(totalLines) };
  }
  if (event !== 'desync') return undefined;
  const { reason, cursor, instance } = readRow(data);
  return { type: 'desync', reason: String(reason), cursor: textOf(cursor), instance: textOf(instance) };
}

function readRow(data: string): Readonly<Record<string, unknown>> {
  try {
    const row: unknown = JSON.parse(data);
    if (typeof row === 'object' && row !== null) return row as Record<string, unknown>;
  } catch {
    // Told below, like whatever else is no object.
  }
  throw new ClientError('MALFORMED', 'A frame of the stream carries no object');
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
