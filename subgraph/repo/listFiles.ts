/** The files of a checkout, up to a bound, in the order of their paths. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders with the work of others, or with what is made from a checkout's own. */
const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'venv',
  '__pycache__',
]);

/** Deeper folders are left out. */
const MAX_DEPTH = 40;

export interface FileList {
  /** Relative, with forward slashes. */
  readonly paths: readonly string[];
  /** There was more than could be looked at. */
  readonly truncated: boolean;
}

export interface FileBounds {
  /** Most files and folders that are looked at. */
  readonly maxEntries: number;
  /** Most files that are listed. */
  readonly maxFiles: number;
}

/**
 * Plain files that `isWanted` takes. Symbolic links are not followed; hidden folders, and those of dependencies and builds, are
 * left out, as is a folder that cannot be read.
 */
export async function listFiles(
  root: string,
  isWanted: (path: string) => boolean,
  { maxEntries, maxFiles }: FileBounds,
): Promise<FileList> {
  const paths: string[] = [];
  const waiting = [''];
  let seen = 0;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const entries = await readFolder(join(root, folder));
    seen += entries.length;
    if (seen > maxEntries) return { paths: paths.sort(), truncated: true };
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (isOwn(entry.name) && path.split('/').length < MAX_DEPTH) waiting.push(path);
      } else if (entry.isFile() && isWanted(path)) {
        if (paths.length === maxFiles) return { paths: paths.sort(), truncated: true };
        paths.push(path);
      }
    }
  }
  return { paths: paths.sort(), truncated: false };
}

function isOwn(name: string): boolean {
  return !name.startsWith('.') && !SKIPPED.has(name);
}

async function readFolder(path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return [];
    throw error;
  }
}
