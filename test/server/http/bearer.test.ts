import { expect, test } from 'vitest';
import { createTokenCheck, readTokens } from '../../../server/http/bearer.ts';

test.each([
  ['Bearer second', true],
  ['bearer first', true],
  ['Bearer third', false],
  ['Bearer ', false],
  ['Basic first', false],
  ['first', false],
  [undefined, false],
])('createTokenCheck() takes %j: %s', (authorization, expected) => {
  expect(createTokenCheck(['first', 'second'])(authorization)).toBe(expected);
});

test('createTokenCheck() asks nobody when there is no token', () => {
  expect(createTokenCheck([])(undefined)).toBe(true);
});

test('readTokens() gives the tokens behind the names', () => {
  expect(readTokens(['A', 'B'], { A: 'first', B: 'second', C: 'third' })).toEqual(['first', 'second']);
});
