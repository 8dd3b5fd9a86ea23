/** Keeps a plugin's paths where they belong (spec/worker.md § 8.4). */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/**
 * The path below `root`, with every symbolic link followed; undefined when it leads elsewhere. What is not there yet is judged
 * by the directory that it would be in.
 *
 * @param root a directory that exists.
 */
export function resolveWithin(root: string, path: string): string | undefined {
  const realRoot = realpathSync(root);
  const real = realPathOf(resolve(realRoot, path));
  const way = relative(realRoot, real);
  const isOutside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
  return isOutside ? undefined : real;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}
