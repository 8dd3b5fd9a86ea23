import { expect, test } from 'vitest';
import { compareVersions } from '../../lib/compareVersions.ts';

const ORDERED = [
  '',
  '0.9',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0',
  '1.2.0',
  '1.10.0',
  '2',
];

test('compareVersions() orders by numbers, pre-releases before their release', () => {
  expect(ORDERED.toReversed().sort(compareVersions)).toEqual(ORDERED);
});

test.each([
  ['1.2.0', '1.2.0'],
  ['1.2.0+a', '1.2.0+b'],
])('%s and %s are equal', (a, b) => {
  expect(compareVersions(a, b)).toBe(0);
});
