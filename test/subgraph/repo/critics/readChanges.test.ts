/** What a critic is shown of a checkout, and that a checkout cannot make git do anything else. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Changes, readChanges } from '../../../../subgraph/repo/critics/readChanges.ts';
import { openCheckout } from '../../../../subgraph/repo/openCheckout.ts';
import { createCheckout, type TestCheckout } from '../../../support/checkout.ts';

function read({ root, path }: TestCheckout, { below = path, maxBytes = 100_000 } = {}): Promise<Changes> {
  const { signal } = new AbortController();
  return readChanges(openCheckout(below, [root]), { env: process.env, signal, maxBytes });
}

describe('readChanges()', () => {
  test('shows what differs from the last commit, new files included, and writes nothing', async () => {
    using checkout = createCheckout({ 'a.txt': 'one\n', '.gitignore': 'ignored\n' });
    checkout.commit();
    expect(await read(checkout)).toEqual({ base: 'HEAD', diff: '', truncated: false });
    checkout.write({
      'a.txt': 'two\n',
      'new ü*.txt': 'fresh\n',
      ignored: 'x\n',
      'inner/.git/x': '',
      'staged.txt': 's\n',
    });
    checkout.git('init', '-q', 'inner');
    checkout.git('add', 'staged.txt');
    const before = checkout.git('status', '--porcelain');
    const { diff } = await read(checkout);
    expect(diff).toContain('-one\n+two\n');
    expect(diff).toContain('+++ b/new ü*.txt');
    expect(diff).toContain('+fresh\n');
    expect(diff).toContain('b/staged.txt');
    expect(diff).not.toContain('ignored');
    expect(checkout.git('status', '--porcelain')).toBe(before);
  });

  test('shows a thousand new files and says that there are more', async () => {
    using checkout = createCheckout({ a: '' });
    checkout.commit();
    checkout.write(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`new/${n}`, 'x\n'])));
    const { diff, truncated } = await read(checkout, { maxBytes: 1_000_000 });
    expect(diff.match(/^diff /gm)).toHaveLength(1_000);
    expect(truncated).toBe(true);
  });

  test('begins where the branch began, when there is a remote', async () => {
    using checkout = createCheckout({ 'a.txt': 'one\n' });
    checkout.commit();
    const base = checkout.git('rev-parse', 'HEAD').trim();
    checkout.git('update-ref', 'refs/remotes/origin/HEAD', base);
    checkout.write({ 'a.txt': 'two\n' });
    checkout.git('commit', '-q', '-a', '-m', 'two');
    expect(await read(checkout)).toMatchObject({ base, diff: expect.stringContaining('-one\n+two\n') });
  });

  test('shows what is below a directory of the checkout', async () => {
    using checkout = createCheckout({ 'a/x': '1\n', 'b/y': '1\n' });
    checkout.commit();
    checkout.write({ 'a/x': '2\n', 'b/y': '2\n', 'b/z': '' });
    const { diff } = await read(checkout, { below: join(checkout.path, 'b') });
    expect(diff).toContain('b/y');
    expect(diff).toContain('b/z');
    expect(diff).not.toContain('a/x');
  });

  test('reads a bounded part of a large difference', async () => {
    using checkout = createCheckout({ a: '' });
    checkout.commit();
    checkout.write({ a: 'line\n'.repeat(10_000) });
    const { diff, truncated } = await read(checkout, { maxBytes: 1_000 });
    expect(truncated).toBe(true);
    expect(diff).toHaveLength(1_000);
  });

  test('executes nothing that the checkout names', async () => {
    using checkout = createCheckout({ 'a.txt': 'one\n', '.gitattributes': '* filter=evil diff=evil\n' });
    checkout.commit();
    const traces = ['monitor', 'clean', 'process', 'external', 'textconv', 'command'].map((name) => {
      const trace = join(checkout.root, `${name}-ran`);
      const script = join(checkout.root, name);
      writeFileSync(script, `#!/bin/sh\ntouch '${trace}'\ncat\n`);
      chmodSync(script, 0o755);
      return { name, script, trace };
    });
    const [monitor, clean, filter, external, textconv, command] = traces.map(({ script }) => script);
    checkout.write({ 'a.txt': 'other\n' });
    const settings = {
      'core.fsmonitor': monitor,
      'filter.evil.clean': clean,
      'filter.evil.process': filter,
      'filter.evil.required': 'true',
      'filter.e=v.clean': clean,
      'diff.external': external,
      'diff.evil.textconv': textconv,
      'diff.evil.command': command,
    };
    for (const [key, value] of Object.entries(settings)) checkout.git('config', key, value ?? '');
    expect((await read(checkout)).diff).toContain('-one\n+other\n');
    expect(traces.filter(({ trace }) => existsSync(trace)).map(({ name }) => name)).toEqual([]);
  });

  test('shows no other work tree than the one asked for', async () => {
    using checkout = createCheckout({ 'secrets.txt': 'harmless\n' });
    checkout.commit();
    const elsewhere = join(checkout.root, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'secrets.txt'), 'hunter2\n');
    checkout.git('config', 'core.worktree', elsewhere);
    expect((await read(checkout)).diff).toBe('');
  });

  test.each<[what: string, prepare: (checkout: TestCheckout, foreign: TestCheckout) => void, reason: string]>(
    [
      ['without a repository', () => {}, 'the directory is in no git checkout'],
      ['without a commit', (checkout) => checkout.git('init', '-q'), "bad revision 'HEAD'"],
      [
        'whose repository is elsewhere',
        (checkout, foreign) => checkout.write({ '.git': `gitdir: ${join(foreign.path, '.git')}\n` }),
        'the repository of the checkout is outside of the roots',
      ],
    ],
  )('refuses a checkout %s', async (_what, prepare, reason) => {
    using foreign = createCheckout({ a: 'secret' });
    foreign.commit();
    using checkout = createCheckout({ a: '' });
    prepare(checkout, foreign);
    await expect(read(checkout)).rejects.toMatchObject({
      name: 'GitError',
      message: expect.stringContaining(reason),
    });
  });

  test('says so when there is no git, and ends with its signal', async () => {
    using checkout = createCheckout({ a: '' });
    checkout.commit();
    const target = openCheckout(checkout.path, [checkout.root]);
    const { signal } = new AbortController();
    await expect(
      readChanges(target, { env: { PATH: '/nowhere' }, signal, maxBytes: 1 }),
    ).rejects.toMatchObject({
      message: 'git is not installed',
    });
    const over = AbortSignal.abort(new Error('over'));
    await expect(readChanges(target, { env: process.env, signal: over, maxBytes: 1 })).rejects.toThrow(
      'over',
    );
  });
});
