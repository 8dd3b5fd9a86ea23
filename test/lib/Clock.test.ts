import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toIsoTime } from '../../lib/Clock.ts';

test('toIsoTime() writes every instant as Date does, whatever was written before', () => {
  const instants = fc.array(fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }));
  fc.assert(
    fc.property(instants, (list) => {
      expect(list.map(toIsoTime)).toEqual(list.map((ms) => new Date(ms).toISOString()));
    }),
  );
});

test.each([0, -1, 86_399_999, 86_400_000, -86_400_000, 951_782_400_000])(
  'toIsoTime() writes %i, at the edge of a day',
  (ms) => {
    expect(toIsoTime(ms)).toBe(new Date(ms).toISOString());
  },
);

test('toIsoTime() refuses what is no instant', () => {
  expect(() => toIsoTime(Number.NaN)).toThrow(RangeError);
});
