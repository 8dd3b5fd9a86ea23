import { expect, test } from 'vitest';
import { waitAtMost } from '../../lib/waitAtMost.ts';
import { FakeClock } from '../support/FakeClock.ts';

const never = new Promise<never>(() => {});

test('waitAtMost() ends with the work, and leaves no timer behind', async () => {
  const clock = new FakeClock();
  await waitAtMost(clock, 1000, Promise.resolve());
  expect(clock.timers).toBe(0);
});

test('waitAtMost() ends when the time is over', async () => {
  const clock = new FakeClock();
  const waited = waitAtMost(clock, 1000, never);
  clock.advance(1000);
  await expect(waited).resolves.toBeUndefined();
});

test('waitAtMost() rejects as the work does', async () => {
  const clock = new FakeClock();
  await expect(waitAtMost(clock, 1000, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(clock.timers).toBe(0);
});
