import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { FlotillaClient, type SubscribeOptions } from '../../cli/FlotillaClient.ts';
import {
  CliTaskEventsDocument,
  type CliTaskEventsSubscription,
} from '../../schema/generated/cliOperations.ts';

/** What the endpoint does with one subscription, after its connection was acknowledged. */
type Turn = (subscription: {
  readonly after: unknown;
  readonly tell: (cursor: string, type?: string) => void;
  readonly complete: () => void;
  readonly drop: () => void;
}) => void;

/** An endpoint of `graphql-transport-ws` that gives each subscription the next turn. */
async function startEndpoint(...turns: readonly Turn[]) {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    handleProtocols: () => 'graphql-transport-ws',
  });
  await once(server, 'listening');
  const waiting = [...turns];
  server.on('connection', (socket: WebSocket) => {
    socket.on('message', (text) => {
      const { type, id, payload } = JSON.parse(String(text));
      const send = (message: object): void => socket.send(JSON.stringify(message));
      if (type === 'connection_init') send({ type: 'connection_ack' });
      if (type !== 'subscribe') return;
      waiting.shift()?.({
        after: payload.variables.after,
        tell: (cursor, eventType = 'task.status') =>
          send({ type: 'next', id, payload: { data: { taskEvents: { cursor, type: eventType } } } }),
        complete: () => send({ type: 'complete', id }),
        drop: () => socket.terminate(),
      });
    });
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function watch(
  url: string,
  options: Partial<SubscribeOptions<CliTaskEventsSubscription>>,
  count: number,
): Promise<readonly string[]> {
  const controller = new AbortController();
  const cursors: string[] = [];
  const events = new FlotillaClient({ url }).subscribe(
    CliTaskEventsDocument,
    {},
    {
      signal: controller.signal,
      cursorOf: ({ taskEvents }) => taskEvents.cursor,
      onLost: () => {},
      ...options,
    },
  );
  for await (const { taskEvents } of events) {
    cursors.push(taskEvents.cursor);
    if (cursors.length === count) controller.abort();
  }
  return cursors;
}

test.each<[string, string | undefined, boolean]>([
  ['where it was to begin', '7', true],
  ['from then on, and says so, without a position', undefined, false],
])(
  'FlotillaClient.subscribe() that is cut off before the first event goes on %s',
  async (_, after, hasPosition) => {
    const asked: unknown[] = [];
    const lost: boolean[] = [];
    await using endpoint = await startEndpoint(
      (subscription) => {
        asked.push(subscription.after);
        subscription.drop();
      },
      (subscription) => {
        asked.push(subscription.after);
        subscription.tell('8');
      },
    );
    const onLost = (known: boolean): void => void lost.push(known);
    expect(await watch(endpoint.url, { after, onLost }, 1)).toEqual(['8']);
    expect(asked).toEqual([after, after]);
    expect(lost).toEqual([hasPosition]);
  },
);

test('FlotillaClient.subscribe() goes on after the newest event, also when the instance has ended the stream', async () => {
  const asked: unknown[] = [];
  await using endpoint = await startEndpoint(
    (subscription) => {
      subscription.tell('8');
      subscription.complete();
    },
    (subscription) => {
      asked.push(subscription.after);
      subscription.tell('9');
    },
  );
  expect(await watch(endpoint.url, {}, 2)).toEqual(['8', '9']);
  expect(asked).toEqual(['8']);
});

test('FlotillaClient.subscribe() is over when the instance ends the stream behind the last event', async () => {
  await using endpoint = await startEndpoint((subscription) => {
    subscription.tell('8');
    subscription.tell('9', 'task.purged');
    subscription.complete();
  });
  const isLast = ({ taskEvents }: CliTaskEventsSubscription): boolean => taskEvents.type === 'task.purged';
  expect(await watch(endpoint.url, { isLast }, 9)).toEqual(['8', '9']);
});

test('FlotillaClient.subscribe() fails with exit code 2 where nobody answers the first time', async () => {
  await expect(watch('http://127.0.0.1:9', { after: '7' }, 1)).rejects.toMatchObject({ exitCode: 2 });
});
