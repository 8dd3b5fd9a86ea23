/** Replaces a file as a whole: a reader sees the old text or the new one, also after a crash. */
import { renameSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './readConfig.ts';

/** Mode of a file that was not there, before the umask. */
const NEW_MODE = 0o644;

/**
 * Writes `text` beside the file that `path` leads to, through a symlink if it is one, and renames it over that file.
 * The mode is kept. On any error the old file is as it was and nothing is left beside it.
 *
 * @param beforeRename called last; its throw leaves the old file in place.
 */
export async function replaceFile(path: string, text: string, beforeRename: () => void): Promise<void> {
  const target = await followLinks(path);
  const directory = dirname(target);
  const temporary = join(directory, `.${basename(target)}.${process.pid}.tmp`);
  const mode = await modeOf(target);
  await rm(temporary, { force: true });
  try {
    await withFile(await open(temporary, 'wx', mode ?? NEW_MODE), async (file) => {
      if (mode !== undefined) await file.chmod(mode);
      await file.writeFile(text);
      await file.sync();
    });
    // In one go, so that what `beforeRename` has seen is what is replaced.
    beforeRename();
    renameSync(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Makes the rename survive a power cut. The new file is in place already, so a system that cannot do this is not an error. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await withFile(await open(directory, 'r'), (handle) => handle.sync());
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

async function withFile(file: FileHandle, use: (file: FileHandle) => Promise<void>): Promise<void> {
  await using owned = file;
  await use(owned);
}

/** The file at the end of the links; for a link to a file that is not there, that file. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const isLink = await lstat(path).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    return isLink ? followLinks(resolve(dirname(path), await readlink(path))) : path;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o7777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
