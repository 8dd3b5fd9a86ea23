import { expect, test } from 'vitest';
import { growth, residentMib } from './memory.ts';

test.each([
  { samples: [], expected: undefined },
  { samples: [1, 2, 3, 4, 5], expected: undefined },
  { samples: [10, 10, 10, 10, 10, 10], expected: 1 },
  { samples: [10, 10, 10, 999, 999, 999, 15, 15, 15], expected: 1.5 },
  { samples: [10, 10, 999, 10, 10, 10, 20, 20, 1], expected: 2 },
])('growth() of $samples', ({ samples, expected }) => {
  expect(growth(samples)).toBe(expected);
});

test('residentMib() of this process, and of one that there is not', async () => {
  expect(await residentMib(process.pid)).toBeGreaterThan(10);
  expect(await residentMib(2 ** 30)).toBeUndefined();
});
