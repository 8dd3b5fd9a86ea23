import { expect, test } from 'vitest';
import { createAddressGuard } from '../../../../lib/AddressGuard.ts';
import { StateFileError } from '../../../../lib/StateDatabase.ts';
import { PushSender } from '../../../../server/a2a/push/PushSender.ts';
import { createPushConfigStore } from '../../../../subgraph/push/createPushConfigStore.ts';
import type { PushConfig, PushConfigStore } from '../../../../subgraph/push/PushConfigStore.ts';
import { awaitParked } from '../../../support/awaitEvent.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { type FakeAnswer, FakeEndpoint } from '../../../support/FakeEndpoint.ts';
import { FakePerformer } from '../../../support/FakePerformer.ts';
import { openEngine } from '../../../support/openEngine.ts';
import { aNewTask } from '../../../support/tasks.ts';
import { settled, until } from '../../../support/until.ts';

const REF = 'github:o/r#1';

/** Leaves a request without an answer. */
const SILENCE: FakeAnswer = () => {};

test('PushSender posts each update once, in order, with the secrets of the record', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: `${receiver.url}/a`, token: 'T' });
  push.store({
    id: 'b',
    url: `${receiver.url}/b`,
    authentication: { scheme: 'Bearer', credentials: 'key' },
  });
  await using _sender = push.start();

  push.tell('WORKING', 'INPUT_REQUIRED', 'COMPLETED');
  await until(() => receiver.requests.length === 6);
  await settled();

  const of = (path: string) => receiver.requests.filter((request) => request.path === path);
  expect(of('/a').map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED', 'COMPLETED']);
  expect(of('/b').map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED', 'COMPLETED']);
  expect(of('/a')[0]?.headers).toMatchObject({
    'content-type': 'application/a2a+json',
    'x-a2a-notification-token': 'T',
  });
  expect(of('/a')[0]?.headers.authorization).toBeUndefined();
  expect(of('/b')[0]?.headers.authorization).toBe('Bearer key');
  expect(of('/b')[0]?.headers['x-a2a-notification-token']).toBeUndefined();
});

test('PushSender goes on where it was, whatever happened in between', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  {
    await using _sender = push.start();
    push.tell('WORKING');
    await until(() => receiver.requests.length === 1);
  }
  push.tell('INPUT_REQUIRED', 'WORKING');

  await using _sender = push.start();
  await until(() => receiver.requests.length === 3);
  await settled();

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED', 'WORKING']);
});

test('PushSender looks at a record that was stored with something due', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  await using sender = push.start();
  await settled();

  const target = push.store({ id: 'a', url: receiver.url }, push.cursor);
  sender.wake(target);
  await until(() => receiver.requests.length === 2);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED']);
});

test.each([500, 429])('PushSender tries again after an answer of %i, with growing pauses', async (status) => {
  await using receiver = await FakeEndpoint.start({ status }, { status }, { status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  await using _sender = push.start();

  push.tell('WORKING');
  await until(() => push.clock.delaysMs.includes(1_000));
  push.clock.advance(1_000);
  await until(() => push.clock.delaysMs.includes(4_000));
  push.clock.advance(4_000);
  await until(() => receiver.requests.length === 3);
  await settled();

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'WORKING', 'WORKING']);
  expect(push.warnings).toEqual([]);
});

test('PushSender gives an update up after three attempts, tells no secret, and goes on with the next one', async () => {
  await using receiver = await FakeEndpoint.start(
    { status: 503 },
    { status: 503 },
    { status: 503 },
    { status: 200 },
  );
  await using push = await open();
  push.store({
    id: 'a',
    url: `${receiver.url}/secret-path?secret-query`,
    token: 'secret-token',
    authentication: { scheme: 'Bearer', credentials: 'secret-credentials' },
  });
  await using _sender = push.start();

  push.tell('WORKING', 'INPUT_REQUIRED');
  await push.pass(1_000, 4_000);
  await until(() => receiver.requests.length === 4);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual([
    'WORKING',
    'WORKING',
    'WORKING',
    'INPUT_REQUIRED',
  ]);
  expect(push.warnings).toEqual([
    {
      config: 'a',
      task: push.taskId,
      host: new URL(receiver.url).host,
      attempts: 3,
      reason: 'the answer was 503',
    },
  ]);
});

