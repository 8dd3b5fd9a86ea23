/** What people expect around their tasks, on every host of tasks (spec/worker.md § 13). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { type Clock, systemClock } from '../../../lib/Clock.ts';
import type { CommandDefinition, HookDefinition } from '../../../server/index.ts';
import { askGraphQL, readGraphQL } from '../../support/askGraphQL.ts';
import { countingTool } from '../../support/countingTool.ts';
import { EventReader } from '../../support/EventReader.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { taskEventsOverSocket } from '../../support/openStreams.ts';
import { readSpans } from '../../support/readSpans.ts';
import { auditOf, eventsOf } from '../../support/taskAccount.ts';
import {
  awaitParked,
  awaitReply,
  awaitState,
  createTask,
  readTask,
  sendMessage,
} from '../../support/taskClient.ts';
import { hostedTest, openHosted } from '../../support/taskHosts.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };

const DAY_MS = 86_400_000;

/*
 * Feature: Long lives
 * Scenario: a conversation that was parked for a month is resumed, and what is too old is gone
 *   Requirement: spec/worker.md#13.5
 *   Given a parked conversation, a task that has ended, and an instance that was away for 31 days
 *   When its heartbeat has come, and the next message is sent
 *   Then the ended task and the records of who wrote to the parked one are gone, as retention says
 *   And the conversation goes on where it was
 */
hostedTest(
  'a conversation that was parked for a month is resumed, and what is too old is gone',
  async (host) => {
    const config = { heartbeat: { intervalSeconds: 1 } };
    const model = new FakeModel([{ text: 'One.' }, { text: 'Done.' }, { text: 'Two.' }]);
    await using instance = await openHosted(host, { model, config });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'One.');
    const ended = { ref: 'github:o/r#2' };
    await createTask(instance.url, 'bye', ended);
    await awaitReply(instance.url, ended, 'Done.');
    await readGraphQL(instance.url, 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', ended);
    expect(await auditOf(instance.url, REF)).toHaveLength(1);

    await instance.restart({ clock: aheadBy(31 * DAY_MS) });
    await awaitState(async () => {
      const { errors } = await askGraphQL(
        instance.url,
        'query ($ref: ID!) { task(ref: $ref) { ref } }',
        ended,
      );
      expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      expect(await auditOf(instance.url, REF)).toEqual([]);
    });
    await sendMessage(instance.url, 'still there?', KEY);
    const { texts } = await awaitReply(instance.url, KEY, 'Two.');
    expect(texts).toEqual(['hi', 'One.', 'still there?', 'Two.']);
  },
);

/*
 * Feature: Subscriptions
 * Scenario: a reader that comes back much later gets what it missed exactly once, and then what happens
 *   Requirement: spec/worker.md#13.11
 *   Given a reader that left behind a task's first reply, and an instance that was restarted since
 *   When two more turns are made, the reader comes back where it was, and a third one is made
 *   Then both of its visits together have every event of the task once, in order
 */
hostedTest(
  'a reader that comes back much later gets what it missed exactly once, and then what happens',
  async (host) => {
    const replies = ['One.', 'Two.', 'Three.', 'Four.'];
    const model = new FakeModel(replies.map((text) => ({ text })));
    await using instance = await openHosted(host, { model });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'One.');
    const first = await readAlong(instance.url, '0');
    await instance.restart({ clock: aheadBy(DAY_MS / 24) });
    for (const reply of ['Two.', 'Three.']) {
      await sendMessage(instance.url, `before ${reply}`, KEY);
      await awaitReply(instance.url, KEY, reply);
    }
    using reader = new EventReader({
      open: taskEventsOverSocket(instance.url, KEY),
      after: String(first.at(-1)),
    });
    await reader.until(() => reader.events.length > 0);
    await sendMessage(instance.url, 'before Four.', KEY);
    await awaitReply(instance.url, KEY, 'Four.');

    const logged = (await eventsOf(instance.url, REF)).map(({ offset }) => offset);
    await reader.until(() => reader.events.at(-1)?.offset === logged.at(-1));
    expect([...first, ...reader.events.map(({ offset }) => offset)]).toEqual(logged);
    expect(reader.desyncs).toBe(0);
  },
);

/*
 * Feature: Slash commands
 * Scenario: an unknown command is answered with what was meant, and nothing else happens
 *   Requirement: spec/worker.md#13.12
 *   Given a parked task
 *   When "/statsu" is sent
 *   Then the reply is a failure that names /status, no model is asked and the task is as before
 */
