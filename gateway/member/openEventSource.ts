/** One SSE connection to a member: judged address, no redirects, nothing of a caller (spec/manager.md § 14.5). */
import { Client } from 'undici';
import type { AddressGuard } from '../../lib/AddressGuard.ts';
import type { Clock } from '../../lib/Clock.ts';
import { CallFailed } from './CallFailed.ts';
import { type EventFrame, EventStreamParser } from './EventStreamParser.ts';
import { guardedConnector } from './HttpConnection.ts';
import type { MemberFailure } from './Member.ts';
import { toMemberFailure } from './memberFailure.ts';
import type { StreamPace } from './StreamPace.ts';

/** Longest wait for the connection, and for the head of the answer after it, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Intervals that may pass in silence. */
const MISSED_KEEP_ALIVES = 3;
/** Most frames that are given together: whoever reads them takes one turn of the event loop for them. */
const MAX_BATCH = 32;
/** Bytes that are as much work as a frame. */
const STEP_BYTES = 4_096;

export interface EventSourceOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  /** On that host, with query. */
  readonly path: string;
  /** JSON text. @default none */
  readonly body?: string | undefined;
  /** Beside those of every stream. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  /** The interval in which the member is expected to say that it is there, in milliseconds. */
  readonly keepAliveMs: number;
  /** Each frame is a step, and so is each piece in which they come, or every 4 KiB of one that is larger. */
  readonly pace: StreamPace;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/**
 * Frames in order, up to 32 of what has arrived together; none for a piece that only says that the member is there. What is not read
 * stays with the member: it can neither fill our memory nor keep others from their turns. Silence for three keep-alive intervals ends
 * the connection: the interval is the expected one or the longest silence so far, whichever is more.
 *
 * Ends when `signal` aborts. The socket is gone when the iteration is over, however it ends.
 *
 * @throws {CallFailed} when the connection cannot be made or is lost, or the member serves no stream.
 */
export async function* openEventSource(
  options: EventSourceOptions,
): AsyncGenerator<readonly EventFrame[], void> {
  const { origin, method, path, body: sent, token, guard, clock, keepAliveMs, pace, signal } = options;
  const client = new Client(origin, {
    connect: guardedConnector(guard),
    headersTimeout: CONNECT_TIMEOUT_MS,
    bodyTimeout: 0,
    allowH2: false,
  });
  const watchdog = new AbortController();
  const ended = AbortSignal.any([signal, watchdog.signal]);
  using silence = new SilenceTimer(clock, keepAliveMs, () => watchdog.abort());
  try {
    const { statusCode, headers, body } = await client.request({
      method,
      path,
      headers: {
        ...options.headers,
        accept: 'text/event-stream',
        'cache-control': 'no-cache',
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(sent !== undefined && { body: sent }),
      signal: ended,
    });
    const refusal = refusalOf(statusCode, headers['content-type']);
    if (refusal) throw new CallFailed(refusal);
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      silence.hear();
      const piece = chunk as Buffer;
      await pace.next(ended, Math.ceil(piece.byteLength / STEP_BYTES));
      for (const frames of batchesOf(parser.push(decoder.decode(piece, { stream: true })))) {
        await pace.next(ended, frames.length);
        ended.throwIfAborted();
        yield frames;
      }
    }
    throw new CallFailed({ kind: 'transport', reason: 'the member ended the stream' });
  } catch (error) {
    if (signal.aborted) return;
    if (watchdog.signal.aborted) throw new CallFailed({ kind: 'timeout', reason: 'no keep-alive' });
    throw error instanceof CallFailed ? error : new CallFailed(toMemberFailure(error, signal));
  } finally {
    // Not closed politely: the stream has no end that could be waited for.
    await client.destroy();
  }
}

/** At least one, which may be empty. */
function* batchesOf(frames: readonly EventFrame[]): Generator<readonly EventFrame[]> {
  if (frames.length === 0) yield frames;
  for (let from = 0; from < frames.length; from += MAX_BATCH) yield frames.slice(from, from + MAX_BATCH);
}

function refusalOf(status: number, contentType: string | string[] | undefined): MemberFailure | undefined {
  if (status === 404) return { kind: 'notSupported', reason: 'the member serves no stream' };
  if (status !== 200) return { kind: 'status', status, reason: `HTTP ${status}` };
  return String(contentType).startsWith('text/event-stream')
    ? undefined
    : { kind: 'malformed', reason: 'the answer is not an event stream' };
}

/** Calls back once nothing was heard for too long. */
class SilenceTimer implements Disposable {
  readonly #clock: Clock;
  readonly #onSilence: () => void;
  #longestMs: number;
  #heardMs: number;
  #timer: Disposable;

  constructor(clock: Clock, intervalMs: number, onSilence: () => void) {
    this.#clock = clock;
    this.#longestMs = intervalMs;
    this.#onSilence = onSilence;
    this.#heardMs = clock.monotonicMs();
    this.#timer = this.#arm();
  }

  hear(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#heardMs);
    this.#heardMs = nowMs;
    this.#timer[Symbol.dispose]();
    this.#timer = this.#arm();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #arm(): Disposable {
    return this.#clock.schedule(this.#longestMs * MISSED_KEEP_ALIVES, this.#onSilence);
  }
}
