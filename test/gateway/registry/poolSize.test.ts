import { expect, test } from 'vitest';
import { poolSize } from '../../../gateway/registry/poolSize.ts';

test.each([
  [0, 8],
  [17, 8],
  [128, 8],
  [129, 9],
  [1000, 63],
  [1024, 64],
  [5000, 64],
])('poolSize(): of %i members %i are asked at once', (members, expected) => {
  expect(poolSize(members)).toBe(expected);
});
