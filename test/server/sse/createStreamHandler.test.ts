import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { closableIterable } from '../../../lib/closableIterable.ts';
import type { NewEvent } from '../../../subgraph/index.ts';
import { eventually, standsStill } from '../../support/eventually.ts';
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
  await eventually(() => expect(worker.readers).toBe(1));
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

test("an own desync comes before `retry`, a member's behind it", async () => {
  const beginsOf = async (instance: string): Promise<readonly string[]> => {
    const worker = fakeWorker({
      subscription: {
        events: {
          async *subscribe() {
            yield { events: { ...desync, instance, data: { reason: 'truncated' } } };
            yield { events: { ...desync, type: 'task.status', ref: REF, data: {} } };
          },
        },
      },
    });
    await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
    using stream = await readFrames(`${served.url}/api/v1/stream`, { 'last-event-id': 'alpha=1' });
    await stream.take(2);
    return stream
      .text()
      .split('\n\n')
      .slice(0, 3)
      .map((frame) => /^(?:event: \w+|retry)/m.exec(frame)?.[0] ?? '');
  };
  expect(await beginsOf('alpha')).toEqual(['event: desync', 'retry', 'event: log']);
  expect(await beginsOf('beta')).toEqual(['retry', 'event: desync', 'event: log']);
});

test('a subscriber that comes back and has missed nothing is told `retry` at once', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  // The first event of the log tells of the subscriber.
  using stream = await readFrames(`${served.url}/api/v1/stream`, { 'last-event-id': '1' });
  stream.frames.next().catch(() => undefined);
  await eventually(() => expect(stream.text()).toBe('retry: 3000\n\n'));
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
  await eventually(() => expect(worker.readers).toBe(0));
  using third = await readFrames(url);
  expect(third.status).toBe(200);
});

test('coming and going is told in the log', async () => {
  const worker = fakeWorker();
  // The request is written a moment after it came: on a clock that stands still, when the faces are closed.
  await using served = await serveFaces({ worker, clock: new FakeClock() });
  const stream = await readFrames(`${served.url}/api/v1/stream?workItem=${encodeURIComponent(REF)}`);
  stream[Symbol.dispose]();
  await eventually(() => expect(worker.records.at(-1)?.type).toBe('stream.disconnected'));
  await served.faces[Symbol.asyncDispose]();
  expect(worker.records.map(({ type, data }) => [type, data])).toEqual([
    ['stream.subscribed', { subscribers: 1, workItems: [REF] }],
    ['stream.disconnected', { subscribers: 0 }],
    ['api.request', { method: 'GET', path: '/api/v1/stream', status: 200 }],
  ]);
});

test('a transcript that is watched and grows is a frame that moves no position', async () => {
  const asked: unknown[] = [];
  const worker = fakeWorker({
    subscription: {
      events: {
        async *subscribe(_: unknown, args: unknown) {
          asked.push(args);
          const tick = { ...desync, type: 'stream.transcript', level: 'DEBUG', ref: REF };
          yield { events: { ...tick, data: { totalLines: 12 } } };
        },
      },
    },
  });
  await using served = await serveFaces({ worker });
  using stream = await readFrames(`${served.url}/api/v1/stream?transcript=${encodeURIComponent(REF)}`);
  const [frame] = await stream.take(1);
  expect(frame).toMatchObject({ id: undefined, event: 'transcript' });
  expect(JSON.parse(frame?.data ?? '')).toEqual({ ref: REF, totalLines: 12 });
  expect(asked).toEqual([{ transcripts: [REF] }]);
});

test('a stream on which nothing happens is kept alive', async () => {
  const clock = new FakeClock();
  const worker = fakeWorker({ config: streamConfig({ keepAliveSeconds: 7 }) });
  await using served = await serveFaces({ worker, clock });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  stream.frames.next().catch(() => undefined);
  await eventually(() => expect(clock.delaysMs).toContain(7_000));
  clock.advance(7_000);
  await eventually(() => expect(stream.text()).toContain(': keep-alive\n\n'));
});

