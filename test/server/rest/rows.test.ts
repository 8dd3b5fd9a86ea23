import { expect, test } from 'vitest';
import { parseRef, refParts, refUrl, stamped } from '../../../server/rest/rows.ts';

const MANAGER = { isManager: true };

test.each([
  ['absent', { ref: 'x' }, { ref: 'x', instance: 'alpha' }],
  ['empty', { instance: '' }, { instance: 'alpha' }],
  ['the origin', { instance: 'alpha' }, { instance: 'alpha' }],
  ['another', { instance: 'ci' }, { instance: 'alpha', about: 'ci' }],
  ['another beside an about', { instance: 'ci', about: 'hq' }, { instance: 'alpha', about: 'hq' }],
  ['no text', { instance: 7 }, { instance: 'alpha' }],
])('stamped() overwrites an instance that is %s', (_title, row, expected) => {
  expect(stamped(row, 'alpha', MANAGER)).toEqual(expected);
});

test('stamped() leaves the rows of a worker as they are', () => {
  expect(stamped({ ref: 'x' }, 'alpha', { isManager: false })).toEqual({ ref: 'x' });
});

test.each([
  ['github:octo/repo#15', 'https://github.com/octo/repo/issues/15'],
  ['github:git.example.com/octo/repo#15', 'https://git.example.com/octo/repo/issues/15'],
  ['flotilla:alpha/task#3', undefined],
  ['github:oc?to/repo#15', undefined],
  ['standing:shepherd', undefined],
])('refUrl() of %s is %s', (ref, url) => {
  expect(refUrl(ref)).toEqual(url === undefined ? {} : { url });
});

test('refParts() splits a ref and keeps one of another grammar', () => {
  const ref = 'github:git.example.com/octo/repo#15';
  expect(refParts(ref)).toEqual({ ref, provider: 'github', owner: 'octo', repo: 'repo', number: 15 });
  expect(refParts('standing:x')).toEqual({ ref: 'standing:x', provider: '', owner: '', repo: '', number: 0 });
});

test('parseRef() takes the address of an issue for its ref and refuses what is neither', () => {
  expect(parseRef('https://github.com/octo/repo/issues/15')).toBe('github:octo/repo#15');
  expect(() => parseRef('octo')).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});