test('PushSender does not repeat what is refused', async () => {
  await using receiver = await FakeEndpoint.start({ status: 410 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  await using _sender = push.start();

  push.tell('WORKING');
  await until(() => push.warnings.length === 1);
  await settled();

  expect(receiver.requests).toHaveLength(1);
  expect(push.warnings).toMatchObject([{ attempts: 1, reason: 'the answer was 410' }]);
});

test('PushSender gives an attempt ten seconds', async () => {
  await using receiver = await FakeEndpoint.start(SILENCE, { status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  await using _sender = push.start();

  push.tell('WORKING');
  await until(() => receiver.requests.length === 1);
  push.clock.advance(9_999);
  await settled();
  expect(push.clock.delaysMs).toEqual([1]);
  await push.pass(1, 1_000);
  await until(() => receiver.requests.length === 2);

  expect(push.warnings).toEqual([]);
});

test('PushSender: a receiver that hangs delays no other', async () => {
  await using hanging = await FakeEndpoint.start(SILENCE);
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  for (let count = 0; count < 9; count += 1) push.store({ id: `h${count}`, url: hanging.url });
  push.store({ id: 'a', url: receiver.url });
  const sender = push.start();

  push.tell('WORKING', 'INPUT_REQUIRED', 'COMPLETED');
  await until(() => receiver.requests.length === 3);
  await until(() => hanging.requests.length === 8);
  await push.stop(sender);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED', 'COMPLETED']);
});

test('PushSender sends nothing more to a record that is deleted between two attempts', async () => {
  await using receiver = await FakeEndpoint.start({ status: 500 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  await using _sender = push.start();
  push.tell('WORKING');
  await until(() => push.clock.delaysMs.includes(1_000));

  push.delete('a');
  push.clock.advance(1_000);
  await settled();

  expect(receiver.requests).toHaveLength(1);
  expect(push.warnings).toEqual([]);
});

test('PushSender posts the next attempt to where the record leads by then, and every update once', async () => {
  await using old = await FakeEndpoint.start({ status: 500 });
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: old.url });
  await using sender = push.start();
  push.tell('WORKING');
  await until(() => push.clock.delaysMs.includes(1_000));

  sender.wake(push.store({ id: 'a', url: receiver.url }));
  push.tell('INPUT_REQUIRED');
  push.clock.advance(1_000);
  await until(() => receiver.requests.length === 2);
  await settled();

  expect(old.requests).toHaveLength(1);
  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED']);
});

test('PushSender: a stop waits for the post under way, and does not make it again', async () => {
  const answered = Promise.withResolvers<void>();
  await using receiver = await FakeEndpoint.start(
    (response) => void answered.promise.then(() => response.end()),
    { status: 200 },
  );
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  const sender = push.start();
  push.tell('WORKING', 'INPUT_REQUIRED');
  await until(() => receiver.requests.length === 1);

  const stopped = sender[Symbol.asyncDispose]();
  answered.resolve();
  await stopped;
  expect(receiver.requests).toHaveLength(1);
  expect(push.clock.timers).toBe(0);
  await using _next = push.start();
  await until(() => receiver.requests.length === 2);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED']);
});

test('PushSender: a stop cuts a post that does not end, and the next start makes it again', async () => {
  await using receiver = await FakeEndpoint.start(SILENCE, { status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  const sender = push.start();
  push.tell('WORKING');
  await until(() => receiver.requests.length === 1);

  await push.stop(sender);
  expect(push.clock.timers).toBe(0);
  expect(push.warnings).toEqual([]);
  await using _next = push.start();
  await until(() => receiver.requests.length === 2);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'WORKING']);
});

test('PushSender: a stop ends a pause at once', async () => {
  await using receiver = await FakeEndpoint.start({ status: 500 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  const sender = push.start();
  push.tell('WORKING');
  await until(() => push.clock.delaysMs.includes(1_000));

  await sender[Symbol.asyncDispose]();
  await sender[Symbol.asyncDispose]();

  expect(push.clock.timers).toBe(0);
  expect(receiver.requests).toHaveLength(1);
});

test('PushSender posts nothing twice while the state file cannot be written', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  let isFull = true;
  await using _sender = push.start({
    settle(number, offset) {
      if (isFull) throw new StateFileError('store.write_failed', 'the disk is full');
      push.records.settle(number, offset);
    },
  });
  push.tell('WORKING', 'INPUT_REQUIRED');

  await until(() => push.clock.delaysMs.includes(1_000));
  push.clock.advance(1_000);
  await until(() => push.clock.delaysMs.includes(1_000));
  expect(receiver.requests).toHaveLength(1);
  isFull = false;
  push.clock.advance(1_000);
  await until(() => receiver.requests.length === 2);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'INPUT_REQUIRED']);
});

test('PushSender finds again what did not fit into its memory, and posts it once', {
  timeout: 120_000,
}, async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.storeMany(1_100, receiver.url);
  await using _sender = push.start();
  await settled();

  push.tell('WORKING');
  await until(() => push.records.dueAfter(0, 2_000).targets.length === 0);

  expect(receiver.requests).toHaveLength(1_100);
});

test('PushSender looks for what is due again when that has failed', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  let isBroken = true;
  await using _sender = push.start({
    targetsOf(ref) {
      if (isBroken) throw new Error('the file cannot be read');
      return push.records.targetsOf(ref);
    },
  });
  await settled();

  push.tell('WORKING');
  await until(() => push.errors.length === 1);
  await until(() => push.clock.delaysMs.includes(10_000));
  expect(receiver.requests).toEqual([]);
  isBroken = false;
  push.clock.advance(10_000);
  await until(() => receiver.requests.length === 1);
  push.tell('COMPLETED');
  await until(() => receiver.requests.length === 2);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['WORKING', 'COMPLETED']);
});

