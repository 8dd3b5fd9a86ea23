import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStateDatabase, type StateDatabase } from '../../lib/StateDatabase.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const MIGRATIONS = ['CREATE TABLE rows (value TEXT NOT NULL) STRICT'];

function open(directory: string, migrations: readonly string[] = MIGRATIONS): StateDatabase {
  return openStateDatabase(join(directory, 'state.db'), { migrations });
}

function add(database: StateDatabase, value: string): void {
  database.statement('INSERT INTO rows (value) VALUES (?)').run(value);
}

function valuesOf(database: StateDatabase): string[] {
  const rows = database.statement<{ readonly value: string }>('SELECT value FROM rows').all();
  return rows.map(({ value }) => value);
}

test('a committed transaction is there after a reopening', () => {
  using directory = temporaryDirectory();
  {
    using database = open(directory.path);
    database.transaction(() => add(database, 'kept'));
  }
  using again = open(directory.path);
  expect(valuesOf(again)).toEqual(['kept']);
});

test('the database and its side files are for their owner only, also those that lay open before', () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'state.db'), '', { mode: 0o644 });
  using database = open(directory.path);
  database.transaction(() => add(database, 'secret'));
  const modes = readdirSync(directory.path).map((name) => [
    name,
    (statSync(join(directory.path, name)).mode & 0o777).toString(8),
  ]);
  expect(modes.sort()).toEqual([
    ['state.db', '600'],
    ['state.db-shm', '600'],
    ['state.db-wal', '600'],
  ]);
});

test('a commit is synced to the disk before it returns', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  expect(database.statement('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(database.statement('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
});

test('migrations that are new run once, in their order', () => {
  using directory = temporaryDirectory();
  open(directory.path)[Symbol.dispose]();
  const grown = [...MIGRATIONS, "INSERT INTO rows VALUES ('second')", "INSERT INTO rows VALUES ('third')"];
  open(directory.path, grown)[Symbol.dispose]();
  using database = open(directory.path, grown);
  expect(valuesOf(database)).toEqual(['second', 'third']);
});

test('a migration that fails leaves the file as it was', () => {
  using directory = temporaryDirectory();
  const broken = [...MIGRATIONS, "INSERT INTO rows VALUES ('half'); INSERT INTO nowhere VALUES (1)"];
  expect(() => open(directory.path, broken)).toThrow(/no such table: nowhere/);
  using database = open(directory.path);
  expect(valuesOf(database)).toEqual([]);
});

test('a file of a newer version is refused with both versions', () => {
  using directory = temporaryDirectory();
  open(directory.path, [...MIGRATIONS, 'SELECT 1'])[Symbol.dispose]();
  expect(() => open(directory.path)).toThrow(/schema version is 2, 1 or lower is expected/);
});

test('a file that is no database is refused with its name', () => {
  using directory = temporaryDirectory();
  writeFileSync(
    join(directory.path, 'state.db'),
    'not a database, but long enough to be looked at'.repeat(20),
  );
  expect(() => open(directory.path)).toThrow(/^Cannot open ".*state\.db": file is not a database$/);
});

test('a transaction whose work throws leaves nothing, and the error is the same', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  const error = new Error('of the caller');
  const attempt = () =>
    database.transaction(() => {
      add(database, 'lost');
      throw error;
    });
  expect(attempt).toThrow(error);
  expect(valuesOf(database)).toEqual([]);
});

test('an inner transaction is part of the outer one', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  const attempt = () =>
    database.transaction(() => {
      database.transaction(() => add(database, 'inner'));
      throw new Error('the outer one fails');
    });
  expect(attempt).toThrow('the outer one fails');
  expect(valuesOf(database)).toEqual([]);
});

test('an inner failure fails the outer transaction, although its error was caught', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  const attempt = () =>
    database.transaction(() => {
      add(database, 'outer');
      try {
        database.transaction(() => {
          add(database, 'half');
          throw new Error('the inner one fails');
        });
      } catch {}
    });
  expect(attempt).toThrow('the inner one fails');
  expect(valuesOf(database)).toEqual([]);
  database.transaction(() => add(database, 'next'));
  expect(valuesOf(database)).toEqual(['next']);
});

