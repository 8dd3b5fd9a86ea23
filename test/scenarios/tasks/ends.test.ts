/** How tasks end, alone and in families, on every host of tasks. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { HookDefinition } from '../../../server/index.ts';
import { askGraphQL, readGraphQL } from '../../support/askGraphQL.ts';
import { EventReader } from '../../support/EventReader.ts';
import { FakeModel, type FakeReply } from '../../support/FakeModel.ts';
import { taskEventsOverSocket, taskEventsOverUrql } from '../../support/openStreams.ts';
import { eventsOf, type LoggedEvent, statusesOf } from '../../support/taskAccount.ts';
import { awaitReply, awaitState, createTask, readTask } from '../../support/taskClient.ts';
import { type HostedOptions, hostedTest, openHosted, type TaskHost } from '../../support/taskHosts.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };

/** A task whose reply is "Bad." has failed. */
const FAIL_BAD: HookDefinition = {
  name: 'fail-bad',
  points: ['task.complete.in'],
  priority: 1,
  execute: (context) =>
    (context as unknown as { text: string }).text === 'Bad.'
      ? { context: { ...context, result: { decision: 'fail', reason: 'Not good enough' } } as never }
      : undefined,
};

/*
 * Feature: Ends
 * Scenario: everybody who reads a task along sees that it was completed, and with what words
 *   Requirement: spec/worker.md#28
 *   Requirement: spec/worker.md#13.10
 *   Given a parked task with two readers of its events
 *   When it is completed with a text
 *   Then the answer is COMPLETED, and the log has its end before the answer is there
 *   And both readers see the same events to the same end
 */
hostedTest(
  'everybody who reads a task along sees that it was completed, and with what words',
  async (host) => {
    await using instance = await open(host, [{ text: 'One.' }]);
    const { url } = instance;
    await createTask(url, 'hi', KEY);
    await awaitReply(url, KEY, 'One.');
    using first = new EventReader({ open: taskEventsOverSocket(url, KEY), after: '0' });
    using second = new EventReader({ open: taskEventsOverUrql(url), after: '0' });
    await Promise.all([first, second].map((reader) => reader.until(() => reader.events.length > 0)));

    const { completeTask } = await readGraphQL(
      url,
      'mutation ($ref: ID!) { completeTask(ref: $ref, text: "All settled") { state } }',
      KEY,
    );
    const logged = await eventsOf(url, REF);
    expect(completeTask.state).toBe('COMPLETED');
    expect(logged.at(-1)).toMatchObject({
      type: 'task.status',
      data: { state: 'COMPLETED', message: 'All settled' },
    });
    const last = logged.at(-1)?.offset;
    for (const reader of [first, second]) {
      await reader.until(() => reader.events.at(-1)?.offset === last);
      expect(reader.events.map(({ offset }) => offset)).toEqual(logged.map(({ offset }) => offset));
    }
  },
);

/*
 * Feature: Ends
 * Scenario: a completed, a failed and a cancelled task name their state to whoever wants to end them again
 *   Requirement: spec/worker.md#30
 *   Given a task in each of these states
 *   When each is completed and cancelled
 *   Then every call is a CONFLICT that names the state, and no event is added but the refusal
 */
hostedTest(
  'a completed, a failed and a cancelled task name their state to whoever wants to end them again',
  async (host) => {
    await using instance = await open(host, [{ text: 'Good.' }, { text: 'Good.' }, { text: 'Bad.' }], {
      hooks: [FAIL_BAD],
    });
    const { url } = instance;
    const ends = { COMPLETED: 'completeTask', CANCELED: 'cancelTask', FAILED: undefined };
    for (const [state, end] of Object.entries(ends)) {
      const key = { ref: `github:o/${state.toLowerCase()}#1` };
      await createTask(url, 'hi', key);
      if (end) {
        await awaitReply(url, key, 'Good.');
        await readGraphQL(url, `mutation ($ref: ID!) { ${end}(ref: $ref) { state } }`, key);
      }
      await awaitState(async () => expect((await readTask(url, key)).state).toBe(state));
      const before = await statusesOf(url, key.ref);
      for (const again of ['completeTask', 'cancelTask']) {
        const { errors } = await askGraphQL(
          url,
          `mutation ($ref: ID!) { ${again}(ref: $ref) { state } }`,
          key,
        );
        expect(errors, `${again} of ${state}`).toMatchObject([
          { message: expect.stringContaining(state), extensions: { code: 'CONFLICT' } },
        ]);
      }
      expect(await statusesOf(url, key.ref)).toEqual(before);
    }
  },
);