test('PushSender goes on behind an update that cannot be read', async () => {
  await using receiver = await FakeEndpoint.start({ status: 200 });
  await using push = await open();
  push.store({ id: 'a', url: receiver.url });
  push.defects.add('WORKING');
  await using _sender = push.start();

  push.tell('WORKING', 'COMPLETED');
  await until(() => receiver.requests.length === 1);

  expect(receiver.requests.map(({ body }) => body.state)).toEqual(['COMPLETED']);
  expect(push.errors).toMatchObject([{ config: 'a', task: push.taskId }]);
});

/** A parked task, whose updates the tests write into the log themselves. */
async function open() {
  const opened = await openEngine({ performer: new FakePerformer() });
  const { state, cursor } = await opened.engine.start(aNewTask({ ref: REF }));
  await awaitParked(opened.log, REF);
  const clock = new FakeClock();
  const warnings: unknown[] = [];
  const errors: unknown[] = [];
  const defects = new Set<unknown>();
  const logger = {
    debug() {},
    info() {},
    warn: (fields: unknown) => void warnings.push(fields),
    error: (fields: unknown) => void errors.push(fields),
  };
  const records = createPushConfigStore({ database: opened.database, logger });
  return {
    taskId: state.id,
    cursor,
    clock,
    warnings,
    errors,
    /** States whose updates cannot be read. */
    defects,
    records,
    store: (config: Omit<PushConfig, 'taskId'>, since?: number) =>
      records.put({ ...config, taskId: state.id }, { since }),
    /** More records than a task may have: as many as a thousand tasks have. */
    storeMany(count: number, url: string) {
      opened.database.transaction(() => {
        const insert = opened.database.statement(
          'INSERT INTO push_configs (task, id, told, record) VALUES (1, ?, ?, ?)',
        );
        for (let number = 1; number <= count; number += 1) {
          insert.run(`c${number}`, opened.log.end(), JSON.stringify({ url }));
        }
      });
    },
    delete: (id: string) => records.delete(state.id, id),
    tell(...states: readonly string[]) {
      for (const each of states) {
        const data = { state: each };
        opened.log.append([{ type: 'task.status', level: 'INFO', source: 'tasks', ref: REF, task: 1, data }]);
      }
    },
    start: (change: Partial<PushConfigStore> = {}) =>
      new PushSender({
        store: { ...records, ...change },
        log: opened.log,
        async read({ offset }) {
          const [record] = opened.log.read({ after: offset - 1, limit: 1 });
          if (defects.has(record?.data.state)) throw new Error('it is broken');
          return record?.data;
        },
        guard: createAddressGuard(),
        clock,
        // In the middle: the pauses are as long as they say.
        ids: { random: () => 0.5 },
        logger,
      }),
    /** Lets each of these pauses or times pass, when its turn has come. */
    async pass(...delaysMs: readonly number[]) {
      for (const delayMs of delaysMs) {
        await until(() => clock.delaysMs.includes(delayMs));
        clock.advance(delayMs);
      }
    },
    /** Ends a sender that has a post under way. */
    async stop(sender: PushSender) {
      const stopped = sender[Symbol.asyncDispose]();
      await until(() => clock.delaysMs.includes(2_000));
      clock.advance(2_000);
      await stopped;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
