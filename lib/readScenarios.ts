/** The scenario table of a checkout. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseScenarios, type Scenario } from './scenarios.ts';

/** Where tests are by the habits of vitest, jest, node:test and pytest. */
export const TEST_GLOBS: readonly string[] = [
  '**/*.{test,spec}.{ts,tsx,mts,cts,js,jsx,mjs,cjs}',
  '**/test_*.py',
  '**/*_test.py',
];

/** Folders with the work of others, or with what is made from ours. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'build', 'venv', '__pycache__']);

/**
 * The scenarios of all files under `root` that one of `globs` matches, by path and place. Paths are relative to `root`, with
 * forward slashes. Hidden folders, and folders of dependencies and builds, are left out; links are not followed.
 *
 * @throws what the file system says when a file cannot be read.
 */
export function readScenarios(root: string, globs: readonly string[] = TEST_GLOBS): Scenario[] {
  const exclude = (path: string): boolean => SKIPPED.has(basename(path)) || /^\.[^.]/.test(basename(path));
  const paths = globSync(globs, { cwd: root, exclude }).map((path) => path.replaceAll('\\', '/'));
  return [...new Set(paths)]
    .sort()
    .flatMap((path) => parseScenarios(path, readFileSync(join(root, path), 'utf8')));
}
