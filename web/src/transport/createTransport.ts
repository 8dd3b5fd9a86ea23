/** The wire: queries and mutations over HTTP, the live stream over a WebSocket, both at the page's own instance. */
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient, type Client as SocketClient } from 'graphql-ws';
import type { EventSource } from '../live/LiveStream.ts';
import { StreamPositionQuery, TaskEventsSubscription } from '../live/queries.graphql.ts';
import type { Platform } from '../platform.ts';

/** A request without an answer after this time has failed; a slow member may cost a manager up to 10 s. */
const REQUEST_TIMEOUT_MS = 30_000;
const PING_INTERVAL_MS = 10_000;
/** A connection that leaves a ping unanswered for this long is given up. */
const PONG_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface Transport {
  readonly client: Client;
  readonly events: EventSource;
}

/** The end of a subscription by the server's refusal: GraphQL errors instead of events. */
class SubscriptionRefused extends Error {
  readonly isCursorUnknown: boolean;

  constructor(
    errors: readonly { readonly message: string; readonly extensions?: Record<string, unknown> }[],
  ) {
    super(errors[0]?.message ?? 'The subscription was refused');
    this.name = 'SubscriptionRefused';
    this.isCursorUnknown = errors.some(({ extensions }) => extensions?.code === 'BAD_USER_INPUT');
  }
}

/** `endpoint` is the HTTP address of the GraphQL endpoint; the WebSocket is at the same address. */
export function createTransport(endpoint: URL, platform: Platform): Transport {
  const socket = createSocket(endpoint, platform);
  const client = new Client({
    url: endpoint.href,
    preferGetMethod: false,
    // No cache: every view keeps its own state, and the live stream keeps it up to date.
    requestPolicy: 'network-only',
    fetch: fetchInTime,
    exchanges: [
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query, variables }) => ({
          subscribe(sink) {
            const unsubscribe = socket.subscribe(
              { query: query ?? '', variables },
              {
                next: sink.next,
                // An array would be told like the errors of one event; this is the end of the stream.
                error: (error) => sink.error(Array.isArray(error) ? new SubscriptionRefused(error) : error),
                // A task stream has no end of its own: the server is stopping.
                complete: () => sink.error(new Error('The stream has ended')),
              },
            );
            return { unsubscribe };
          },
        }),
      }),
    ],
  });
  return { client, events: createEventSource(client, socket) };
}

function createEventSource(client: Client, socket: SocketClient): EventSource {
  return {
    async readPosition() {
      const { data, error } = await client.query(StreamPositionQuery, {}).toPromise();
      if (!data) throw error ?? new Error('The answer is empty');
      return data.events.pageInfo.endCursor ?? undefined;
    },
    open(cursor, sink) {
      let isOpen = true;
      const unwatch = socket.on('connected', () => sink.connected());
      const subscription = client
        .subscription(TaskEventsSubscription, { after: cursor })
        .subscribe(({ data, error }) => {
          if (!isOpen) return;
          if (data?.taskEvents) return sink.event(data.taskEvents);
          if (!error?.networkError) return sink.unreadable();
          stop();
          const reason: unknown = error.networkError;
          sink.lost({ isRefused: reason instanceof SubscriptionRefused && reason.isCursorUnknown });
        });
      function stop(): void {
        if (!isOpen) return;
        isOpen = false;
        unwatch();
        subscription.unsubscribe();
      }
      return stop;
    },
  };
}

/** Each subscription opens a connection of its own and a lost connection ends it: the resume is `LiveStream`'s. */
function createSocket(endpoint: URL, platform: Platform): SocketClient {
  const url = new URL(endpoint);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  let cancelPongTimeout = () => {};
  const socket = createClient({
    url: url.href,
    retryAttempts: 0,
    keepAlive: PING_INTERVAL_MS,
    connectionAckWaitTimeout: CONNECT_TIMEOUT_MS,
    on: {
      ping: (isReceived) => {
        if (!isReceived) cancelPongTimeout = platform.schedule(PONG_TIMEOUT_MS, () => socket.terminate());
      },
      pong: (isReceived) => {
        if (isReceived) cancelPongTimeout();
      },
      closed: () => cancelPongTimeout(),
    },
  });
  return socket;
}

function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
}
