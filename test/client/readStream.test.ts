/** The stream of the client against a server that does as it is told, over real connections. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type ClientError, createClient, type StreamFrame, type StreamOptions } from '../../client/index.ts';
import { FakeClock } from '../support/FakeClock.ts';

type Serve = (response: ServerResponse, request: IncomingMessage) => void;

type Server = Awaited<ReturnType<typeof serve>>;

/** Each connection is served by the next of `connections`; the last one serves the others, too. */
async function serve(...connections: readonly Serve[]) {
  const asked: (string | undefined)[] = [];
  const closed: Promise<void>[] = [];
  const server = createServer((request, response) => {
    const index = Math.min(asked.length, connections.length - 1);
    asked.push(request.headers['last-event-id'] as string | undefined);
    closed.push(new Promise((resolve) => response.once('close', resolve)));
    connections[index]?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const clock = new FakeClock();
  const retries: [code: string, delayMs: number][] = [];
  const onRetry = ({ code }: ClientError, delayMs: number) => retries.push([code, delayMs]);
  const client = createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    random: () => 0.5,
  });
  return {
    /** `Last-Event-ID` of each connection. */
    asked,
    /** Resolves for each connection when it is gone. */
    closed,
    retries,
    clock,
    open: (options: StreamOptions = {}) => client.stream({ onRetry, ...options }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function begin(response: ServerResponse, text = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(`retry: 3000\n\n${text}`);
}

const log = (id: number | string, event = 'task.created') =>
  `id: ${id}\nevent: log\ndata: ${JSON.stringify({ event, source: 'task', level: 'info', ts: 't', pid: 1 })}\n\n`;

const refuse =
  (status: number, headers = {}): Serve =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify({ detail: `It is ${status}` }));

/** The position of a frame, or why there is none. */
const labelOf = (frame: StreamFrame) =>
  frame.type === 'log' ? frame.cursor : frame.type === 'desync' ? frame.reason : frame.ref;

async function next(stream: AsyncGenerator<StreamFrame>): Promise<string> {
  const { value, done } = await stream.next();
  if (done) throw new Error('The stream has ended');
  return labelOf(value);
}

/** Lets the wait after loss number `count` pass. */
async function passWait({ clock, retries }: Server, count = 1): Promise<void> {
  await until(() => expect(retries).toHaveLength(count));
  clock.advance(retries.at(-1)?.[1] ?? 0);
}

function until(assertion: () => void): Promise<void> {
  return vi.waitFor(assertion, { timeout: 10_000, interval: 5 });
}

test('a lost connection is made again after the last frame that was read, and a half one is read again', async () => {
  await using server = await serve(
    (response) => {
      begin(response, `${log('a=1')}${log('a=1,b=7')}id: a=2,b=7\nevent: log\nda`);
      setImmediate(() => response.destroy());
    },
    (response) => begin(response, log('a=2,b=7')),
  );
  const stream = server.open({ after: 'a=0' });
  expect(await next(stream)).toBe('a=1');
  expect(await next(stream)).toBe('a=1,b=7');
  const third = next(stream);
  await passWait(server);
  expect(await third).toBe('a=2,b=7');
  expect(server.asked).toEqual(['a=0', 'a=1,b=7']);
  expect(server.retries).toEqual([['UNREACHABLE', 3000]]);
  await stream.return(undefined);
});

test('a position without an event is kept, so that a restart that passes it loses nothing', async () => {
  await using server = await serve(
    (response) => {
      begin(response);
      response.end(': the instance is stopping\nid: 41\n\n');
    },
    (response) => begin(response, log(42)),
  );
  const stream = server.open();
  const first = next(stream);
  await passWait(server);
  expect(await first).toBe('42');
  expect(server.asked).toEqual([undefined, '41']);
  await stream.return(undefined);
});

test('a connection that is lost before a position was told is a desync', async () => {
  await using server = await serve(
    (response) => {
      begin(response);
      response.end();
    },
    (response) => begin(response, log(8)),
  );
  const stream = server.open();
  const first = next(stream);
  await passWait(server);
  expect(await first).toBe('no-position');
  expect(await next(stream)).toBe('8');
  await stream.return(undefined);
});

test('a desync of the instance is told, and its position is where the stream goes on', async () => {
  await using server = await serve(
    (response) => {
      begin(response, 'event: desync\ndata: {"reason":"truncated","cursor":"90"}\n\n');
      response.end('event: desync\ndata: {"reason":"replay-window","instance":"alpha"}\n\n');
    },
    (response) => begin(response, log(91)),
  );
  const stream = server.open({ after: '3' });
  const { value } = await stream.next();
  expect(value).toEqual({ type: 'desync', reason: 'truncated', cursor: '90', instance: undefined });
  const { value: relayed } = await stream.next();
  expect(relayed).toEqual({ type: 'desync', reason: 'replay-window', cursor: undefined, instance: 'alpha' });
  const third = next(stream);
  await passWait(server);
  expect(await third).toBe('91');
  expect(server.asked).toEqual(['3', '90']);
  await stream.return(undefined);
});

test('an instance that no longer knows the position is read from now on, after a desync', async () => {
  await using server = await serve(
    (response) => {
      begin(response, log('a=1'));
      setImmediate(() => response.end());
    },
    refuse(400),
    (response) => begin(response, log(2)),
  );
  const stream = server.open();
  expect(await next(stream)).toBe('a=1');
  const second = next(stream);
  await passWait(server);
  expect(await second).toBe('bad-cursor');
  expect(await next(stream)).toBe('2');
  expect(server.asked).toEqual([undefined, 'a=1', undefined]);
  await stream.return(undefined);
});

test('waits double up to a bound, obey the instance, and begin anew after a connection', async () => {
  await using server = await serve(
    (response) => {
      begin(response, log(1));
      setImmediate(() => response.end());
    },
    refuse(502),
    refuse(502),
    refuse(503, { 'retry-after': '5' }),
    refuse(502),
    (response) => {
      begin(response, log(2));
      setImmediate(() => response.end());
    },
    (response) => begin(response, log(3)),
  );
  const stream = server.open();
  expect(await next(stream)).toBe('1');
  const second = next(stream);
  for (const count of [1, 2, 3, 4, 5]) {
    await passWait(server, count);
  }
  expect(await second).toBe('2');
  const third = next(stream);
  await passWait(server, 6);
  expect(await third).toBe('3');
  expect(server.retries.map(([, delayMs]) => delayMs)).toEqual([3000, 6000, 12_000, 5000, 30_000, 3000]);
  expect(server.asked).toEqual([undefined, '1', '1', '1', '1', '1', '2']);
  await stream.return(undefined);
});

test('silence ends a connection, and the stream goes on with another one', async () => {
  await using server = await serve(
    (response) => begin(response, log(1)),
    (response) => begin(response, log(2)),
  );
  const stream = server.open({ idleTimeoutMs: 20_000 });
  expect(await next(stream)).toBe('1');
  const second = next(stream);
  await until(() => expect(server.clock.delaysMs).toEqual([20_000]));
  server.clock.advance(20_000);
  await passWait(server);
  await server.closed[0];
  expect(await second).toBe('2');
  expect(server.retries).toEqual([['TIMED_OUT', 3000]]);
  await stream.return(undefined);
});

test.each([400, 401, 404, 503])('a stream that cannot be opened is an error at once: %d', async (status) => {
  await using server = await serve(refuse(status));
  await expect(server.open({ after: 'x' }).next()).rejects.toMatchObject({
    status,
    detail: `It is ${status}`,
  });
  expect(server.asked).toHaveLength(1);
});

test.each([401, 404, 501])('what no retry can mend ends a stream: %d', async (status) => {
  await using server = await serve((response) => {
    begin(response, log(1));
    setImmediate(() => response.end());
  }, refuse(status));
  const stream = server.open();
  expect(await next(stream)).toBe('1');
  const failure = stream.next().catch((error: unknown) => error);
  await passWait(server);
  expect(await failure).toMatchObject({ status });
});

test('an answer that is no event stream, and a frame that is no object, are errors', async () => {
  await using page = await serve((response) => response.end('<html>'));
  await expect(page.open().next()).rejects.toMatchObject({ code: 'MALFORMED' });
  await using broken = await serve((response) => begin(response, 'id: 1\nevent: log\ndata: 7\n\n'));
  await expect(broken.open().next()).rejects.toMatchObject({ code: 'MALFORMED' });
});

test('return ends a stream that waits, and closes its connection', async () => {
  await using server = await serve((response) => begin(response));
  const stream = server.open();
  const waiting = stream.next().catch(() => undefined);
  await until(() => expect(server.asked).toHaveLength(1));
  expect(await stream.return(undefined)).toEqual({ value: undefined, done: true });
  await server.closed[0];
  await waiting;
  expect(server.clock.timers).toBe(0);
});

test('aborting throws the reason as it is, while a frame is waited for and while a connection is', async () => {
  const reason = new Error('The page was left');
  await using server = await serve((response) => {
    begin(response, log(1));
    setImmediate(() => response.end());
  });
  const controller = new AbortController();
  const stream = server.open({ signal: controller.signal });
  expect(await next(stream)).toBe('1');
  const waiting = stream.next().catch((error: unknown) => error);
  await until(() => expect(server.retries).toHaveLength(1));
  controller.abort(reason);
  expect(await waiting).toBe(reason);
  await expect(server.open({ signal: controller.signal }).next()).rejects.toBe(reason);
  expect(server.clock.timers).toBe(0);
});

test('filters and watched transcripts are asked for, and their frames are told', async () => {
  const asked: (string | undefined)[] = [];
  await using server = await serve((response, { url }) => {
    asked.push(url);
    begin(response, 'event: news\ndata: 1\n\nevent: transcript\ndata: {"ref":"r","totalLines":3}\n\n');
  });
  const stream = server.open({ workItem: ['a', 'b'], transcript: ['r'] });
  expect((await stream.next()).value).toEqual({ type: 'transcript', ref: 'r', totalLines: 3 });
  expect(asked).toEqual(['/api/v1/stream?workItem=a&workItem=b&transcript=r']);
  await stream.return(undefined);
});