/*
 * Feature: Ends
 * Scenario: a task is completed behind sub-tasks that have ended in any way
 *   Requirement: spec/worker.md#13.7
 *   Given a task with a completed, a cancelled and a failed sub-task
 *   When it is completed
 *   Then it is COMPLETED
 */
hostedTest('a task is completed behind sub-tasks that have ended in any way', async (host) => {
  await using instance = await open(host, [{ text: 'One.' }, { text: 'Bad.' }], { hooks: [FAIL_BAD] });
  const { url } = instance;
  await createTask(url, 'hi', KEY);
  await awaitReply(url, KEY, 'One.');
  const [completed, cancelled] = [await spawn(url, REF), await spawn(url, REF)];
  await spawn(url, REF, ' go wrong');
  await readGraphQL(url, 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref: completed });
  await readGraphQL(url, 'mutation ($ref: ID!) { cancelTask(ref: $ref) { state } }', { ref: cancelled });
  await awaitState(async () => {
    expect(await childStates(url, REF)).toEqual(['COMPLETED', 'CANCELED', 'FAILED']);
  });
  await awaitState(async () => {
    const { data } = await askGraphQL(url, 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', KEY);
    expect(data).toEqual({ completeTask: { state: 'COMPLETED' } });
  });
});

/*
 * Feature: Ends
 * Scenario: cancelling a task cancels the three generations below it
 *   Requirement: spec/worker.md#13.8
 *   Given a task with two sub-tasks, one of which has one that has one
 *   When it is cancelled
 *   Then all five are CANCELED, and each has told so in an event of its own
 */
hostedTest('cancelling a task cancels the three generations below it', async (host) => {
  await using instance = await open(host, [{ text: 'One.' }]);
  const { url } = instance;
  await createTask(url, 'hi', KEY);
  await awaitReply(url, KEY, 'One.');
  const other = await spawn(url, REF);
  const child = await spawn(url, REF);
  const grandchild = await spawn(url, child);
  const greatGrandchild = await spawn(url, grandchild);
  await readGraphQL(url, 'mutation ($ref: ID!) { cancelTask(ref: $ref, reason: "Over") { state } }', KEY);
  for (const ref of [REF, other, child, grandchild, greatGrandchild]) {
    await awaitState(async () => expect((await readTask(url, { ref })).state).toBe('CANCELED'));
    expect((await statusesOf(url, ref)).filter(({ state }) => state === 'CANCELED')).toHaveLength(1);
  }
});

/*
 * Feature: Ends
 * Scenario: a task that is cleaned away leaves nothing but the places of its events, and who reads it along is at the end
 *   Requirement: spec/worker.md#13.17
 *   Given a task with a sub-task that has taken a turn, was stopped and is cleaned away while somebody reads it along
 *   When the tables of the instance are looked at, and the log, and the parent
 *   Then they have nothing of the sub-task, of whose events the offsets, types and times are left
 *   And the reader's stream has ended with the purge
 *   And the parent has the sub-task as CANCELED and can be completed
 */
