import { on, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { createClient, type Client as GraphQLClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { NewEvent } from '../../../subgraph/index.ts';
import { eventually, standsStill } from '../../support/eventually.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { type ServedFaces, serveFaces } from '../support/serveFaces.ts';

const EVENTS = 'subscription ($after: String) { events(after: $after) { offset type } }';

function aStatus(data: NewEvent['data'] = {}): NewEvent {
  return { type: 'task.status', level: 'INFO', source: 'tasks', data };
}

function addressOf({ url }: ServedFaces): string {
  return `${url.replace('http', 'ws')}/graphql`;
}

function connect(
  served: ServedFaces,
  options: { headers?: Record<string, string>; path?: string } = {},
): WebSocket {
  const socket = new WebSocket(options.path ?? addressOf(served), 'graphql-transport-ws', {
    headers: options.headers,
  });
  socket.on('error', () => undefined);
  return socket;
}

/** A connection of the protocol, by hand: the messages wait until they are read. */
async function open(served: ServedFaces): Promise<WebSocket> {
  const socket = connect(served);
  await once(socket, 'open');
  inboxes.set(socket, on(socket, 'message'));
  socket.send('{"type":"connection_init"}');
  await nextMessage(socket);
  return socket;
}

const inboxes = new WeakMap<WebSocket, NodeJS.AsyncIterator<unknown[]>>();

function subscribe(socket: WebSocket, id: string, query: string, variables = {}): void {
  socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query, variables } }));
}

async function nextMessage(socket: WebSocket) {
  const { value } = (await inboxes.get(socket)?.next()) ?? {};
  return JSON.parse(String((value as unknown[])[0]));
}

function client(served: ServedFaces, connectionParams: Record<string, unknown> = {}): GraphQLClient {
  return createClient({
    url: addressOf(served),
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: true,
  });
}

async function statusOf(socket: WebSocket): Promise<number | undefined> {
  const [, response] = await once(socket, 'unexpected-response');
  socket.terminate();
  return response.statusCode;
}

test.each([['worker'], ['manager']])(
  'a subscription on a %s gets what it missed and what happens',
  async (role) => {
    const worker = fakeWorker();
    worker.log.append([aStatus(), aStatus()]);
    const manager = role === 'manager' ? fakeManager({ worker }) : undefined;
    await using served = await serveFaces({ worker, manager });
    const stream = client(served).iterate({ query: EVENTS, variables: { after: '1' } });
    expect((await stream.next()).value).toEqual({ data: { events: { offset: 2, type: 'task.status' } } });
    worker.log.append([aStatus()]);
    expect((await stream.next()).value).toEqual({ data: { events: { offset: 3, type: 'task.status' } } });
    await stream.return?.();
    await eventually(() => expect(worker.readers).toBe(0));
  },
);

test('queries and mutations are answered, too', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  const query = client(served).iterate({ query: '{ health { status } }' });
  expect((await query.next()).value).toEqual({ data: { health: { status: 'ok' } } });
  const mutation = client(served).iterate({ query: 'mutation { closeSession(ref: "o/r#1") { closed } }' });
  expect((await mutation.next()).value).toEqual({ data: { closeSession: { closed: true } } });
  expect(worker.mutations).toHaveLength(1);
});

test.each([
  ['no GraphQL', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
  ['not in the schema', 'subscription { evnts { offset } }', 'GRAPHQL_VALIDATION_FAILED'],
  ['over a limit', `{ ${'a '.repeat(20_000)} }`, 'BAD_USER_INPUT'],
  [
    'two operations without a name',
    'query A { __typename } query B { __typename }',
    'OPERATION_RESOLUTION_FAILURE',
  ],
])('what is %s is an error of the operation and the connection goes on', async (_title, query, code) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const socket = await open(served);
  subscribe(socket, '1', query);
  const { id, type, payload } = await nextMessage(socket);
  expect({
    id,
    type,
    codes: payload.map((error: { extensions: unknown }) => error.extensions),
  }).toMatchObject({
    id: '1',
    type: 'error',
    codes: [{ code }],
  });
  expect(JSON.stringify(payload)).not.toMatch(/Did you mean|stack/);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  expect(served.errors).toEqual([]);
  socket.close();
});

