/** A member's live event log over `graphql-ws`: one socket, one subscription, a bounded buffer. */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { AddressGuard } from '../../lib/AddressGuard.ts';
import type { Clock } from '../../lib/Clock.ts';
import type { MemberEvent, MemberEventPage } from './Member.ts';
import { toMemberEvent, WATCH_EVENTS } from './memberEvents.ts';
import { MAX_ANSWER_BYTES, toMemberFailure } from './memberFailure.ts';
import { asRecord, dropPrototypeKey } from './parseMemberJson.ts';
import { watchSocket } from './watchSocket.ts';

/** Most events of one page. */
const PAGE_SIZE = 256;
/** Events that may wait for the reader; then the socket is paused, and the member waits. */
const MAX_BUFFERED = 1024;
/** Longest wait for the handshake and for the acknowledgement, in milliseconds each. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface WatchEventsOptions {
  /** ws or wss URL of the member's GraphQL endpoint. */
  readonly url: string;
  readonly token: string | undefined;
  readonly after: number | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds between pings; a frozen peer is noticed after one to two of them. */
  readonly keepAliveMs: number;
  /** Judges the addresses of the URL's host. */
  readonly guard: AddressGuard;
}

/**
 * Pages of what has arrived, in order. Ends when `signal` aborts or the reader leaves; throws when the connection is
 * lost or the member sends something that is not an event.
 */
export async function* watchEvents(options: WatchEventsOptions): AsyncGenerator<MemberEventPage, void> {
  const { url, token, after, signal, clock, keepAliveMs, guard } = options;
  const refusal = guard.refusalOf(new URL(url).hostname);
  if (refusal) throw streamLost(describe(refusal, signal));
  const inbox = new Inbox();
  let socket: WebSocket | undefined;
  const client = createClient({
    url,
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocol: string) {
        super(address, protocol, {
          headers: toHeaders(token),
          handshakeTimeout: CONNECT_TIMEOUT_MS,
          maxPayload: MAX_ANSWER_BYTES,
          perMessageDeflate: false,
          followRedirects: false,
          lookup: guard.lookup,
        });
        socket = this;
        inbox.attach(this);
        watchSocket(this, clock, keepAliveMs);
      }
    },
    // A server that reads no headers of a WebSocket finds the token here.
    connectionParams: toHeaders(token),
    connectionAckWaitTimeout: CONNECT_TIMEOUT_MS,
    lazy: true,
    retryAttempts: 0,
    jsonMessageReviver: dropPrototypeKey,
  });
  if (signal.aborted) return;
  const onAbort = (): void => inbox.end();
  signal.addEventListener('abort', onAbort, { once: true });
  client.subscribe(
    { query: WATCH_EVENTS, variables: { after: after === undefined ? null : String(after) } },
    {
      next: ({ data }) => inbox.push(data?.events),
      error: (cause) => inbox.end(streamLost(describe(cause, signal))),
      complete: () => inbox.end(streamLost('the member ended it')),
    },
  );
  try {
    for (let page = await inbox.take(); page; page = await inbox.take()) yield page;
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not closed politely: a frozen peer would keep the socket for as long as it is frozen.
    socket?.terminate();
  }
}

/** What has arrived and was not read. */
class Inbox {
  #socket: WebSocket | undefined;
  #events: MemberEvent[] = [];
  #end: { readonly error: Error | undefined } | undefined;
  #wake: (() => void) | undefined;

  attach(socket: WebSocket): void {
    this.#socket = socket;
  }

  push(value: unknown): void {
    const event = toMemberEvent(value);
    if (!event) this.end(streamLost('the member sent something that is not an event'));
    if (!event || this.#end) return;
    this.#events.push(event);
    if (this.#events.length >= MAX_BUFFERED) this.#socket?.pause();
    this.#wake?.();
  }

  /** What waits is forgotten: it is read again from the position of the last page. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** The next page; undefined at the end. @throws what the inbox was ended with. */
  async take(): Promise<MemberEventPage | undefined> {
    while (this.#events.length === 0 && !this.#end) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#end?.error) throw this.#end.error;
    if (this.#end) return undefined;
    const page = toPage(this.#events.splice(0, pageLength(this.#events)));
    if (this.#events.length === 0) this.#socket?.resume();
    return page;
  }
}

/** A desync is a page of its own, so that nothing from before it comes after it. */
function pageLength(events: readonly MemberEvent[]): number {
  const desync = events.slice(0, PAGE_SIZE).findIndex(isDesync);
  if (desync === -1) return PAGE_SIZE;
  return Math.max(1, desync);
}

function toPage(events: readonly MemberEvent[]): MemberEventPage {
  const seen = events.at(-1)?.offset ?? 0;
  const desync = events.find(isDesync);
  if (desync) return { events: [], seen, desync: reasonOf(desync) };
  return { events: events.filter(({ type }) => type !== 'stream.bookmark'), seen };
}

function isDesync({ type }: MemberEvent): boolean {
  return type === 'stream.desync';
}

function reasonOf({ data }: MemberEvent): string {
  const reason = asRecord(data)?.reason;
  return typeof reason === 'string' && /^[a-z-]{1,40}$/.test(reason) ? reason : 'member';
}

function streamLost(how: string): Error {
  return new Error(`The event stream of a member was lost: ${how}`);
}

/** What `graphql-ws` reports: a list of GraphQL errors, a close event, or an error event of the socket. */
function describe(cause: unknown, signal: AbortSignal): string {
  if (Array.isArray(cause)) return 'the member refused the subscription';
  const { code, error } = asRecord(cause) ?? {};
  if (typeof code === 'number') return `connection closed (${code})`;
  const status =
    error instanceof Error ? /^Unexpected server response: (\d{3})$/.exec(error.message)?.[1] : undefined;
  return status === undefined ? toMemberFailure(error ?? cause, signal).reason : `HTTP ${status}`;
}

function toHeaders(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
