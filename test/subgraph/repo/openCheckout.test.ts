/** Nothing outside of the roots is read, however it is named. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCheckout, openCheckout } from '../../../subgraph/repo/openCheckout.ts';
import { createCheckout } from '../../support/checkout.ts';

test('openCheckout() takes a root and what is below it, with links resolved', () => {
  using checkout = createCheckout();
  const { root, path } = checkout;
  symlinkSync(path, join(root, 'link'));
  expect(openCheckout(root, [root])).toEqual({ repo: root, path: root, root });
  expect(openCheckout(path, ['/nowhere', root])).toEqual({ repo: path, path, root });
  expect(openCheckout(join(root, 'link'), [root])).toEqual({ repo: join(root, 'link'), path, root });
});

test.each<[what: string, repo: (root: string) => string]>([
  ['a directory that is not there', (root) => join(root, 'gone')],
  ['a file', (root) => join(root, 'file')],
  ['a relative path', () => 'checkout'],
  ['the directory above', (root) => join(root, '..')],
  ['a way out and elsewhere', (root) => `${root}/a/../../..`],
  ['a directory whose name begins like a root', (root) => `${root}-other`],
  ['a link that leads out', (root) => join(root, 'way-out')],
  ['a path behind a link that leads out', (root) => join(root, 'way-out', 'etc')],
  ['a path with a zero', (root) => `${root}\0/a`],
])('openCheckout() refuses %s, and says the same of each', (_what, repo) => {
  using checkout = createCheckout({ file: '', 'a/b': '' });
  const { path } = checkout;
  symlinkSync('/', join(path, 'way-out'));
  mkdirSync(`${path}-other`);
  expect(() => openCheckout(repo(path), [path])).toThrow(
    expect.objectContaining({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('is not a directory under the roots of checkouts'),
    }),
  );
  expect(findCheckout(repo(path), [path])).toBeUndefined();
});