hostedTest(
  'a task that is cleaned away leaves nothing but the places of its events, and who reads it along is at the end',
  async (host) => {
    await using instance = await open(host, [{ text: 'One.' }, { text: 'Two.' }]);
    const { url } = instance;
    await createTask(url, 'hi', KEY);
    await awaitReply(url, KEY, 'One.');
    const child = await spawn(url, REF, ' Check the ledger');
    await awaitReply(url, { ref: child }, 'Two.');
    const { task } = await readGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { id } }', { ref: child });
    const [{ number }] = readState(instance.directory, (read) =>
      read('SELECT number FROM tasks WHERE id = ?', task.id),
    ) as [{ readonly number: number }];
    const place = { number, id: task.id };
    expect(tablesOf(instance.directory, place)).toEqual(
      expect.arrayContaining(['events', 'history', 'inputs']),
    );
    const read: string[] = [];
    const { promise: isEnded, resolve: end } = Promise.withResolvers<void>();
    using _stream = taskEventsOverSocket(url, { ref: child })('0', {
      take: ({ type }) => read.push(type),
      lost: end,
    });
    const written = await eventsOf(url, child);
    expect(JSON.stringify(written)).toContain('Two.');
    const control =
      'mutation ($ref: ID!, $verb: String!) { controlSession(ref: $ref, verb: $verb) { effect } }';
    for (const [verb, effect] of [
      ['stop', 'stopped'],
      ['cleanup', 'cleaned'],
    ]) {
      const { controlSession } = await readGraphQL(url, control, { ref: child, verb });
      expect(controlSession).toEqual({ effect });
    }

    const { errors } = await askGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { ref } }', { ref: child });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(tablesOf(instance.directory, place)).toEqual([]);
    await isEnded;
    expect(read.at(-1)).toBe('task.purged');
    const { events } = await readGraphQL(
      url,
      '{ events(first: 1000, filter: { types: ["task.*"] }) { nodes { offset type ref data } } }',
    );
    const offsets = new Set(written.map(({ offset }) => offset));
    const left = (events.nodes as readonly LoggedEvent[]).filter(({ offset }) => offsets.has(offset));
    expect(left).toEqual(
      written.map(({ offset, type }) => ({ offset, type, ref: null, data: { purged: true } })),
    );
    expect(JSON.stringify(events.nodes)).not.toContain('Two.');
    await awaitState(async () => {
      const { data } = await askGraphQL(
        url,
        'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }',
        KEY,
      );
      expect(data).toEqual({ completeTask: { state: 'COMPLETED' } });
    });
    const changes = (await eventsOf(url, REF)).filter(({ type }) => type === 'task.childChanged');
    expect(changes.at(-1)).toMatchObject({ data: { childId: task.id, state: 'CANCELED' } });
  },
);

async function open(host: TaskHost, replies: readonly FakeReply[], options: HostedOptions = {}) {
  return openHosted(host, { model: new FakeModel(replies), ...options });
}

/** Starts a sub-task of a person; without words it waits for them. */
async function spawn(url: string, parent: string, words = ''): Promise<string> {
  const childrenOf = async () => {
    const { task } = await readGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { children { ref } } }', {
      ref: parent,
    });
    return task.children.map(({ ref }: { ref: string }) => ref) as readonly string[];
  };
  const before = await childrenOf();
  const { runCommand } = await readGraphQL(
    url,
    'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { ok } }',
    { ref: parent, text: `/sub-task${words}` },
  );
  expect(runCommand.ok).toBe(true);
  const added = (await childrenOf()).filter((ref) => !before.includes(ref));
  expect(added).toHaveLength(1);
  return added[0] ?? '';
}

async function childStates(url: string, ref: string): Promise<readonly string[]> {
  const { task } = await readGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { children { state } } }', {
    ref,
  });
  return task.children.map(({ state }: { state: string }) => state);
}

/** Tables of the state file with a row of this task, by its number or by its id. */
function tablesOf(directory: string, { number, id }: { readonly number: number; readonly id: string }) {
  return readState(directory, (read) =>
    read("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .map(({ name }) => String(name))
      .filter((name) => read(`SELECT name FROM pragma_table_info('${name}') WHERE name = 'task'`).length > 0)
      .filter((name) => read(`SELECT 1 FROM "${name}" WHERE task IN (?, ?)`, number, id).length > 0),
  );
}

type Read = (sql: string, ...values: (string | number)[]) => readonly Record<string, unknown>[];

function readState<T>(directory: string, work: (read: Read) => T): T {
  using database = new DatabaseSync(join(directory, 'state', 'state.db'), { readOnly: true });
  return work((sql, ...values) => database.prepare(sql).all(...values));
}
