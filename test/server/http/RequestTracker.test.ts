import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { RequestTracker } from '../../../server/http/RequestTracker.ts';

function aResponse(): ServerResponse {
  return new EventEmitter() as ServerResponse;
}

test('close() resolves at once when nothing is open', async () => {
  const tracker = new RequestTracker();
  await tracker.close();
  expect(tracker.isClosed).toBe(true);
});

test('drain() still takes requests, close() takes none any more', async () => {
  const tracker = new RequestTracker();
  expect([tracker.isDraining, tracker.isClosed]).toEqual([false, false]);
  tracker.drain();
  expect([tracker.isDraining, tracker.isClosed]).toEqual([true, false]);
  await tracker.close();
  tracker.drain();
  expect([tracker.isDraining, tracker.isClosed]).toEqual([true, true]);
});

test('close() resolves with the last answer, but not for those that are waited for elsewhere', async () => {
  const tracker = new RequestTracker();
  const [first, second, stream] = [aResponse(), aResponse(), aResponse()];
  for (const response of [first, second, stream]) tracker.enter(response);
  tracker.leave(stream);
  let isClosed = false;
  const closed = tracker.close().then(() => {
    isClosed = true;
  });
  first.emit('close');
  await Promise.resolve();
  expect(isClosed).toBe(false);
  second.emit('close');
  await closed;
});
