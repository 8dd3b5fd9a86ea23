import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openStateDatabase, type StateDatabase } from '../../lib/StateDatabase.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const SECRET = 'the secret of row';

/** Longer than a page, so that what is deleted frees pages, too. */
const LONG = `${SECRET} 1 `.repeat(1_000);

test('what was deleted is in neither file when the scrub has returned', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  database.transaction(() => add(database, 1, 'short'));
  database.transaction(() => add(database, 1, LONG));
  database.transaction(() => add(database, 2, 'kept'));
  expect(hasText(directory.path, SECRET)).toBe(true);

  database.transaction(() => {
    database.statement('DELETE FROM rows WHERE id = 1').run();
    database.scrub();
    expect(statSync(sideFileOf(directory.path)).size).toBeGreaterThan(0);
  });

  expect(hasText(directory.path, SECRET)).toBe(false);
  expect(hasText(directory.path, 'kept')).toBe(true);
  expect(statSync(sideFileOf(directory.path)).size).toBe(0);
});

test('a scrub of a transaction that was rolled back touches nothing', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  database.transaction(() => add(database, 1, LONG));
  const sizeBytes = statSync(sideFileOf(directory.path)).size;
  const attempt = () =>
    database.transaction(() => {
      database.scrub();
      throw new Error('of the caller');
    });
  expect(attempt).toThrow('of the caller');
  expect(statSync(sideFileOf(directory.path)).size).toBe(sizeBytes);
});

test('a reader that is in the way is not waited for, and a later commit does it', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  database.transaction(() => add(database, 1, LONG));
  using reader = new DatabaseSync(join(directory.path, 'state.db'));
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM rows').get();
  const remove = () => {
    database.statement('DELETE FROM rows WHERE id = 1').run();
    database.scrub();
  };

  database.transaction(remove);

  expect(database.statement('PRAGMA busy_timeout').get()).toEqual({ timeout: 5_000 });
  expect(hasText(directory.path, SECRET)).toBe(true);
  reader.exec('COMMIT');
  for (let commit = 0; commit < 100; commit += 1) database.transaction(() => add(database, 2, 'kept'));
  expect(hasText(directory.path, SECRET)).toBe(false);
});

test('copies that were left beside moved rows are gone when the file is closed', () => {
  using directory = temporaryDirectory();
  const random = randomFrom(1);
  {
    using database = open(directory.path);
    database.transaction(() => {
      for (let key = 0; key < 1_500; key += 1) {
        const id = Math.floor(random() * 100);
        add(database, id, nameOf(id).repeat(1 + Math.floor(random() ** 3 * 60)), key);
      }
    });
    for (let id = 0; id < 100; id += 2) {
      database.transaction(() => {
        database.statement('DELETE FROM rows WHERE id = ?').run(id);
        database.scrub();
      });
    }
  }
  expect(readdirSync(directory.path)).toEqual(['state.db']);
  const found = Array.from({ length: 100 }, (_, id) => id).filter((id) =>
    hasText(directory.path, nameOf(id)),
  );
  expect(found).toEqual(Array.from({ length: 50 }, (_, index) => 2 * index + 1));
});

test('a scrub of a file that cannot be written fails nobody, and the rows stay as they are', () => {
  using directory = temporaryDirectory();
  {
    using database = open(directory.path);
    database.transaction(() => add(database, 1, 'kept'));
    database.statement('PRAGMA query_only = 1').get();
    database.scrub();
  }
  using again = open(directory.path);
  expect(again.statement('SELECT id, value FROM rows').all()).toEqual([{ id: 1, value: 'kept' }]);
});

function open(directory: string): StateDatabase {
  const migrations = [
    'CREATE TABLE rows (id INTEGER, key INTEGER, value TEXT, PRIMARY KEY (id, key)) STRICT, WITHOUT ROWID',
  ];
  return openStateDatabase(join(directory, 'state.db'), { migrations });
}

function add(database: StateDatabase, id: number, value: string, key = 0): void {
  database.statement('INSERT OR REPLACE INTO rows (id, key, value) VALUES (?, ?, ?)').run(id, key, value);
}

function nameOf(id: number): string {
  return `${SECRET} ${String(id).padStart(3, '0')};`;
}

function sideFileOf(directory: string): string {
  return join(directory, 'state.db-wal');
}

function hasText(directory: string, text: string): boolean {
  return readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(text));
}

/** The same numbers from 0 to 1 for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    return state / 0x7fff_ffff;
  };
}
