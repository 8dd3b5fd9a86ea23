import { expect, test } from 'vitest';
import { messageOf } from '../../lib/messageOf.ts';
import { runWithin } from '../../lib/runWithin.ts';
import { FakeClock } from '../support/FakeClock.ts';

const never = () => new Promise<never>(() => {});

test('runWithin() gives what the work gives, and leaves no timer', async () => {
  const clock = new FakeClock();
  const { signal } = new AbortController();
  expect(await runWithin({ clock, timeoutMs: 50, signal }, () => 7)).toBe(7);
  await expect(
    runWithin({ clock, timeoutMs: 50, signal }, () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(clock.timers).toBe(0);
});

test('runWithin() leaves work that does not watch its signal when the time is over', async () => {
  const clock = new FakeClock();
  let given: AbortSignal | undefined;
  const failed = expect(
    runWithin({ clock, timeoutMs: 50, signal: new AbortController().signal }, (signal) => {
      given = signal;
      return never();
    }),
  ).rejects.toMatchObject({ name: 'DeadlineExceeded', message: 'Timed out after 50 ms' });
  clock.advance(50);
  await failed;
  expect(given?.aborted).toBe(true);
});

test('runWithin() ends with the reason of the signal, and does not begin after it', async () => {
  const controller = new AbortController();
  const limits = { clock: new FakeClock(), timeoutMs: 50, signal: controller.signal };
  const failed = expect(runWithin(limits, never)).rejects.toThrow('abandoned');
  controller.abort(new Error('abandoned'));
  await failed;
  let isBegun = false;
  const late = runWithin(limits, () => {
    isBegun = true;
  });
  await expect(late).rejects.toThrow('abandoned');
  expect(isBegun).toBe(false);
});

test.each([
  [new Error('no database'), 'no database'],
  [new TypeError(), 'TypeError'],
  ['text', 'text'],
  [undefined, 'undefined'],
  [new Error('x'.repeat(1_001)), `${'x'.repeat(999)}…`],
])('messageOf(%s)', (thrown, expected) => {
  expect(messageOf(thrown)).toBe(expected);
});