hostedTest('an unknown command is answered with what was meant, and nothing else happens', async (host) => {
  const model = new FakeModel([{ text: 'One.' }]);
  await using instance = await openHosted(host, { model });
  await createTask(instance.url, 'hi', KEY);
  const before = await awaitReply(instance.url, KEY, 'One.');
  const { runCommand } = await readGraphQL(
    instance.url,
    'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/statsu") { ok error text } }',
    KEY,
  );
  expect(runCommand).toEqual({
    ok: false,
    error: 'command.unknown',
    text: expect.stringContaining('/status'),
  });
  expect(await readTask(instance.url, KEY)).toEqual(before);
  expect(model.requests).toHaveLength(1);
});

/*
 * Feature: Slash commands
 * Scenario: a task takes a hundred commands that wait, and refuses one more
 *   Requirement: spec/worker.md#13.13
 *   Given a parked task whose first command does not come to an end
 *   When a hundred and five are sent
 *   Then a hundred are taken, and each of the others is TOO_MANY_REQUESTS
 *   And when the first one ends, all that were taken are answered, in their order
 */
hostedTest('a task takes a hundred commands that wait, and refuses one more', async (host) => {
  const gate = Promise.withResolvers<void>();
  const command: CommandDefinition = {
    name: 'wait',
    description: 'Waits.',
    usage: '/wait',
    executor: {
      kind: 'plugin',
      async execute() {
        await gate.promise;
        return { intents: [{ kind: 'reply', text: 'waited' }] };
      },
    },
  };
  await using instance = await openHosted(host, {
    model: new FakeModel([{ text: 'One.' }]),
    commands: [command],
  });
  const { url } = instance;
  await createTask(url, 'hi', KEY);
  await awaitReply(url, KEY, 'One.');
  const taken: string[] = [];
  const refused: unknown[] = [];
  for (let number = 1; number <= 105; number += 1) {
    const { errors } = await askGraphQL(
      url,
      'mutation ($ref: ID!, $id: ID) { sendMessage(ref: $ref, text: "/wait", messageId: $id) { state } }',
      { ...KEY, id: `c${number}` },
    );
    if (errors) refused.push(errors[0]?.extensions.code);
    else taken.push(`c${number}`);
  }
  gate.resolve();
  expect(taken).toHaveLength(100);
  expect(refused).toEqual(Array.from({ length: 5 }, () => 'TOO_MANY_REQUESTS'));
  await awaitState(async () => {
    const replies = (await eventsOf(url, REF)).filter(({ type }) => type === 'task.commandReplied');
    expect(replies.map(({ data }) => data.messageId)).toEqual(taken);
  });
});

/*
 * Feature: Slash commands
 * Scenario: commands count as the requests that they come by, and one address makes only so many in a minute
 *   Requirement: spec/worker.md#13.13
 *   Given an instance that takes thirty requests a minute from an address
 *   When a client sends commands until one is refused
 *   Then that is 429 and says when to come again, reads are refused too, and the probes of its supervisor are not
 *   And when the minute is over, commands are taken again, and those that were refused were never delivered
 */
