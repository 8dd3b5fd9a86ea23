/** The instruction documents of a checkout, and the files that are none. */
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCheckout } from '../../../subgraph/repo/openCheckout.ts';
import { readInstructions } from '../../../subgraph/repo/readInstructions.ts';
import { createCheckout, type TestCheckout } from '../../support/checkout.ts';

const read = ({ path, root }: TestCheckout, documents: readonly string[], onMissing?: string) =>
  readInstructions(openCheckout(path, [root]), documents, onMissing);

test('readInstructions() gives texts in the order asked for, and follows a link within the checkout', async () => {
  using checkout = createCheckout({ 'AGENTS.md': 'Be brief.\n', 'docs/style.md': 'Be kind.\n' });
  symlinkSync('AGENTS.md', join(checkout.path, 'CLAUDE.md'));
  const { docs, onMissing } = await read(checkout, ['docs/style.md', 'CLAUDE.md']);
  expect(onMissing).toBe('warn');
  expect(docs).toEqual([
    { path: 'docs/style.md', resolvedOk: true, text: 'Be kind.\n', detail: null },
    { path: 'CLAUDE.md', resolvedOk: true, text: 'Be brief.\n', detail: null },
  ]);
});

test('readInstructions() resolves nothing that is outside, no document, a pipe, binary or too large', async () => {
  using checkout = createCheckout({ '.env': 'KEY=1', 'large.md': 'x'.repeat(262_145), 'folder.md/a': '' });
  const { root, path } = checkout;
  writeFileSync(join(root, 'outside.md'), 'secret');
  symlinkSync(join(root, 'outside.md'), join(path, 'out.md'));
  symlinkSync('.env', join(path, 'env.md'));
  writeFileSync(join(path, 'binary.md'), Buffer.of(1, 0));
  execFileSync('mkfifo', [join(path, 'pipe.md')]);
  const documents = [
    '../outside.md',
    'out.md',
    '.env',
    'env.md',
    'large.md',
    'folder.md',
    'binary.md',
    'pipe.md',
    'gone.md',
  ];
  const { docs } = await read(checkout, documents);
  expect(docs.map(({ path: name, resolvedOk, text, detail }) => [name, resolvedOk, text, detail])).toEqual([
    ['../outside.md', false, null, 'it is outside of the checkout'],
    ['out.md', false, null, 'it is outside of the checkout'],
    ['.env', false, null, 'it is no document'],
    ['env.md', false, null, 'it is no document'],
    ['large.md', false, null, 'it has more than 262144 bytes'],
    ['folder.md', false, null, 'it is no file'],
    ['binary.md', false, null, 'it is no text'],
    ['pipe.md', false, null, 'it is no file'],
    ['gone.md', false, null, 'it is not there'],
  ]);
});

test('readInstructions() leaves out, tells or refuses what is missing', async () => {
  using checkout = createCheckout({ 'AGENTS.md': 'x' });
  const documents = ['AGENTS.md', 'CLAUDE.md'];
  expect((await read(checkout, documents, 'ignore')).docs.map(({ path }) => path)).toEqual(['AGENTS.md']);
  expect((await read(checkout, documents, 'warn')).docs).toHaveLength(2);
  await expect(read(checkout, documents, 'error')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    details: { documents: ['CLAUDE.md'] },
  });
  await expect(read(checkout, documents, 'shout')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('readInstructions() fills one answer with 4 MiB at most', async () => {
  const documents = Array.from({ length: 20 }, (_, n) => `${n}.md`);
  using checkout = createCheckout(Object.fromEntries(documents.map((name) => [name, 'x'.repeat(262_144)])));
  const { docs } = await read(checkout, documents);
  expect(docs.filter(({ resolvedOk }) => resolvedOk)).toHaveLength(16);
  expect(docs[16]).toMatchObject({ text: null, detail: 'it has more than 0 bytes' });
});