test('it is kept alive from the last frame on', async () => {
  const clock = new FakeClock();
  const worker = fakeWorker({ config: streamConfig({ keepAliveSeconds: 7 }) });
  await using served = await serveFaces({ worker, clock });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  await eventually(() => expect(worker.readers).toBe(1));
  await eventually(() => expect(clock.delaysMs).toContain(7_000));
  clock.advance(5_000);
  worker.log.append([aStatus({ n: 1 })]);
  await stream.take(1);
  stream.frames.next().catch(() => undefined);
  clock.advance(6_999);
  expect(clock.delaysMs).toContain(1);
  clock.advance(1);
  await eventually(() => expect(stream.text()).toMatch(/"n":1[\s\S]*: keep-alive\n\n/));
  expect(stream.text().match(/keep-alive/g)).toHaveLength(1);
});

test('frames that are ready at the same time are one write', async () => {
  const worker = fakeWorker();
  worker.log.append(Array.from({ length: 20 }, (_, n) => aStatus({ n })));
  await using served = await serveFaces({ worker });
  const socket = connect(served.listener.port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.write(
    `GET /api/v1/stream HTTP/1.1\r\nHost: 127.0.0.1:${served.listener.port}\r\nLast-Event-ID: 0\r\n\r\n`,
  );
  await eventually(() => expect(text).toContain('id: 20\n'));
  const chunks = text.split(/\r\n[0-9a-f]+\r\n/).slice(1);
  expect(chunks.join('').match(/^id: /gm)?.length).toBeGreaterThanOrEqual(20);
  expect(chunks.length).toBeLessThan(10);
  socket.destroy();
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
  // Once the buffers of the network are full.
  expect(await standsStill(() => worker.pulled)).toBeLessThan(500);
  clock.advance(3 * 15_000);
  await eventually(() => expect(worker.readers).toBe(0));
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

/** What the last frame of a stream says when the instance stops. */
async function lastFrame(
  served: Awaited<ReturnType<typeof serveFaces>>,
  stream: Awaited<ReturnType<typeof readFrames>>,
): Promise<string | undefined> {
  const ended = stream.frames.next();
  await served[Symbol.asyncDispose]();
  expect((await ended).done).toBe(true);
  return stream.text().split('\n\n').at(-2);
}

test('the last frame has the position behind the last event, also of one that is not shown', async () => {
  const worker = fakeWorker();
  // On a clock that stands still the record of the request does not come in between.
  const served = await serveFaces({ worker, clock: new FakeClock() });
  const other = 'github:octo/repo#16';
  using stream = await readFrames(
    `${served.url}/api/v1/stream?workItem=${encodeURIComponent(REF)}&workItem=${encodeURIComponent(other)}`,
    { 'last-event-id': '0' },
  );
  worker.log.append([aStatus({ n: 1 }), { ...aStatus({ n: 2 }), ref: 'github:octo/repo#17' }]);
  // The first one tells of the subscriber itself.
  await stream.take(2);
  const end = worker.log.end();
  await eventually(() => expect(worker.pulled).toBe(end));
  expect(await lastFrame(served, stream)).toBe(`: the instance is stopping\nid: ${end}`);
});

test.each([
  // Behind the event that tells of the subscriber itself.
  ['that came just now where the log ended then', {}, '3'],
  ['that brought a position there', { 'last-event-id': '1' }, '1'],
])('the last frame leaves a subscriber %s', async (_whom, headers, expected) => {
  const events = { subscribe: () => closableIterable(forever) };
  const worker = fakeWorker({ subscription: { events } });
  worker.log.append([aStatus(), aStatus()]);
  const served = await serveFaces({ worker });
  using stream = await readFrames(`${served.url}/api/v1/stream`, headers as Record<string, string>);
  expect(await lastFrame(served, stream)).toBe(`: the instance is stopping\nid: ${expected}`);
});

test('the last frame of a manager has a position of a manager', async () => {
  const events = { subscribe: () => closableIterable(forever) };
  const worker = fakeWorker({ subscription: { events } });
  worker.log.append([aStatus()]);
  const served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  expect(await lastFrame(served, stream)).toBe(': the instance is stopping\nid: alpha=2');
});

test('a stream that ends by itself has no last frame', async () => {
  const events = {
    async *subscribe() {
      yield { events: { ...desync, data: { reason: 'member' } } };
    },
  };
  const worker = fakeWorker({ subscription: { events } });
  await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  using stream = await readFrames(`${served.url}/api/v1/stream`);
  await stream.take(1);
  expect((await stream.frames.next()).done).toBe(true);
  expect(stream.text()).not.toContain('stopping');
});

async function* forever(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
