import { spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { acquireStateLock } from '../../../../subgraph/engine/embedded/StateLock.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

test('the second owner in one process is refused, and the first one keeps the directory', () => {
  using directory = temporaryDirectory();
  using _first = acquireStateLock(directory.path);
  for (const _attempt of [1, 2]) {
    expect(() => acquireStateLock(directory.path)).toThrow(
      expect.objectContaining({ code: 'CONFLICT', details: { reason: 'state.in_use' } }),
    );
  }
});

test('the refusal names the directory and the owner in one line', () => {
  using directory = temporaryDirectory();
  using _first = acquireStateLock(directory.path);
  expect(() => acquireStateLock(directory.path)).toThrow(
    `Cannot open state directory "${directory.path}": it is in use by another process (pid ${process.pid}), one process per directory is expected`,
  );
});

test('another process is refused', async () => {
  using directory = temporaryDirectory();
  using _first = acquireStateLock(directory.path);
  const script = join(import.meta.dirname, '../../../support/engineProcess.ts');
  const child = spawn(process.execPath, [script, directory.path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = new Promise((resolve) => child.once('exit', resolve));
  expect(await text(child.stdout)).toContain(`(pid ${process.pid})`);
  expect(await exit).toBe(2);
});

test('the directory is free when the lock is given back, once or twice', () => {
  using directory = temporaryDirectory();
  const first = acquireStateLock(directory.path);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  using _second = acquireStateLock(directory.path);
  expect(existsSync(join(directory.path, 'owner.pid'))).toBe(true);
});

test('a missing directory is made, for its owner only', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'deep', 'state');
  using _lock = acquireStateLock(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const name of ['owner.db', 'owner.pid']) {
    expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  }
});

test.runIf(process.platform === 'linux')('a file system that takes no directory is refused at once', () => {
  expect(() => acquireStateLock('/proc/flotilla/state')).toThrow(
    expect.objectContaining({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(
        /^Cannot open state directory "\/proc\/flotilla\/state": its file system/,
      ),
    }),
  );
});

test('a path that cannot be a directory is one clear error', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'file');
  writeFileSync(path, '');
  expect(() => acquireStateLock(path)).toThrow(
    expect.objectContaining({
      code: 'BAD_USER_INPUT',
      message: expect.stringMatching(/^Cannot open state directory ".*file": [^\n]*$/),
    }),
  );
});
