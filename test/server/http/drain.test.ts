import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { drain } from '../../../server/http/drain.ts';
import { RequestTracker } from '../../../server/http/RequestTracker.ts';
import { FakeClock } from '../../support/FakeClock.ts';

function open({ isConnected = true } = {}) {
  const clock = new FakeClock();
  const tracker = new RequestTracker();
  let isAccepting = true;
  const listener = {
    stopAccepting: () => {
      isAccepting = false;
    },
    isConnected: async () => isConnected,
  };
  return {
    clock,
    tracker,
    isAccepting: () => isAccepting,
    drain: () => drain({ tracker, listener, clock, quietMs: 250, timeoutMs: 5_000 }),
  };
}

/** A request that is being answered until its response closes. */
function enter(tracker: RequestTracker): ServerResponse {
  const response = new EventEmitter() as ServerResponse;
  tracker.enter(response);
  return response;
}

test('drain() takes requests until none has come for the quiet time, then waits for the answers', async () => {
  const server = open();
  const { clock, tracker } = server;
  const first = enter(tracker);
  const drained = server.drain();
  expect(server.isAccepting()).toBe(false);
  await clock.waiting(2);
  const second = enter(tracker);
  clock.advance(250);
  await clock.waiting(2);
  expect(tracker.isClosed).toBe(false);
  clock.advance(250);
  first.emit('close');
  second.emit('close');
  await drained;
  expect([tracker.isClosed, clock.timers]).toEqual([true, 0]);
});

test('drain() waits for nobody where nobody is connected', async () => {
  const server = open({ isConnected: false });
  await server.drain();
  expect(server.clock.nowMs()).toBe(Date.UTC(2026, 0, 1));
  expect(server.tracker.isClosed).toBe(true);
});

test('drain() leaves what is not answered in time', async () => {
  const server = open();
  enter(server.tracker);
  const drained = server.drain();
  await server.clock.waiting(2);
  server.clock.advance(5_000);
  await drained;
  expect(server.tracker.isClosed).toBe(true);
});
