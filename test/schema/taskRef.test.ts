import { expect, test } from 'vitest';
import { formatOwnRef, isTaskRef } from '../../schema/taskRef.ts';

test.each([
  ['github:octo/repo#15', true],
  ['gitlab:git.example.org/octo/repo#1', true],
  ['flotilla:alpha/task#1', true],
  ['my-tracker2:o/r#0', true],
  ['github:octo/repo.js#15', true],
  ['', false],
  ['octo/repo#15', false],
  ['GitHub:octo/repo#15', false],
  ['github:octo#15', false],
  ['github:a/b/c/d#15', false],
  ['github:octo/repo', false],
  ['github:octo/repo#', false],
  ['github:octo/repo#x', false],
  ['github:octo/repo#015', false],
  ['github:github.com/octo/repo#15', false],
  ['github:octo/re po#15', false],
  ['github:octo/repo#15\n', false],
  ['github:octo/re\u0000po#15', false],
  [`github:octo/${'r'.repeat(600)}#1`, false],
])('isTaskRef(%j) is %s', (text, expected) => {
  expect(isTaskRef(text)).toBe(expected);
});

test('formatOwnRef() gives a ref', () => {
  expect(formatOwnRef('alpha', 3)).toBe('flotilla:alpha/task#3');
  expect(isTaskRef(formatOwnRef('alpha', 3))).toBe(true);
});
