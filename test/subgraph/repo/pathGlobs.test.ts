/** Globs of clients: what they match, and that none takes long. */
import { expect, test } from 'vitest';
import { TEST_GLOBS } from '../../../lib/readScenarios.ts';
import { buildPathMatcher } from '../../../subgraph/repo/pathGlobs.ts';
import { startCpuWatch } from '../../support/startCpuWatch.ts';

test.each([
  ['*.py', 'test_a.py', true],
  ['*.py', 'tests/deep/test_a.py', true],
  ['tests/*.py', 'tests/test_a.py', true],
  ['tests/*.py', 'tests/deep/test_a.py', false],
  ['tests/**', 'tests/deep/test_a.py', true],
  ['tests/**/*.py', 'tests/test_a.py', true],
  ['**/a/**/b.ts', 'x/a/y/z/b.ts', true],
  ['**/a/**/b.ts', 'x/b.ts', false],
  ['./tests/*.py', 'tests/test_a.py', true],
  ['{a,b}/*.{ts,py}', 'b/x.py', true],
  ['{a,b}/*.{ts,py}', 'c/x.py', false],
  ['../**', 'a.ts', false],
  ['a?.ts', 'ab.ts', false],
])('buildPathMatcher() %s of %s is %o', (glob, path, expected) => {
  expect(buildPathMatcher([glob])(path)).toBe(expected);
});

test.each(['a/b.test.ts', 'b.spec.mjs', 'tests/test_a.py', 'a_test.py'])(
  'buildPathMatcher() takes %s for a test by default, and other sources not',
  (path) => {
    const matches = buildPathMatcher(TEST_GLOBS);
    expect(matches(path)).toBe(true);
    expect(matches(`${path}.map`)).toBe(false);
  },
);

test.each([
  ['an unclosed brace', ['{a'], 'a brace on its own'],
  ['braces within braces', ['{a,{b,c}}x{'], 'a brace on its own'],
  ['too many alternatives', ['{a,b}'.repeat(10)], 'stands for more than 100'],
  ['an empty glob', [''], '0 characters'],
  ['a long glob', ['*'.repeat(501)], '501 characters'],
  ['too many globs', Array.from({ length: 51 }, () => '*'), 'there are 51'],
])('buildPathMatcher() refuses %s', (_what, globs, reason) => {
  expect(() => buildPathMatcher(globs)).toThrow(
    expect.objectContaining({ code: 'BAD_USER_INPUT', message: expect.stringContaining(reason) }),
  );
});

test('buildPathMatcher() is not slowed down by stars', () => {
  const matches = buildPathMatcher([`${'**/'.repeat(100)}${'*a'.repeat(90)}b`]);
  const path = `${'a/'.repeat(40)}${'a'.repeat(250)}`;
  const cpuMs = startCpuWatch();
  expect(matches(path)).toBe(false);
  expect(cpuMs()).toBeLessThan(1_000);
});