test('a refusal of the resolver is an answer with its code', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const socket = await open(served);
  subscribe(socket, '1', EVENTS, { after: 'not a cursor' });
  expect(await nextMessage(socket)).toMatchObject({
    type: 'next',
    payload: { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] },
  });
  socket.close();
});

test('a reader that can be told without end leaves the event loop its turns', async () => {
  let told = 0;
  const worker = fakeWorker({
    subscription: {
      events: {
        async *subscribe() {
          for (;;) {
            told += 1;
            yield { events: { offset: told, type: 'task.status' } };
          }
        },
      },
    },
  });
  await using served = await serveFaces({ worker });
  const socket = await open(served);
  subscribe(socket, '1', EVENTS);
  await eventually(() => expect(told).toBeGreaterThan(0));
  let most = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    const before = told;
    await setImmediate();
    most = Math.max(most, told - before);
  }
  socket.terminate();
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(129);
});

test('a stream that breaks is one masked error, then its end', async () => {
  const worker = fakeWorker({
    subscription: {
      events: {
        // biome-ignore lint/correctness/useYield: it breaks before its first value.
        async *subscribe() {
          throw new Error('password is hunter2');
        },
      },
    },
  });
  await using served = await serveFaces({ worker });
  const socket = await open(served);
  subscribe(socket, '1', EVENTS);
  const answer = await nextMessage(socket);
  expect(answer.payload.errors).toEqual([
    { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
  ]);
  expect(await nextMessage(socket)).toEqual({ id: '1', type: 'complete' });
  expect(served.errors).toHaveLength(1);
  socket.close();
});

test('what is no message of the protocol closes the connection with 4400', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const socket = await open(served);
  socket.send('{"type":"nonsense"}');
  const [code] = await once(socket, 'close');
  expect(code).toBe(4400);
  expect(served.errors).toEqual([]);
});

test('a message over the limit closes the connection with 1009', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const socket = await open(served);
  socket.send('x'.repeat(1_048_577));
  const [code] = await once(socket, 'close');
  expect(code).toBe(1009);
});

test('operations over the limit of a connection are refused, the others go on', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const socket = await open(served);
  for (let n = 0; n <= 100; n += 1) subscribe(socket, String(n), EVENTS);
  expect(await nextMessage(socket)).toMatchObject({
    id: '100',
    type: 'error',
    payload: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }],
  });
  await eventually(() => expect(worker.readers).toBe(100));
  worker.log.append([aStatus()]);
  await eventually(() => expect(worker.pulled).toBe(100));
  socket.close();
  await eventually(() => expect(worker.readers).toBe(0));
});

test('operations count as requests of their address', async () => {
  const worker = fakeWorker({ config: { service: { rateLimitPerMinute: 3 } } });
  await using served = await serveFaces({ worker });
  const sockets = [await open(served), await open(served)];
  for (const socket of sockets) for (const id of ['1', '2']) subscribe(socket, id, EVENTS);
  const refused = await Promise.race(sockets.map(nextMessage));
  expect(refused).toMatchObject({
    id: '2',
    type: 'error',
    payload: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }],
  });
  await eventually(() => expect(worker.readers).toBe(3));
  for (const socket of sockets) socket.close();
  await eventually(() => expect(worker.readers).toBe(0));
});

test('completing an operation ends its reader and frees its place', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const socket = await open(served);
  subscribe(socket, '1', EVENTS, { after: '0' });
  await eventually(() => expect(worker.readers).toBe(1));
  socket.send('{"id":"1","type":"complete"}');
  await eventually(() => expect(worker.readers).toBe(0));
  subscribe(socket, '1', '{ __typename }');
  expect(await nextMessage(socket)).toMatchObject({ id: '1', type: 'next' });
  socket.close();
});

