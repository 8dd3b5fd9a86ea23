/** A migrated state database in a directory of its own. */
import { join } from 'node:path';
import { openStateDatabase, type StateDatabase } from '../../lib/StateDatabase.ts';
import { STATE_MIGRATIONS } from '../../subgraph/engine/stateMigrations.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface StateFile extends Disposable {
  readonly database: StateDatabase;
  /** Closes the file and opens it again. */
  reopen(): void;
}

export function openStateFile(): StateFile {
  const directory = temporaryDirectory();
  const open = () => openStateDatabase(join(directory.path, 'state.db'), { migrations: STATE_MIGRATIONS });
  let database = open();
  return {
    get database() {
      return database;
    },
    reopen() {
      database[Symbol.dispose]();
      database = open();
    },
    [Symbol.dispose]() {
      database[Symbol.dispose]();
      directory[Symbol.dispose]();
    },
  };
}
