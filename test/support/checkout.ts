/** A checkout on this machine: files, and a git repository where a test needs one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface TestCheckout extends Disposable {
  /** The root that the checkout is under, without a symbolic link. */
  readonly root: string;
  readonly path: string;
  write(files: Readonly<Record<string, string>>): void;
  /** @throws when git ends with another code than 0. */
  git(...args: string[]): string;
  /** All that was written so far. */
  commit(): void;
}

export function createCheckout(files: Readonly<Record<string, string>> = {}): TestCheckout {
  const directory = temporaryDirectory();
  const root = realpathSync(directory.path);
  const path = join(root, 'checkout');
  mkdirSync(path);
  const checkout: TestCheckout = {
    root,
    path,
    write(more) {
      for (const [name, text] of Object.entries(more)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), text);
      }
    },
    git: (...args) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
        cwd: path,
        encoding: 'utf8',
        stdio: 'pipe',
      }),
    commit() {
      checkout.git('init', '-q', '-b', 'main');
      checkout.git('add', '-A');
      checkout.git('commit', '-q', '-m', 'all');
    },
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
  checkout.write(files);
  return checkout;
}