test('a connection that is cut ends its readers', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const socket = await open(served);
  subscribe(socket, '1', EVENTS, { after: '0' });
  await eventually(() => expect(worker.readers).toBe(1));
  socket.terminate();
  await eventually(() => expect(worker.readers).toBe(0));
});

test('a reader that pauses holds back its stream', async () => {
  const worker = fakeWorker({
    subscription: {
      events: {
        subscribe: () => flood(),
      },
    },
  });
  let pulled = 0;
  async function* flood() {
    for (;;) {
      pulled += 1;
      yield { events: { ...anEvent, data: { text: 'x'.repeat(100_000) } } };
    }
  }
  await using served = await serveFaces({ worker });
  const socket = await open(served);
  socket.pause();
  subscribe(socket, '1', 'subscription { events { data } }');
  // When 256 KiB are with the reader, though the buffers of the network would take more.
  expect(await standsStill(() => pulled)).toBeLessThan(6);
  socket.terminate();
});

const anEvent = {
  cursor: '1',
  instance: 'alpha',
  offset: 1,
  type: 'task.status',
  at: '2026-01-01T00:00:00.000Z',
  level: 'INFO',
  source: 'tasks',
  pid: 7,
};

test('a peer that does not answer is cut off at the second ping', async () => {
  const clock = new FakeClock();
  await using served = await serveFaces({ worker: fakeWorker(), clock });
  const socket = new WebSocket(addressOf(served), 'graphql-transport-ws', { autoPong: false });
  await once(socket, 'open');
  const pinged = once(socket, 'ping');
  clock.advance(15_000);
  await pinged;
  clock.advance(15_000);
  const [code] = await once(socket, 'close');
  expect(code).toBe(1006);
});

test('a peer that answers stays', async () => {
  const clock = new FakeClock();
  await using served = await serveFaces({ worker: fakeWorker(), clock });
  const socket = await open(served);
  for (let n = 0; n < 5; n += 1) {
    const pinged = once(socket, 'ping');
    clock.advance(15_000);
    await pinged;
    subscribe(socket, String(n), '{ __typename }');
    expect(await nextMessage(socket)).toMatchObject({ id: String(n), type: 'next' });
    expect(await nextMessage(socket)).toMatchObject({ id: String(n), type: 'complete' });
  }
  expect(socket.readyState).toBe(WebSocket.OPEN);
  socket.close();
});

test.each([
  ['another path', { path: '/elsewhere' }, 404],
  ['another host', { headers: { host: 'evil.example' } }, 421],
  ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403],
])(
  'a connection for %s is refused',
  async (_title, { headers, path }: { headers?: Record<string, string>; path?: string }, status) => {
    await using served = await serveFaces({ worker: fakeWorker() });
    const address = path && addressOf(served).replace('/graphql', path);
    expect(await statusOf(connect(served, { headers, path: address }))).toBe(status);
  },
);

test('a token is taken from the header or from the parameters', async () => {
  await using served = await serveFaces({ worker: fakeWorker(), tokens: ['secret'] });
  const stream = client(served, { authorization: 'Bearer secret' }).iterate({ query: '{ __typename }' });
  expect((await stream.next()).value).toEqual({ data: { __typename: 'Query' } });
  const marked = connect(served, { headers: { authorization: 'Bearer secret' } });
  await once(marked, 'open');
  marked.send('{"type":"connection_init"}');
  const [acknowledged] = await once(marked, 'message');
  expect(JSON.parse(String(acknowledged))).toEqual({ type: 'connection_ack' });
  marked.close();
  const unknown = connect(served);
  await once(unknown, 'open');
  unknown.send('{"type":"connection_init","payload":{"authorization":"Bearer wrong"}}');
  const [code] = await once(unknown, 'close');
  expect(code).toBe(4403);
});

test('stopping closes connections with 1001', async () => {
  const worker = fakeWorker();
  const served = await serveFaces({ worker });
  const socket = await open(served);
  subscribe(socket, '1', EVENTS);
  const closed = once(socket, 'close');
  await served[Symbol.asyncDispose]();
  expect((await closed)[0]).toBe(1001);
  expect(worker.readers).toBe(0);
});
