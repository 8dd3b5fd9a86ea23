import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { fakeWorker } from './support/FakeWorker.ts';
import { serveFaces } from './support/serveFaces.ts';

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** A request with headers that `fetch` would not let through. */
function send(
  url: string,
  headers: Record<string, string>,
  path = new URL(url).pathname,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, path }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (part) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    request.end();
  });
}

test.each([['/health/live'], ['/health/ready'], ['/api/v1/health'], ['/'], ['/api/openapi.json']])(
  'a foreign Host header is refused on %s',
  async (path) => {
    await using served = await serveFaces({ worker: fakeWorker() });
    expect((await send(`${served.url}${path}`, { host: 'evil.example' })).status).toBe(403);
  },
);

test('a path that is not valid is refused in our form', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const response = await fetch(`${served.url}/%zz`);
  expect([response.status, response.headers.get('x-content-type-options')]).toEqual([400, 'nosniff']);
  expect(await response.json()).toEqual({
    detail: 'Cannot read path: it is not valid, UTF-8 in percent-encoding is expected',
  });
});

test('an instance whose state file cannot be written is alive and not ready', async () => {
  const worker = Object.assign(fakeWorker(), { canStore: () => false });
  await using served = await serveFaces({ worker });
  const ready = await fetch(`${served.url}/health/ready`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: 'not ready', detail: 'The state file cannot be written' });
  expect((await fetch(`${served.url}/health/live`)).status).toBe(200);
});

test('a loopback name with the port is the own host', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const host = `localhost:${served.listener.port}`;
  expect((await send(`${served.url}/health/live`, { host })).status).toBe(200);
});

test('a page of another site is refused, whatever it asks for', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const headers = { origin: 'https://evil.example', accept: 'application/json' };
  for (const path of ['/api/v1/instance', '/api/v1/stream', '/graphql?query={__typename}']) {
    const response = await fetch(`${served.url}${path}`, { headers });
    expect(response.status).toBe(403);
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  }
});

test.each([
  ['/api/v1/instance', 401],
  ['/api/v1/nothing', 401],
  ['/api/v1/stream', 401],
  ['/%61pi/v1/instance', 401],
  ['/api/v1/%69nstance', 401],
  ['//api/v1/instance', 401],
  ['/health/../api/v1/instance', 401],
  ['/health%2F..%2Fapi/v1/instance', 401],
  ['/metrics', 401],
  ['/graphql?query={__typename}', 401],
  ['/health/live', 200],
  ['/health/ready', 200],
  ['/api/openapi.json', 200],
  ['/api/docs', 200],
])('without a token %s answers %i', async (path, status) => {
  await using served = await serveFaces({ worker: fakeWorker(), tokens: ['secret'] });
  const headers = { host: `127.0.0.1:${served.listener.port}` };
  expect((await send(served.url, { ...headers }, path)).status).toBe(status);
});

test('with a token the programs answer, and the refusal of a wrong one tells nothing', async () => {
  await using served = await serveFaces({ worker: fakeWorker(), tokens: ['secret'] });
  const url = `${served.url}/api/v1/instance`;
  expect((await fetch(url, { headers: { authorization: 'Bearer secret' } })).status).toBe(200);
  const refused = await fetch(url, { headers: { authorization: 'Bearer wrong' } });
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect(await refused.json()).toEqual({ detail: expect.stringContaining('bearer token') });
});

test('a refusal on /graphql is a GraphQL error', async () => {
  await using served = await serveFaces({ worker: fakeWorker(), tokens: ['secret'] });
  const response = await fetch(`${served.url}/graphql?query={__typename}`);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.json()).toEqual({
    errors: [{ message: expect.any(String), extensions: { code: 'UNAUTHENTICATED' } }],
  });
});

/** A worker whose health takes until it is let go. */
function heldWorker() {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const worker = fakeWorker({
    query: {
      async health() {
        entered.resolve();
        await release.promise;
        return null;
      },
    },
  });
  return { worker, entered: entered.promise, release: () => release.resolve() };
}

test('stopping finishes what is being answered', async () => {
  const { worker, entered, release } = heldWorker();
  const served = await serveFaces({ worker });
  const answer = fetch(`${served.url}/api/v1/health`);
  await entered;
  const closed = served[Symbol.asyncDispose]();
  await eventually(() => expect(served.listener.server.listening).toBe(false));
  expect(served.faces.isReady).toBe(false);
  release();
  expect((await answer).status).toBe(500);
  await closed;
});

test('stopping waits for a request no longer than it may', async () => {
  const clock = new FakeClock();
  const { worker, entered, release } = heldWorker();
  const served = await serveFaces({ worker, clock });
  const answer = fetch(`${served.url}/api/v1/health`);
  const failed = expect(answer).rejects.toThrow();
  await entered;
  const closed = served[Symbol.asyncDispose]();
  await eventually(() => expect(clock.delaysMs).toContain(5_000));
  clock.advance(5_000);
  await closed;
  await failed;
  release();
});

/** A connection that is kept, and what came over it. */
function openConnection(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.setEncoding('utf8');
  const ended = once(socket, 'close');
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  return {
    ask: (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
    answers: () => text.match(/HTTP\/1.1 \d+|connection: [\w-]+/gi) ?? [],
    ended,
  };
}

test.each([
  ['answered while others come', 100, ['HTTP/1.1 200', 'connection: close']],
  ['refused when no more come', 0, ['HTTP/1.1 503', 'connection: close']],
])('a request on a connection that is still open is %s', async (_title, quietMs, expected) => {
  const clock = new FakeClock();
  const { worker, entered, release } = heldWorker();
  const served = await serveFaces({ worker, clock, quietMs });
  const { port, server } = served.listener;
  const [held, open] = [openConnection(port), openConnection(port)];
  open.ask('/health/live');
  await eventually(() => expect(open.answers()).toEqual(['HTTP/1.1 200', 'Connection: keep-alive']));
  held.ask('/api/v1/health');
  await entered;
  const closed = served[Symbol.asyncDispose]();
  await eventually(() => expect(server.listening).toBe(false));
  await eventually(() => expect(clock.delaysMs).toContain(5_000));
  open.ask('/api/openapi.json');
  await open.ended;
  expect(open.answers().slice(2)).toEqual(expected);
  release();
  await held.ended;
  expect(held.answers()).toEqual(['HTTP/1.1 500', 'connection: close']);
  clock.advance(5_000);
  await closed;
});

test('every step of stopping is taken, and stopping twice is fine', async () => {
  const served = await serveFaces({ worker: fakeWorker() });
  await served[Symbol.asyncDispose]();
  await served[Symbol.asyncDispose]();
  await expect(fetch(`${served.url}/health/live`)).rejects.toThrow();
});
