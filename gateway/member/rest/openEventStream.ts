/** The event stream of a member of the REST contract (spec/manager.md § 14.5). */

import type { AddressGuard } from '../../../lib/AddressGuard.ts';
import type { Clock } from '../../../lib/Clock.ts';
import type { EventFrame } from '../EventStreamParser.ts';
import { formatTarget } from '../formatTarget.ts';
import { openEventSource } from '../openEventSource.ts';
import type { StreamPace } from '../StreamPace.ts';

/** The least interval in which a service is expected to say that it is there, in milliseconds. */
const KEEP_ALIVE_MS = 15_000;

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
  /** Of all live streams of the member; a replay has its own. */
  readonly pace: StreamPace;
  /** Ends the connection. */
  readonly signal: AbortSignal;
}

/** As `openEventSource`. @throws {CallFailed} as that. */
export function openEventStream(options: EventStreamOptions): AsyncGenerator<readonly EventFrame[], void> {
  const {
    url,
    after,
    transcripts = [],
    keepAliveMs = KEEP_ALIVE_MS,
    token,
    guard,
    clock,
    pace,
    signal,
  } = options;
  const { origin, pathname } = new URL(url);
  const path = `${pathname.replace(/\/+$/, '')}/api/v1/stream`;
  return openEventSource({
    origin,
    method: 'GET',
    path: formatTarget(path, { transcript: transcripts }),
    headers: after === undefined ? {} : { 'last-event-id': String(after) },
    token,
    guard,
    clock,
    keepAliveMs: Math.max(KEEP_ALIVE_MS, keepAliveMs),
    pace,
    signal,
  });
}