test('a callback is called once, after the commit, and never after a rollback', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  const seen: (readonly string[])[] = [];
  const look = () => seen.push(valuesOf(database));
  database.transaction(() => {
    database.afterCommit(look);
    add(database, 'a');
    database.transaction(() => database.afterCommit(look));
    expect(seen).toEqual([]);
  });
  const fail = () =>
    database.transaction(() => {
      database.afterCommit(look);
      throw new Error('rolled back');
    });
  expect(fail).toThrow('rolled back');
  expect(seen).toEqual([['a']]);
  database.afterCommit(look);
  expect(seen).toEqual([['a'], ['a']]);
});

test('a callback may write', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  database.transaction(() => {
    add(database, 'first');
    database.afterCommit(() => database.transaction(() => add(database, 'second')));
  });
  expect(valuesOf(database)).toEqual(['first', 'second']);
});

test('a full disk is told as store.write_failed, leaves nothing, and what was committed can be read', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  database.transaction(() => add(database, 'kept'));
  const { page_count } = database.statement<{ page_count: number }>('PRAGMA page_count').get()!;
  database.statement(`PRAGMA max_page_count = ${page_count + 2}`).get();
  const attempt = () =>
    database.transaction(() => {
      for (let index = 0; index < 100; index += 1) add(database, 'x'.repeat(1_000));
    });
  expect(attempt).toThrow(expect.objectContaining({ code: 'store.write_failed' }));
  expect(valuesOf(database)).toEqual(['kept']);
  database.statement('PRAGMA max_page_count = 1000000').get();
  database.transaction(() => add(database, 'again'));
  expect(valuesOf(database)).toEqual(['kept', 'again']);
});

test('a file that cannot be written is told once, and once when it can be again', () => {
  using directory = temporaryDirectory();
  const told: unknown[] = [];
  using database = openStateDatabase(join(directory.path, 'state.db'), {
    migrations: MIGRATIONS,
    onWritable: (failure) => told.push(failure?.code),
  });
  const attempt = () => database.transaction(() => add(database, 'lost'));
  database.statement('PRAGMA query_only = 1').get();
  expect(attempt).toThrow(expect.objectContaining({ code: 'store.write_failed' }));
  expect(attempt).toThrow(expect.objectContaining({ code: 'store.write_failed' }));
  expect(database.canWrite()).toBe(false);
  expect(told).toEqual(['store.write_failed']);
  database.statement('PRAGMA query_only = 0').get();
  expect(database.canWrite()).toBe(true);
  expect(told).toEqual(['store.write_failed', undefined]);
});

test('an error of the statement itself is no failure of the file', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  const attempt = () =>
    database.transaction(() => database.statement('INSERT INTO rows (value) VALUES (?)').run(null));
  expect(attempt).toThrow(/NOT NULL constraint failed/);
  expect(attempt).not.toThrow(expect.objectContaining({ code: 'store.write_failed' }));
});

test('closing twice is fine and leaves one file', () => {
  using directory = temporaryDirectory();
  const database = open(directory.path);
  database[Symbol.dispose]();
  database[Symbol.dispose]();
  expect(existsSync(join(directory.path, 'state.db'))).toBe(true);
  expect(readdirSync(directory.path)).toEqual(['state.db']);
});

test('a relaxed transaction does not wait for the disk, and leaves the others as they are', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  const waitsFor = () => database.statement<{ readonly synchronous: number }>('PRAGMA synchronous').get();

  const inside = database.transaction(
    () => {
      add(database, 'kept');
      return waitsFor();
    },
    { isRelaxed: true },
  );
  const refused = () =>
    database.transaction(
      () => {
        throw new Error('no');
      },
      { isRelaxed: true },
    );

  expect(inside).toEqual({ synchronous: 1 });
  expect(refused).toThrow('no');
  expect(waitsFor()).toEqual({ synchronous: 2 });
  expect(valuesOf(database)).toEqual(['kept']);
});

test('what follows the commit of a relaxed transaction waits for the disk again', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);
  let after: unknown;

  database.transaction(
    () => database.afterCommit(() => (after = database.statement('PRAGMA synchronous').get())),
    { isRelaxed: true },
  );

  expect(after).toEqual({ synchronous: 2 });
});

test('a relaxed transaction inside another one is as durable as that one', () => {
  using directory = temporaryDirectory();
  using database = open(directory.path);

  const inside = database.transaction(() =>
    database.transaction(() => database.statement('PRAGMA synchronous').get(), { isRelaxed: true }),
  );

  expect(inside).toEqual({ synchronous: 2 });
});
