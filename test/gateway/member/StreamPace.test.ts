/** How fast members are listened to, and that it leaves everybody else their turns. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamPace } from '../../../gateway/member/StreamPace.ts';
import { FakeClock } from '../../support/FakeClock.ts';

/** Takes steps without pause, as for an agent that never pauses. */
function takeSteps(pace: StreamPace, signal: AbortSignal) {
  const taken = { count: 0 };
  const done = (async () => {
    while (!signal.aborted) {
      await pace.next(signal);
      taken.count += 1;
    }
  })();
  return { taken, done };
}

test('so many steps are done at once, and as many in each second after it, over all streams', async () => {
  const clock = new FakeClock();
  const pace = new StreamPace(clock, 100);
  const controller = new AbortController();
  const one = takeSteps(pace, controller.signal);
  const other = takeSteps(pace, controller.signal);
  const total = (): number => one.taken.count + other.taken.count;
  await clock.waiting(2);
  expect(total()).toBe(100);
  for (let passedMs = 0; passedMs < 3_000; passedMs += 10) {
    clock.advance(10);
    await clock.waiting(2);
  }
  expect(total()).toBeGreaterThanOrEqual(398);
  expect(total()).toBeLessThanOrEqual(400);
  expect(Math.abs(one.taken.count - other.taken.count)).toBeLessThan(50);
  controller.abort();
  await Promise.all([one.done, other.done]);
  expect(clock.timers).toBe(0);
});

test('others have their turns between few steps', async () => {
  const clock = new FakeClock();
  const pace = new StreamPace(clock, 1_000);
  const controller = new AbortController();
  const { taken, done } = takeSteps(pace, controller.signal);
  let most = 0;
  for (let turn = 0, before = 0; turn < 20; turn += 1) {
    await setImmediate();
    most = Math.max(most, taken.count - before);
    before = taken.count;
  }
  expect(taken.count).toBeGreaterThan(100);
  expect(most).toBeLessThanOrEqual(32);
  controller.abort();
  await done;
});
