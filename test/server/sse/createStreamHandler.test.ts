import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { NewEvent } from '../../../subgraph/index.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { readFrames } from '../support/readFrames.ts';
import { serveFaces } from '../support/serveFaces.ts';

const REF = 'github:octo/repo#15';

function aStatus(data: NewEvent['data'] = {}): NewEvent {
  return { type: 'task.status', level: 'INFO', source: 'tasks', ref: REF, data };
}

function streamConfig(stream: Record<string, unknown>) {
  return { service: { stream } };
}

test('a subscriber gets what happens from now on', async () => {
  const worker = fakeWorker();
  worker.log.append([aStatus({ n: 1 })]);
  await using served = await serveFaces({ worker });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  await vi.waitFor(() => expect(worker.readers).toBe(1));
  worker.log.append([aStatus({ n: 2 })]);
  const frames = await stream.take(1);
  expect(stream.text()).toMatch(/^retry: 3000\n\n/);
  expect(frames[0]).toMatchObject({ event: 'log', id: expect.stringMatching(/^\d+$/) });
  expect(JSON.parse(frames[0]?.data ?? '')).toMatchObject({ event: 'task.status', n: 2, work_item: REF });
});

test('a subscriber that comes back gets what it has missed, and no requests', async () => {
  const worker = fakeWorker();
  worker.log.append([
    aStatus({ n: 1 }),
    { type: 'api.request', level: 'DEBUG', source: 'service', data: {} },
    aStatus({ n: 2 }),
    aStatus({ n: 3 }),
  ]);
  await using served = await serveFaces({ worker });
  using stream = await readFrames(`${served.url}/api/v1/stream`, { 'last-event-id': '1' });
  const frames = await stream.take(2);
  expect(frames.map(({ id, data }) => [id, JSON.parse(data).n])).toEqual([
    ['3', 2],
    ['4', 3],
  ]);
});

test.each([
  ['it is switched off', {}, { enabled: false }, 404],
  ['an entry is no ref', {}, {}, 400, '?workItem=octo'],
  ['the cursor is no offset', { 'last-event-id': 'alpha=1' }, {}, 400],
])('a subscriber is refused when %s', async (_title, headers, config, status, search = '') => {
  const worker = fakeWorker({ config: streamConfig(config) });
  await using served = await serveFaces({ worker });
  using stream = await readFrames(`${served.url}/api/v1/stream${search}`, headers as Record<string, string>);
  expect(stream.status).toBe(status);
  await served.faces[Symbol.asyncDispose]();
  expect(worker.records.map(({ type }) => type)).toEqual(['stream.refused', 'api.request']);
  expect(worker.records[1]?.data).toMatchObject({ path: '/api/v1/stream', status });
});

test('a manager takes any cursor: it says on the stream what is wrong with it', async () => {
  const worker = fakeWorker({
    subscription: {
      events: {
        async *subscribe() {
          yield { events: { ...desync, data: { reason: 'bad-cursor' } } };
        },
      },
    },
  });
  await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  using stream = await readFrames(`${served.url}/api/v1/stream`, { 'last-event-id': '12' });
  expect(stream.status).toBe(200);
  const frames = await stream.take(1);
  expect(frames[0]).toMatchObject({ id: undefined, event: 'desync' });
  expect(JSON.parse(frames[0]?.data ?? '')).toEqual({ reason: 'bad-cursor', cursor: 'alpha=9' });
});

const desync = {
  cursor: 'alpha=9',
  instance: 'alpha',
  offset: 9,
  type: 'stream.desync',
  at: '2026-01-01T00:00:00.000Z',
  level: 'WARNING',
  source: 'stream',
  pid: 7,
};

test('the subscriber over the limit is refused with 503, and the place of one that left is free', async () => {
  const worker = fakeWorker({ config: streamConfig({ maxSubscribers: 1 }) });
  await using served = await serveFaces({ worker });
  const url = `${served.url}/api/v1/stream`;
  const first = await readFrames(url);
  using second = await readFrames(url);
  expect(second.status).toBe(503);
  expect(second.headers.get('retry-after')).toBe('5');
  first[Symbol.dispose]();
  await vi.waitFor(() => expect(worker.readers).toBe(0));
  using third = await readFrames(url);
  expect(third.status).toBe(200);
});

test('coming and going is told in the log', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const stream = await readFrames(`${served.url}/api/v1/stream?workItem=${encodeURIComponent(REF)}`);
  stream[Symbol.dispose]();
  await vi.waitFor(() => expect(worker.records.at(-1)?.type).toBe('stream.disconnected'));
  await served.faces[Symbol.asyncDispose]();
  expect(worker.records.map(({ type, data }) => [type, data])).toEqual([
    ['stream.subscribed', { subscribers: 1, workItems: [REF] }],
    ['stream.disconnected', { subscribers: 0 }],
    ['api.request', { method: 'GET', path: '/api/v1/stream', status: 200 }],
  ]);
});

test('a stream on which nothing happens is kept alive', async () => {
  const clock = new FakeClock();
  const worker = fakeWorker({ config: streamConfig({ keepAliveSeconds: 7 }) });
  await using served = await serveFaces({ worker, clock });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  stream.frames.next().catch(() => undefined);
  await vi.waitFor(() => expect(clock.delaysMs).toContain(7_000));
  clock.advance(7_000);
  await vi.waitFor(() => expect(stream.text()).toContain(': keep-alive\n\n'));
});

test('a reader that pauses holds back the stream, and one that stays away is cut off', async () => {
  const clock = new FakeClock();
  const worker = fakeWorker();
  const large = 'x'.repeat(100_000);
  worker.log.append(Array.from({ length: 1_000 }, (_, n) => aStatus({ n, large })));
  await using served = await serveFaces({ worker, clock });
  const socket = connect(served.listener.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(
    `GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:${served.listener.port}\r\nLast-Event-ID: 0\r\n\r\n`,
  );
  let seen = -1;
  // It stands still once the buffers of the network are full.
  await vi.waitFor(
    () => {
      const before = seen;
      seen = worker.pulled;
      expect(seen).toBeGreaterThan(1);
      expect(seen).toBe(before);
    },
    { interval: 100 },
  );
  expect(seen).toBeLessThan(500);
  clock.advance(3 * 15_000);
  await vi.waitFor(() => expect(worker.readers).toBe(0));
  socket.destroy();
});

test('stopping ends the streams', async () => {
  const worker = fakeWorker();
  const served = await serveFaces({ worker });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  const ended = stream.frames.next();
  await served[Symbol.asyncDispose]();
  expect((await ended).done).toBe(true);
  expect(worker.readers).toBe(0);
});
