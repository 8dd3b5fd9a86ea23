import { expect, test } from 'vitest';
import { createRateLimit } from '../../../server/http/createRateLimit.ts';
import { FakeClock } from '../../support/FakeClock.ts';

function open(limit = 3) {
  const clock = new FakeClock();
  const settings: { limit: number | undefined } = { limit };
  const rateLimit = createRateLimit({ clock, perMinute: () => settings.limit });
  const isTaken = (address = 'a') => rateLimit.refusalOf(address) === undefined;
  return { clock, settings, rateLimit, isTaken };
}

test('an address has as many requests at once as in a minute, and no more', () => {
  const { rateLimit, isTaken } = open();
  expect([isTaken(), isTaken(), isTaken()]).toEqual([true, true, true]);
  expect(rateLimit.refusalOf('a')).toMatchObject({
    error: { code: 'TOO_MANY_REQUESTS', message: expect.stringContaining('3 a minute') },
    retryAfterSeconds: 20,
  });
});

test('requests come back over the minute, up to a full bucket', () => {
  const { clock, isTaken } = open();
  for (let count = 0; count < 3; count += 1) isTaken();
  clock.advance(19_999);
  expect(isTaken()).toBe(false);
  clock.advance(1);
  expect([isTaken(), isTaken()]).toEqual([true, false]);
  clock.advance(600_000);
  expect([isTaken(), isTaken(), isTaken(), isTaken()]).toEqual([true, true, true, false]);
});

test('one address does not use what another one has', () => {
  const { isTaken } = open(1);
  expect([isTaken('a'), isTaken('a'), isTaken('b')]).toEqual([true, false, true]);
});

test('a limit that is changed holds from the next request on, and without one all are taken', () => {
  const { settings, isTaken } = open(1);
  expect([isTaken(), isTaken()]).toEqual([true, false]);
  settings.limit = undefined;
  expect([isTaken(), isTaken()]).toEqual([true, true]);
});
