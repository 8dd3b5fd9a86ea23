/** What a checkout has changed. */
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { resolveWithin } from '../../plugins/resolveWithin.ts';
import type { Checkout } from '../openCheckout.ts';
import { createGit, type Git, GitError } from './runGit.ts';

/** Files without a version that are shown. */
const MAX_NEW_FILES = 1_000;

/** That of a million files is smaller. */
const MAX_INDEX_BYTES = 512 * 1_048_576;

export interface Changes {
  /** What they are compared with: a commit, or `HEAD`. */
  readonly base: string;
  /** A unified diff, new files included; empty when nothing differs. */
  readonly diff: string;
  /** The diff is longer than is read, or there are more than a thousand new files. */
  readonly truncated: boolean;
}

/**
 * Everything under `checkout.path` that differs from where the branch began, committed or not, ignored files apart: the merge base
 * with `origin/HEAD`, or, where there is none, `HEAD`. Nothing is written to the repository.
 *
 * @param maxBytes of the diff.
 * @throws {GitError} when there is no repository, no commit or no git; the signal's reason when it aborts.
 */
export async function readChanges(
  { path, root }: Checkout,
  {
    env,
    signal,
    maxBytes,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
    readonly maxBytes: number;
  },
): Promise<Changes> {
  const top = findTop(path, root);
  if (top === undefined)
    throw new GitError('the directory is in no git checkout under the roots of checkouts');
  const git = await createGit({ top, env, signal });
  await assertOwnRepository(git, root);
  const below = ['--', relative(top, path) || '.'];
  const base = await git(['merge-base', 'HEAD', 'origin/HEAD']).then(
    ({ text }) => text.trim(),
    (error) => {
      if (error instanceof GitError) return 'HEAD';
      throw error;
    },
  );
  const scratch = await mkdtemp(join(tmpdir(), 'flotilla-index-'));
  try {
    const index = join(scratch, 'index');
    const isWhole = await copyIndexWithNewFiles(git, index, below);
    const { text, truncated } = await git(
      ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', base, ...below],
      { maxBytes, index },
    );
    return { base, diff: text, truncated: truncated || !isWhole };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** An index in which the new files are about to be added, so that a diff shows them. Whether it has all of them. */
async function copyIndexWithNewFiles(git: Git, index: string, below: readonly string[]): Promise<boolean> {
  const { text: own } = await git(['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  await copyWithTimes(own.trimEnd(), index);
  const listed = await git(['ls-files', '--others', '--exclude-standard', '-z', ...below], {
    maxBytes: 1_048_576,
  });
  // The piece behind the last zero is no whole name; a name with a slash at its end is a repository of its own.
  const names = listed.text.split('\0').slice(0, -1);
  const files = names.filter((name) => !name.endsWith('/')).slice(0, MAX_NEW_FILES);
  if (files.length > 0) {
    const input = files.map((name) => `${name}\0`).join('');
    await git(['add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'], { index, input });
  }
  return !listed.truncated && names.length <= MAX_NEW_FILES;
}

/** Git takes files that changed no earlier than their index did for changed ones: a newer copy would hide them. */
async function copyWithTimes(from: string, to: string): Promise<void> {
  try {
    const found = await stat(from);
    if (!found.isFile() || found.size > MAX_INDEX_BYTES)
      throw new GitError('the index of the repository is no file of at most 512 MiB');
    await copyFile(from, to);
    await utimes(to, found.atime, found.mtime);
  } catch (error) {
    // A repository in which nothing was ever added has none.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The repository of a work tree may be elsewhere, but not outside of the root that the work tree is under. */
async function assertOwnRepository(git: Git, root: string): Promise<void> {
  const { text } = await git(['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir']);
  const directories = text.split('\n').filter((line) => line !== '');
  if (directories.some((directory) => resolveWithin(root, directory) === undefined)) {
    throw new GitError('the repository of the checkout is outside of the roots of checkouts');
  }
}

/** The nearest directory with a repository, not above the root. */
function findTop(path: string, root: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === root || at === dirname(at)) return undefined;
  }
}
