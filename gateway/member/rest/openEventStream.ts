/** One SSE connection to a member: judged address, no redirects, nothing of a caller (spec/manager.md § 14.5). */
import { Client } from 'undici';
import type { Clock } from '../../../lib/Clock.ts';
import type { AddressGuard } from '../AddressGuard.ts';
import { guardedConnector } from '../HttpConnection.ts';
import type { MemberFailure } from '../Member.ts';
import { toMemberFailure } from '../memberFailure.ts';
import { type EventFrame, EventStreamParser } from './EventStreamParser.ts';
import { CallFailed, formatTarget } from './RestCalls.ts';

/** Longest wait for the connection, and for the head of the answer after it, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;
/** The least interval in which a service is expected to say that it is there, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;
/** Intervals that may pass in silence. */
const MISSED_KEEP_ALIVES = 3;

export interface EventStreamOptions {
  /** The registered URL. */
  readonly url: string;
  readonly token: string | undefined;
  readonly guard: AddressGuard;
  readonly clock: Clock;
  /** Position after which the stream is to go on. @default the log's end */
  readonly after?: number | undefined;
  /** Refs whose transcripts are watched. @default none */
  readonly transcripts?: readonly string[];
  /** A hint at the interval in which the member says that it is there, in milliseconds. @default 15_000, which is also the least */
  readonly keepAliveMs?: number;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/**
 * The frames of each piece that arrives, in order; a piece that only says that the member is there has none. Silence for three
 * keep-alive intervals ends the connection: the interval is that of the hint or the longest silence so far, whichever is more.
 *
 * Ends when `signal` aborts. The socket is gone when the iteration is over, however it ends.
 *
 * @throws {CallFailed} when the connection cannot be made or is lost, or the member serves no stream.
 */
export async function* openEventStream(
  options: EventStreamOptions,
): AsyncGenerator<readonly EventFrame[], void> {
  const { url, guard, clock, after, transcripts = [], token, keepAliveMs = KEEP_ALIVE_MS, signal } = options;
  const { origin, pathname } = new URL(url);
  const client = new Client(origin, {
    connect: guardedConnector(guard),
    headersTimeout: CONNECT_TIMEOUT_MS,
    bodyTimeout: 0,
    allowH2: false,
  });
  const path = `${pathname.replace(/\/+$/, '')}/api/v1/stream`;
  const watchdog = new AbortController();
  const ended = AbortSignal.any([signal, watchdog.signal]);
  using silence = new SilenceTimer(clock, Math.max(KEEP_ALIVE_MS, keepAliveMs), () => watchdog.abort());
  try {
    const { statusCode, headers, body } = await client.request({
      method: 'GET',
      path: formatTarget(path, { transcript: transcripts }),
      headers: {
        accept: 'text/event-stream',
        'cache-control': 'no-cache',
        ...(after !== undefined && { 'last-event-id': String(after) }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      signal: ended,
    });
    const refusal = refusalOf(statusCode, headers['content-type']);
    if (refusal) throw new CallFailed(refusal);
    const parser = new EventStreamParser();
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      silence.hear();
      yield parser.push(decoder.decode(chunk as Buffer, { stream: true }));
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
