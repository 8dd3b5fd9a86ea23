import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStateDatabase } from '../../../lib/StateDatabase.ts';
import { Journal } from '../../../subgraph/engine/embedded/Journal.ts';
import { createTaskReader } from '../../../subgraph/engine/embedded/TaskReader.ts';
import { STATE_MIGRATIONS } from '../../../subgraph/engine/stateMigrations.ts';
import { createEventLog } from '../../../subgraph/log/createEventLog.ts';
import { initialState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

test('a state file of the second version keeps its tasks, their rules, the ids that they have seen, and what was in flight', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'state.db');
  const { state } = initialState(aTask({ rules: 2 }));
  const body = JSON.stringify({ ...state, history: [], seenMessageIds: ['m1', 'm2'] });
  {
    using old = openStateDatabase(path, { migrations: STATE_MIGRATIONS.slice(0, 2) });
    old
      .statement(
        `INSERT INTO tasks (id, ref, open, created_ms, updated_ms, state, search, body) VALUES (?, ?, 1, 0, 0, 'WORKING', '', ?)`,
      )
      .run(state.id, state.ref, body);
    const { rules: _none, ...creation } = aTask();
    old.statement('INSERT INTO inputs (task, version, input) VALUES (1, 1, ?)').run(JSON.stringify(creation));
    old
      .statement('INSERT INTO effects (task, key, effect) VALUES (1, ?, ?)')
      .run('k', JSON.stringify({ kind: 'callModel', key: 'k' }));
  }
  using database = openStateDatabase(path, { migrations: STATE_MIGRATIONS });
  const journal = new Journal(database, createEventLog({ database, clock: new FakeClock(), pid: 1 }));
  expect(journal.load(1)).toEqual({ ...state, history: [], seenMessageIds: [] });
  expect(['m1', 'm2', 'm3'].map((id) => journal.hasMessage(1, id))).toEqual([true, true, false]);
  expect(journal.pendingEffects({ limit: 10 })).toMatchObject([{ attempts: 1 }]);
  expect(journal.snapshots.read(1, 1)).toEqual({ ...state, history: [], seenMessageIds: [] });
  const row = await createTaskReader(database).read(state.ref);
  expect(row?.recentMessageIds?.toSorted()).toEqual(['m1', 'm2']);
});

test('events of an earlier state file are those of the task that their ref named then, and of a task that is gone nothing is left', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'state.db');
  {
    using old = openStateDatabase(path, { migrations: STATE_MIGRATIONS.slice(0, 4) });
    const insertTask = old.statement(
      `INSERT INTO tasks (number, id, ref, open, created_ms, updated_ms, state, search, body)
       VALUES (?, ?, 'o/r#1', 0, ?, 0, 'COMPLETED', '', '{}')`,
    );
    insertTask.run(4, 't4', 100);
    insertTask.run(7, 't7', 200);
    const insertEvent = old.statement(
      `INSERT INTO events (at_ms, pid, type, level, source, ref, data) VALUES (?, 1, 'task.status', 1, ?, ?, '{"n":1}')`,
    );
    insertEvent.run(90, 'tasks', 'o/r#1');
    insertEvent.run(199, 'tasks', 'o/r#1');
    insertEvent.run(200, 'tasks', 'o/r#1');
    insertEvent.run(250, 'tasks', 'o/r#9');
    insertEvent.run(250, 'sessions', 'o/r#9');
  }
  using database = openStateDatabase(path, { migrations: STATE_MIGRATIONS });
  const log = createEventLog({ database, clock: new FakeClock(), pid: 1 });
  const erased = [undefined, { purged: true }];
  const kept = ['o/r#1', { n: 1 }];
  const read = () => log.read({ limit: 10 }).map(({ ref, data }) => [ref, data]);
  expect(read()).toEqual([kept, kept, kept, erased, ['o/r#9', { n: 1 }]]);
  log.erase({ task: 4, ref: 'o/r#1' });
  expect(read()).toEqual([erased, erased, kept, erased, ['o/r#9', { n: 1 }]]);
});

test('who is on the tasks of an earlier state file, and their contexts, are found as before', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'state.db');
  {
    using old = openStateDatabase(path, { migrations: STATE_MIGRATIONS.slice(0, 6) });
    const insert = old.statement(
      `INSERT INTO tasks (id, ref, open, created_ms, updated_ms, state, search, body) VALUES (?, ?, 0, 0, 0, 'COMPLETED', '', ?)`,
    );
    const { state } = initialState(aTask());
    const body = (change: object) => JSON.stringify({ ...state, history: [], ...change });
    insert.run('t1', 'o/r#1', body({ id: 't1' }));
    const [alice, ...rest] = state.participants;
    const bob = { ...alice, id: 'bob' };
    insert.run('t2', 'o/r#2', body({ id: 't2', contextId: 'other', participants: [bob, bob, ...rest] }));
  }
  using database = openStateDatabase(path, { migrations: STATE_MIGRATIONS });
  const reader = createTaskReader(database);
  const ids = async (filter: object) =>
    (await reader.list({ limit: 10, order: 'REF_ASC', ...filter })).map(({ id }) => id);
  expect(await ids({ participant: 'flotilla' })).toEqual(['t1', 't2']);
  expect(await ids({ participant: 'bob' })).toEqual(['t2']);
  expect(await ids({ contextId: 'other' })).toEqual(['t2']);
  expect([await reader.isOn({ id: 't1' }, 'alice'), await reader.isOn({ id: 't2' }, 'alice')]).toEqual([
    true,
    false,
  ]);
});

test('a list of somebody who is on more tasks than a list is made of has the newest of them in order', async () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, 'state.db');
  using database = openStateDatabase(path, { migrations: STATE_MIGRATIONS });
  const { state } = initialState(aTask());
  database.transaction(() => {
    for (let number = 1; number <= 2_100; number += 1) {
      const id = `t${String(number).padStart(4, '0')}`;
      database
        .statement(
          `INSERT INTO tasks (number, id, ref, open, created_ms, updated_ms, state, search, body) VALUES (?, ?, ?, 0, ?, 0, 'COMPLETED', '', ?)`,
        )
        .run(number, id, id, number, JSON.stringify({ ...state, id, ref: id }));
      const participant = number % 100 === 0 ? 'bob' : 'alice';
      for (const each of [participant, 'flotilla']) {
        database.statement('INSERT INTO participants (task, id) VALUES (?, ?)').run(number, each);
      }
    }
  });
  const reader = createTaskReader(database);
  const ids = async (participant: string) =>
    (await reader.list({ limit: 3, order: 'CREATED_AT_DESC', participant })).map(({ id }) => id);
  expect(await ids('flotilla')).toEqual(['t2100', 't2099', 't2098']);
  expect(await ids('alice')).toEqual(['t2099', 't2098', 't2097']);
  expect(await ids('bob')).toEqual(['t2100', 't2000', 't1900']);
  expect(await reader.count({ participant: 'flotilla' }, 5_000)).toBe(2_100);
});
