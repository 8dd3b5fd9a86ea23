/** A file that one process at a time has locked; the kernel frees it when the process ends, however it ends. */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { conflict } from '../../../schema/errors.ts';

/** Primary result code of SQLite: somebody else holds the lock. */
const BUSY = 5;

/**
 * Locks the file, and creates it for its owner only when it is missing. Disposing frees it; twice is fine.
 *
 * @param what is locked, for the error.
 * @throws {FlotillaError} CONFLICT when it is locked already, by another process or by this one.
 */
export function lockFile(path: string, what: string): Disposable {
  // An existing file is not opened: closing it would drop a lock that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === BUSY))
      throw error;
    throw conflict(
      `Cannot open ${what}: it is in use by another process, one process at a time is expected`,
      {
        reason: 'state.in_use',
      },
    );
  }
  return {
    [Symbol.dispose]() {
      if (database.isOpen) database.close();
    },
  };
}
