import { expect, test } from 'vitest';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import { createPushConfigStore } from '../../../subgraph/push/createPushConfigStore.ts';
import type { PushConfig } from '../../../subgraph/push/PushConfigStore.ts';
import { awaitParked } from '../../support/awaitEvent.ts';
import { FakePerformer } from '../../support/FakePerformer.ts';
import { openEngine } from '../../support/openEngine.ts';
import { aMessage, aNewTask, COMPLETE } from '../../support/tasks.ts';

const REF = 'github:o/r#1';

const SECRETS = { token: 'T-1', authentication: { scheme: 'Bearer', credentials: 'key-1' } };

test('PushConfigStore gives back what was stored, secrets included, also after a restart', async () => {
  await using opened = await openStore();
  const { id: taskId } = await opened.startTask();
  const plain: PushConfig = { id: 'b', taskId, url: 'http://127.0.0.1:1/plain' };
  const secret: PushConfig = { id: 'a', taskId, url: 'https://example.com/hook?x=1', ...SECRETS };
  opened.store.put(plain);
  opened.store.put(secret);

  await opened.restart();

  expect(opened.store.list(taskId)).toEqual([plain, secret]);
  expect(opened.store.get(taskId, 'a')).toEqual(secret);
});

test('PushConfigStore knows a record by its task and its id', async () => {
  await using opened = await openStore();
  const one = await opened.startTask();
  const two = await opened.startTask('github:o/r#2');
  opened.store.put({ id: 'a', taskId: one.id, url: 'http://one.example/' });
  opened.store.put({ id: 'a', taskId: two.id, url: 'http://two.example/' });

  expect(opened.store.delete(one.id, 'a')).toBe(true);
  expect(opened.store.delete(one.id, 'a')).toBe(false);
  expect(opened.store.get(one.id, 'a')).toBeUndefined();
  expect(opened.store.list(one.id)).toEqual([]);
  expect(opened.store.get(two.id, 'a')?.url).toBe('http://two.example/');
});

