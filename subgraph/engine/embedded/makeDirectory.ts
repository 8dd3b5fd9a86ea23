/** Directories on the way to a state directory. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the directory and those above it that are missing, for their owner only; one that is there stays as it is.
 *
 * Step by step from above: the recursive call of Node never comes back where a file system takes no directory (`/proc`), and
 * tells of a read-only one as of a missing path.
 *
 * @throws the system's error for the first step that fails; ENOTDIR when a part of the path is no directory.
 */
export function makeDirectory(path: string): void {
  if (isDirectory(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isDirectory(path)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
