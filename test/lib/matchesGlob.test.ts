import { expect, test } from 'vitest';
import { matchesGlob } from '../../lib/matchesGlob.ts';

test.each([
  ['task.*', 'task.created', true],
  ['task.*', 'task.', true],
  ['task.*', 'tasks.created', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['', '', true],
  ['', 'a', false],
  ['*.desync', 'stream.desync', true],
  ['*.desync', 'stream.desync.more', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['**', 'a', true],
  ['a*', 'ba', false],
  ['task.created', 'task.created', true],
  ['task?created', 'task.created', false],
  ['[t]ask', 'task', false],
  ['a*a', 'a', false],
])('matchesGlob(%j, %j) is %j', (glob, text, expected) => {
  expect(matchesGlob(glob, text)).toBe(expected);
});

test('matchesGlob() takes no long time for many stars', () => {
  expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(5000))).toBe(false);
});
