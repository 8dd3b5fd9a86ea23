import { expect, test } from 'vitest';
import { newestOfEachRef } from '../../../subgraph/sessions/newestOfEachRef.ts';

test('newestOfEachRef() keeps the last row of each ref, in the order of the rows', () => {
  const rows = ['a', 'b', 'a', 'c', 'a'].map((ref, n) => ({ ref, n }));
  expect(newestOfEachRef(rows)).toEqual([
    { ref: 'b', n: 1 },
    { ref: 'c', n: 3 },
    { ref: 'a', n: 4 },
  ]);
  expect(newestOfEachRef([])).toEqual([]);
});