hostedTest(
  'commands count as the requests that they come by, and one address makes only so many in a minute',
  async (host) => {
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    await using instance = await openHosted(host, {
      model: new FakeModel([]),
      clock,
      config: { service: { rateLimitPerMinute: 30 } },
    });
    const post = (query: string) =>
      fetch(`${instance.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: KEY }),
      });
    await post(`mutation { createTask(input: { ref: "${REF}" }) { ref } }`);
    const send = (id: number) =>
      post(
        `mutation ($ref: ID!) { sendMessage(ref: $ref, text: "/status", messageId: "c${id}") { accepted } }`,
      );
    let taken = 0;
    let response = await send(taken);
    for (; response.status === 200; response = await send(taken)) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(29);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await post('{ tasks(first: 1) { nodes { ref } } }')).status).toBe(429);
    expect((await fetch(`${instance.url}/health/live`)).status).toBe(200);

    aheadMs = 60_000;
    expect((await send(1_000)).status).toBe(200);
    aheadMs = 120_000;
    await awaitState(async () => {
      const replies = (await eventsOf(instance.url, REF)).filter(
        ({ type }) => type === 'task.commandReplied',
      );
      const sent = [...Array(taken).keys(), 1_000].map((id) => `c${id}`);
      expect(replies.map(({ data }) => data.messageId)).toEqual(sent);
    });
  },
);

/*
 * Feature: Durable tasks
 * Scenario: what cannot be stored is told to be so, and nobody is told of an end that is not
 *   Requirement: spec/worker.md#13.14
 *   Given a parked task, and a state file that cannot be written
 *   When it is completed
 *   Then that fails as UNAVAILABLE, and the task is parked as before, in every answer
 *   And when the file can be written again, it can be completed
 */
hostedTest(
  'what cannot be stored is told to be so, and nobody is told of an end that is not',
  async (host) => {
    await using instance = await openHosted(host, { model: new FakeModel([{ text: 'One.' }]) });
    const { url } = instance;
    await createTask(url, 'hi', KEY);
    const before = await awaitReply(url, KEY, 'One.');
    const complete = () => askGraphQL(url, 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', KEY);
    {
      using lock = new DatabaseSync(join(instance.directory, 'state', 'state.db'));
      lock.exec('BEGIN IMMEDIATE');
      const { data, errors } = await complete();
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ extensions: { code: 'UNAVAILABLE' } }]);
      expect(await readTask(url, KEY)).toEqual(before);
      expect((await eventsOf(url, REF)).at(-1)?.data).toMatchObject({ state: 'INPUT_REQUIRED' });
      lock.exec('ROLLBACK');
    }
    await awaitState(async () => {
      await complete();
      expect((await readTask(url, KEY)).state).toBe('COMPLETED');
    });
  },
);

/*
 * Feature: Secrets
 * Scenario: a key that somebody writes into a message is seen by nobody
 *   Requirement: spec/worker.md#13.15
 *   Given a hook that is told of messages, a tool, and a collector of spans
 *   When a message with a key is sent, and the model passes it on to the tool
 *   Then neither model, hook, conversation, events, spans nor the operator's log have it
 *   And no file of the state directory has
 */
hostedTest('a key that somebody writes into a message is seen by nobody', async (host) => {
  const key = 'sk-proj-0123456789abcdefghijkl';
  const told: unknown[] = [];
  const hook: HookDefinition = {
    name: 'watch',
    points: ['request.received.pre', 'llm.invoked.pre', 'tool.invoked.pre'],
    execute: (context) => {
      told.push(context);
      return undefined;
    },
  };
  const order = countingTool({ name: 'get_order', isIdempotent: true });
  const model = new FakeModel([
    { toolCalls: [{ tool: 'get_order', arguments: { note: key } }] },
    { text: `I have used ${key}` },
  ]);
  await using instance = await openHosted(host, {
    model,
    hooks: [hook],
    tools: [order.tool],
    config: { o11y: { traceFile: 'traces.jsonl' } },
  });
  const { url } = instance;
  await createTask(url, `Use ${key} for it`, KEY);
  const task = await awaitParked(url, KEY, { turns: 2 });
  await instance.restart();

  const spans = readSpans(join(instance.directory, 'traces.jsonl'));
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['chat d', 'execute_tool get_order']));
  const seen = { model: model.requests, told, task, spans, events: await eventsOf(instance.url, REF) };
  for (const [who, what] of Object.entries(seen)) expect(JSON.stringify(what), who).not.toContain(key);
  expect(instance.log).not.toContain(key);
  expect(JSON.stringify([model.requests[0], told[0]])).toContain('[REDACTED]');
  const state = join(instance.directory, 'state');
  for (const entry of readdirSync(state, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    expect(readFileSync(join(entry.parentPath, entry.name)).includes(key), entry.name).toBe(false);
  }
});

/*
 * Feature: Budgets
 * Scenario: tasks that the budget of the instance holds back go on when it is raised, without another word
 *   Requirement: docs/guides/configuration.md#limit-what-is-used
 *   Given an instance that may make one turn, and has made it
 *   When a message is sent, and then the limit is raised through the API
 *   Then the task is held back first, and goes on with the message at the next heartbeat
 */
hostedTest(
  'tasks that the budget of the instance holds back go on when it is raised, without another word',
  async (host) => {
    const model = new FakeModel([{ text: 'One.' }, { text: 'Two.' }]);
    await using instance = await openHosted(host, {
      model,
      config: { heartbeat: { intervalSeconds: 1 }, budgets: { instance: { turns: 1 } } },
    });
    const { url } = instance;
    await createTask(url, 'hi', KEY);
    await awaitReply(url, KEY, 'One.');
    await sendMessage(url, 'and now?', KEY);
    await awaitState(async () => {
      const { task } = await readGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { heldBy } }', KEY);
      expect(task).toEqual({ heldBy: 'INSTANCE' });
    });
    expect(model.requests).toHaveLength(1);
    await readGraphQL(url, 'mutation ($patch: JSON!) { updateConfig(patch: $patch) { written } }', {
      patch: { budgets: { instance: { turns: 10 } } },
    });
    await awaitReply(url, KEY, 'Two.');
    expect(JSON.stringify(model.requests[1]?.input)).toContain('and now?');
  },
);

/** The system's clock, set to a later time. */
function aheadBy(aheadMs: number): Clock {
  return { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
}

/** Offsets of the task's events after a position, as a reader gets them that leaves behind the newest one. */
async function readAlong(url: string, after: string): Promise<readonly number[]> {
  const last = (await eventsOf(url, REF)).at(-1)?.offset;
  using reader = new EventReader({ open: taskEventsOverSocket(url, KEY), after });
  await reader.until(() => reader.events.at(-1)?.offset === last);
  return reader.events.map(({ offset }) => offset);
}
