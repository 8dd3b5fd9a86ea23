/** The ways in which clients read events live: graphql-ws by itself, urql on top of it, and server-sent events. */
import { Client, subscriptionExchange } from '@urql/core';
import { createParser } from 'eventsource-parser';
import { createClient, type Client as SocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Delivery, OpenStream, StreamSink } from './EventReader.ts';

const TASK_EVENTS = `subscription ($after: String, $ref: ID, $instance: String) {
  taskEvents(after: $after, ref: $ref, instance: $instance) { cursor instance offset type data }
}`;

interface TaskEventsData {
  readonly taskEvents: Delivery;
}

export interface TaskEventsOptions {
  readonly ref?: string;
  readonly instance?: string;
}

/** `taskEvents` through graphql-ws. */
export function taskEventsOverSocket(url: string, options: TaskEventsOptions = {}): OpenStream {
  return (after, sink) => {
    const client = socketClient(url);
    client.subscribe<TaskEventsData>(
      { query: TASK_EVENTS, variables: { ...options, after } },
      {
        next: ({ data }) => (data ? sink.take(data.taskEvents) : sink.lost()),
        error: () => sink.lost(),
        complete: () => sink.lost(),
      },
    );
    return { [Symbol.dispose]: () => client.terminate() };
  };
}

/** `taskEvents` through urql, as the dashboard reads it. */
export function taskEventsOverUrql(url: string): OpenStream {
  return (after, sink) => {
    const socket = socketClient(url);
    const urql = new Client({
      url: `${url}/graphql`,
      preferGetMethod: false,
      exchanges: [
        subscriptionExchange({
          forwardSubscription: ({ query = '', variables = {} }) => ({
            subscribe: (observer) => ({
              unsubscribe: socket.subscribe(
                { query, variables },
                observer as Parameters<SocketClient['subscribe']>[1],
              ),
            }),
          }),
        }),
      ],
    });
    urql.subscription<TaskEventsData>(TASK_EVENTS, { after }).subscribe(({ data, error, hasNext }) => {
      if (data && !error) sink.take(data.taskEvents);
      if (error || !hasNext) sink.lost();
    });
    return { [Symbol.dispose]: () => socket.terminate() };
  };
}

/** `/api/v1/stream` with `Last-Event-ID`. */
export function eventsOverSse(url: string): OpenStream {
  return (after, sink) => {
    const controller = new AbortController();
    readSse(url, { after, sink, signal: controller.signal }).then(
      () => sink.lost(),
      () => sink.lost(),
    );
    return { [Symbol.dispose]: () => controller.abort() };
  };
}

interface SseReading {
  readonly after: string | undefined;
  readonly sink: StreamSink;
  readonly signal: AbortSignal;
}

interface SseRow {
  /** A desync that is about no other instance than the one that tells it has none. */
  readonly instance?: string;
  readonly event: string;
  readonly cursor?: string;
  readonly reason?: string;
}

async function readSse(url: string, { after, sink, signal }: SseReading): Promise<void> {
  const response = await fetch(`${url}/api/v1/stream`, {
    headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    signal,
  });
  const parser = createParser({
    onEvent({ id, event, data }) {
      const row = JSON.parse(data) as SseRow;
      if (event === 'desync') {
        const { cursor = after ?? '', instance = '', reason } = row;
        sink.take({ cursor, instance, offset: 0, type: 'stream.desync', data: { reason } });
      } else if (id !== undefined) {
        sink.take({
          cursor: id,
          instance: row.instance ?? '',
          offset: offsetIn(id, row.instance ?? ''),
          type: row.event,
        });
      }
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
}

/** A frame's id is the position after it, so its own offset is what the id says of its instance; a worker's is its offset. */
function offsetIn(cursor: string, instance: string): number {
  if (/^\d+$/.test(cursor)) return Number(cursor);
  return Number(new RegExp(`(?:^|,)${instance}=(\\d+)`).exec(cursor)?.[1]);
}

function socketClient(url: string): SocketClient {
  return createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: QuietSocket,
    retryAttempts: 0,
  });
}

/** One that is cut before it is open says so when nobody listens any more, and that would end the process. */
class QuietSocket extends WebSocket {
  constructor(address: string, protocols?: string | string[]) {
    super(address, protocols);
    this.on('error', () => {});
  }
}
