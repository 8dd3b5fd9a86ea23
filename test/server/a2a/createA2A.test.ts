import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { systemIds } from '../../../lib/ids.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { createA2A } from '../../../server/a2a/createA2A.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { fakeWorker } from '../support/FakeWorker.ts';

const RESPONSE = { writableNeedDrain: false } as ServerResponse;

test('createA2A() has places for 1,000 that wait, 100 for each of them, and one that leaves makes room', async () => {
  const clock = new FakeClock();
  const a2a = createA2A({
    worker: fakeWorker(),
    version: '1.2.3',
    needsToken: false,
    clock,
    ids: systemIds,
    logger: silentLogger,
  });
  const places = Array.from({ length: 1_000 }, (_, index) => a2a.join(RESPONSE, `p${index % 10}`));
  const tooMany = expect.objectContaining({ code: 'TOO_MANY_REQUESTS' });
  expect(() => a2a.join(RESPONSE, 'p3')).toThrow(tooMany);
  expect(() => a2a.join(RESPONSE, 'other')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
  places[0]?.[Symbol.dispose]();
  places[0]?.[Symbol.dispose]();
  expect(() => a2a.join(RESPONSE, 'p3')).toThrow(tooMany);
  const late = a2a.join(RESPONSE, 'p0');
  expect(() => a2a.join(RESPONSE, 'p0')).toThrow(tooMany);
  expect(a2a.streams.size).toBe(1_000);

  const ended = a2a.streams.end();
  expect(late.signal.aborted).toBe(true);
  for (const place of [...places, late]) place[Symbol.dispose]();
  await ended;
});

test.each([
  [1, 1_000, 3_000],
  [60, 3_000, 180_000],
])(
  'createA2A() with keepAliveSeconds of %i is silent for %i ms at most',
  (seconds, keepAliveMs, maxStallMs) => {
    const a2a = createA2A({
      worker: fakeWorker({ config: { service: { stream: { keepAliveSeconds: seconds } } } }),
      version: '1.2.3',
      needsToken: false,
      clock: new FakeClock(),
      ids: systemIds,
      logger: silentLogger,
    });
    expect(a2a.keepAliveMs()).toBe(keepAliveMs);
    expect(a2a.maxStallMs()).toBe(maxStallMs);
  },
);

test('createA2A() without push notifications says so on the card, and to whoever asks for them', async () => {
  const { card, operations } = createA2A({
    worker: fakeWorker({ name: 'alpha' }),
    version: '1.2.3',
    needsToken: false,
    clock: new FakeClock(),
    ids: systemIds,
    logger: silentLogger,
  });
  expect(card('https://agents.example')).toMatchObject({
    name: 'alpha',
    version: '1.2.3',
    supportedInterfaces: [{ url: 'https://agents.example/a2a' }, { url: 'https://agents.example/a2a' }],
    capabilities: { pushNotifications: false },
  });
  const call = {
    participant: 'alice',
    extensions: [],
    signal: new AbortController().signal,
    join: () => ({ [Symbol.dispose]() {} }),
  };
  const names = Object.keys(operations.unary).filter((each) => each.includes('Push'));
  expect(names).toHaveLength(4);
  for (const name of names) {
    const params = { taskId: 't', id: 'p', url: 'http://127.0.0.1:9/hook' };
    await expect(operations.unary[name]!(params, call)).rejects.toMatchObject({
      reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    });
  }
});
