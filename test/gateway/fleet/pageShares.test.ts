import { expect, test } from 'vitest';
import { rowsToAsk } from '../../../gateway/fleet/pageShares.ts';

test.each([
  ['a fleet of 64', 'first', 50, 64, 50],
  ['a larger fleet', 'first', 50, 65, 4],
  ['a thousand members', 'first', 50, 1000, 4],
  ['a thousand members and a long page', 'first', 1000, 1000, 4],
  ['a hundred members and a long page', 'first', 1000, 100, 40],
  ['a page that is shorter than a share', 'first', 2, 1000, 2],
  ['the newest of a log', 'last', 50, 1000, 50],
] as const)('rowsToAsk() of %s', (_, keep, limit, members, rows) => {
  expect(rowsToAsk({ isDescending: true, keep, limit }, members)).toBe(rows);
});
