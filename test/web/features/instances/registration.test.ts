import { expect, test } from 'vitest';
import {
  nameProblem,
  urlProblem,
  withoutTrailingSlashes,
} from '../../../../web/src/features/instances/registration.ts';

test.each([
  ['a', true],
  ['laptop-a', true],
  [`a${'b'.repeat(39)}`, true],
  [`a${'b'.repeat(40)}`, false],
  ['', false],
  ['-a', false],
  ['Laptop', false],
  ['a b', false],
  ['beta', false],
])('nameProblem() of "%s" beside beta: fit is %s', (name, isFit) => {
  expect(nameProblem(name, ['alpha', 'beta']) === undefined).toBe(isFit);
});

test.each([
  ['http://desk', true],
  ['https://desk:4115/path', true],
  ['', false],
  ['desk:4115', false],
  ['ftp://desk', false],
  ['http://', false],
  ['http:///', false],
])('urlProblem() of "%s": fit is %s', (url, isFit) => {
  expect(urlProblem(url) === undefined).toBe(isFit);
});

test('withoutTrailingSlashes() leaves those within', () => {
  expect(withoutTrailingSlashes('http://desk/a//b//')).toBe('http://desk/a//b');
});