test('PushConfigStore refuses the record of a task that is not there, and the eleventh of one that is', async () => {
  await using opened = await openStore();
  const { id: taskId } = await opened.startTask();
  const put = (id: string, task = taskId) => opened.store.put({ id, taskId: task, url: 'http://a.example/' });
  for (let count = 0; count < 10; count += 1) put(`c${count}`);

  expect(() => put('c10')).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  expect(() => put('c1', 'nobody')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  put('c9');
  expect(opened.store.list(taskId)).toHaveLength(10);
});

test('PushConfigStore forgets the records of a task that is purged', async () => {
  await using opened = await openStore();
  const { id: taskId } = await opened.startTask();
  const { number } = opened.store.put({ id: 'a', taskId, url: 'http://a.example/' });
  await opened.engine.deliver({ id: taskId }, COMPLETE);

  await opened.engine.purge({ id: taskId });

  expect(opened.store.list(taskId)).toEqual([]);
  expect(opened.store.dueOf(number)).toBeUndefined();
  expect(rowsOf(opened.database)).toBe(0);
});

test('PushConfigStore finds the updates of a record one after the other, from its creation on', async () => {
  await using opened = await openStore();
  const { id: taskId, store, told } = await opened.startRecord();
  const { number } = store.put({ id: 'a', taskId, url: 'http://a.example/x' });
  expect(store.dueOf(number)).toBeUndefined();

  const after = opened.log.end();
  await opened.engine.deliver({ id: taskId }, aMessage('m2'));
  await awaitParked(opened.log, REF, after);

  expect(told(number)).toEqual(['WORKING', 'INPUT_REQUIRED']);
  expect(store.dueOf(number)).toBeUndefined();
  expect(store.targetsOf(REF)).toEqual([{ number, receiver: 'http://a.example' }]);
});

test('PushConfigStore finds what a new record has missed since a place in the log', async () => {
  await using opened = await openStore();
  const { id: taskId, store, cursor, told } = await opened.startRecord();
  const { number } = store.put({ id: 'a', taskId, url: 'http://a.example/' }, { since: cursor });

  expect(told(number)).toEqual(['WORKING', 'INPUT_REQUIRED']);
});

test('PushConfigStore says who has named the receiver of what is due, and is told so anew with a replacement', async () => {
  await using opened = await openStore();
  const { id: taskId, store, cursor: since } = await opened.startRecord();
  const config = { id: 'a', taskId, url: 'http://a.example/' };
  const { number } = store.put(config, { participant: 'alice', since });
  expect(store.dueOf(number)).toMatchObject({ config, participant: 'alice' });
  expect(store.get(taskId, 'a')).toEqual(config);

  store.put(config, { participant: 'bob' });

  expect(store.dueOf(number)?.participant).toBe('bob');
});

test('PushConfigStore: a record that is replaced keeps its place', async () => {
  await using opened = await openStore();
  const { id: taskId, store, cursor, told } = await opened.startRecord();
  const { number } = store.put({ id: 'a', taskId, url: 'http://a.example/' }, { since: cursor });
  const replaced = store.put({ id: 'a', taskId, url: 'http://b.example/' });

  expect(replaced).toEqual({ number, receiver: 'http://b.example' });
  expect(told(number)).toEqual(['WORKING', 'INPUT_REQUIRED']);
});

test('PushConfigStore: updates of a later task with the same ref are not for the records of the earlier one', async () => {
  await using opened = await openStore();
  const { id: taskId, store, told } = await opened.startRecord();
  const { number } = store.put({ id: 'a', taskId, url: 'http://a.example/' });
  await opened.engine.deliver({ id: taskId }, COMPLETE);

  await opened.startTask();

  expect(told(number)).toEqual(['COMPLETED']);
});

test('PushConfigStore finds all records with something due, step by step', async () => {
  await using opened = await openStore();
  const { id: taskId, store, cursor } = await opened.startRecord();
  const numbers = ['a', 'b', 'c'].map((id) => {
    const since = id === 'b' ? undefined : cursor;
    return store.put({ id, taskId, url: `http://${id}.example/` }, { since }).number;
  });

  const first = store.dueAfter(0, 2);
  const second = store.dueAfter(first.next ?? Number.NaN, 2);

  expect(first.targets).toEqual([{ number: numbers[0], receiver: 'http://a.example' }]);
  expect(second).toEqual({
    targets: [{ number: numbers[2], receiver: 'http://c.example' }],
    next: undefined,
  });
});

test.each([
  ['list', ({ store, taskId }: Sealed) => store.list(taskId).map(({ id }) => id), []],
  ['get', ({ store, taskId }: Sealed) => store.get(taskId, 'old'), undefined],
  ['delete', ({ store, taskId }: Sealed) => store.delete(taskId, 'old'), false],
  ['targetsOf', ({ store }: Sealed) => store.targetsOf(REF), []],
  ['dueAfter', ({ store }: Sealed) => store.dueAfter(0, 10).targets, []],
])(
  'PushConfigStore.%s() deletes a sealed record where it meets it, with one warning',
  async (_name, meet, expected) => {
    await using opened = await openStore();
    const { id: taskId, store } = await opened.startRecord();
    const sealed = {
      url: 'http://old.example/',
      token_ciphertext: 'c2VhbGVk',
      authentication_ciphertext: '',
    };
    opened.database
      .statement("INSERT INTO push_configs (task, id, told, record) SELECT number, 'old', 0, ? FROM tasks")
      .run(JSON.stringify(sealed));

    expect(meet({ store, taskId })).toEqual(expected);
    expect(meet({ store, taskId })).toEqual(expected);

    expect(rowsOf(opened.database)).toBe(0);
    expect(opened.warnings).toEqual([{ config: 'old', task: taskId }]);
  },
);

test('PushConfigStore finds what is due past a record whose URL is none', async () => {
  await using opened = await openStore();
  const { id: taskId, store, cursor: since } = await opened.startRecord();
  opened.database
    .statement("INSERT INTO push_configs (task, id, told, record) SELECT number, 'odd', 0, ? FROM tasks")
    .run(JSON.stringify({ url: 'nowhere' }));
  store.put({ id: 'a', taskId, url: 'http://a.example/' }, { since });

  const receivers = ['nowhere', 'http://a.example'];
  expect(store.targetsOf(REF).map(({ receiver }) => receiver)).toEqual(receivers);
  expect(store.dueAfter(0, 10).targets.map(({ receiver }) => receiver)).toEqual(receivers);
});

interface Sealed {
  readonly store: ReturnType<typeof createPushConfigStore>;
  readonly taskId: string;
}

async function openStore() {
  const opened = await openEngine({ performer: new FakePerformer() });
  const warnings: unknown[] = [];
  const logger = { warn: (fields: unknown) => void warnings.push(fields), error() {} };
  let store = createPushConfigStore({ database: opened.database, logger });

  /** Resolves when the first reply is there. */
  async function startTask(ref = REF) {
    const { state, cursor } = await opened.engine.start(aNewTask({ ref }));
    await awaitParked(opened.log, ref);
    return { id: state.id, cursor };
  }

  /** States that a record's receiver is told until nothing is due. */
  function told(number: number): unknown[] {
    const states: unknown[] = [];
    for (let due = store.dueOf(number); due; due = store.dueOf(number)) {
      const [record] = opened.log.read({ after: due.offset - 1, limit: 1 });
      states.push(record?.data.state);
      store.settle(number, due.offset);
    }
    return states;
  }

  return {
    get store() {
      return store;
    },
    get database() {
      return opened.database;
    },
    engine: opened.engine,
    log: opened.log,
    warnings,
    startTask,
    async startRecord() {
      return { ...(await startTask()), store, told };
    },
    async restart() {
      await opened.restart(new FakePerformer());
      store = createPushConfigStore({ database: opened.database, logger });
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

function rowsOf(database: StateDatabase): number | undefined {
  return database.statement<{ readonly rows: number }>('SELECT count(*) AS rows FROM push_configs').get()
    ?.rows;
}
