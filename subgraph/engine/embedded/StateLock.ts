/**
 * One process per state directory (design § 6).
 *
 * `owner.db` is held under SQLite's exclusive lock for as long as the process lives; the kernel frees it when the
 * process ends, however it ends. `owner.pid` beside it only names the owner in the error of whoever comes second.
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { badUserInput, conflict } from '../../../schema/errors.ts';
import { makeDirectory } from './makeDirectory.ts';

/** Primary result code of SQLite: somebody else holds the lock. */
const BUSY = 5;

/** Held until it is disposed of. Disposing twice is fine. */
export type StateLock = Disposable;

/**
 * Takes the directory for this process, and creates it when it is missing.
 *
 * @throws {FlotillaError} CONFLICT when it is taken already, by another process or by this one; BAD_USER_INPUT when it
 * cannot be used.
 */
export function acquireStateLock(directory: string): StateLock {
  const ownerPath = join(directory, 'owner.pid');
  let database: DatabaseSync | undefined;
  try {
    makeDirectory(directory);
    const path = join(directory, 'owner.db');
    // An existing file is not opened: closing it would drop a lock that this process has on it.
    if (!existsSync(path)) writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    chmodSync(path, 0o600);
    database = new DatabaseSync(path, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
    writeFileSync(ownerPath, `${process.pid}\n`, { mode: 0o600 });
  } catch (error) {
    database?.close();
    throw explain(error, directory, ownerPath);
  }
  const held = database;
  return {
    [Symbol.dispose]() {
      if (!held.isOpen) return;
      try {
        rmSync(ownerPath, { force: true });
      } finally {
        held.close();
      }
    },
  };
}

function explain(error: unknown, directory: string, ownerPath: string): unknown {
  if (!(error instanceof Error)) return error;
  if (isBusy(error)) {
    return conflict(
      `Cannot open state directory "${directory}": it is in use by another process${readOwner(ownerPath)}, one process per directory is expected`,
      { reason: 'state.in_use' },
    );
  }
  return badUserInput(
    `Cannot open state directory "${directory}": ${reasonOf(error)}, a directory that can be written is expected`,
    { reason: 'state.unusable' },
  );
}

/** The system's own texts name calls and repeat the path. */
function reasonOf(error: Error): string {
  switch ('code' in error ? error.code : undefined) {
    case 'EROFS':
      return 'its file system is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of its path is a file';
    case 'ENOENT':
      return 'its file system takes no new directory';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return error.message;
  }
}

function isBusy(error: Error): boolean {
  return 'errcode' in error && typeof error.errcode === 'number' && (error.errcode & 0xff) === BUSY;
}

function readOwner(path: string): string {
  try {
    const pid = readFileSync(path, 'utf8').trim();
    return /^\d+$/.test(pid) ? ` (pid ${pid})` : '';
  } catch {
    // The name of the owner is a courtesy; the lock is what counts.
    return '';
  }
}
