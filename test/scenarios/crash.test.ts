/** Workers that die in the middle of their work, without a chance to tidy up. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AimockServer, replyTo } from '../support/AimockServer.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { EventReader } from '../support/EventReader.ts';
import { taskEventsOverSocket } from '../support/openStreams.ts';
import { ProcessFleet, TIMEOUT_SECONDS } from '../support/ProcessFleet.ts';
import { awaitReply, awaitState, createTask, readTask, sendMessage } from '../support/taskClient.ts';

/** How long a worker may take to stop, in milliseconds. */
const STOP_BOUND_MS = 10_000;

const LIST = '{ tasks(filter: { text: "o/crash" }) { nodes { instance ref state } } }';

let model: AimockServer;
let fleet: ProcessFleet;

beforeAll(async () => {
  model = await AimockServer.start();
  fleet = await ProcessFleet.start({
    workers: {
      alpha: model.configFor('responses', 'model-of-alpha'),
      beta: model.configFor('chat_completions', 'model-of-beta'),
    },
  });
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
});

/*
 * Feature: Durable tasks
 * Scenario: a worker killed in a model call finishes the task when it is back, and asks for nothing twice that was answered
 *   Requirement: spec/worker.md#38
 *   Requirement: spec/manager.md#R2.9
 *   Given a task on alpha with one answered turn, and a second whose model call is under way
 *   When alpha is killed with SIGKILL
 *   Then the fleet's list has the other rows, names alpha as unreachable, in time
 *   And the task of alpha is MEMBER_UNAVAILABLE when it is asked for by its instance
 *   When alpha is started again
 *   Then the second turn is answered, and the conversation has each message and each reply once
 *   And the model was asked once for the first turn, and twice for the second: before and after the death
 */
test('a worker killed in a model call finishes the task when it is back, and asks for nothing twice that was answered', async () => {
  const key = { ref: 'github:o/crash#1', instance: 'alpha' };
  await createTask(fleet.url, 'say recorded', key);
  await awaitReply(fleet.url, key, replyTo('recorded'));
  await createTask(fleet.url, 'say neighbour', { ref: 'github:o/crash#2', instance: 'beta' });
  const held = model.hold('unfinished');
  await sendMessage(fleet.url, 'say unfinished', key);
  await held.asked;

  await fleet.instance('alpha').kill();

  const startedAt = performance.now();
  const { status, data, errors, extensions, headers } = await askGraphQL(fleet.url, LIST);
  expect(performance.now() - startedAt).toBeLessThan((TIMEOUT_SECONDS + 1) * 1000);
  expect(status).toBe(200);
  expect(errors).toBeUndefined();
  expect(data.tasks.nodes).toMatchObject([{ instance: 'beta', ref: 'github:o/crash#2' }]);
  expect(extensions.fleet.unreachable).toMatchObject([{ instance: 'alpha', state: 'unreachable' }]);
  expect(headers.get('the-loop-instances-unreachable')).toBe('alpha');
  const keyed = await askGraphQL(
    fleet.url,
    'query ($ref: ID!, $instance: String) { task(ref: $ref, instance: $instance) { ref } }',
    key,
  );
  expect(keyed.errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' } }]);

  held.release();
  await fleet.instance('alpha').start();
  const finished = await awaitReply(fleet.instance('alpha').url, { ref: key.ref }, replyTo('unfinished'));

  expect(finished.texts).toEqual([
    'say recorded',
    replyTo('recorded'),
    'say unfinished',
    replyTo('unfinished'),
  ]);
  expect(finished.turns).toBe(2);
  expect(model.callsFor('recorded')).toHaveLength(1);
  expect(model.callsFor('unfinished')).toHaveLength(2);
  await awaitState(async () => {
    const answer = await askGraphQL(fleet.url, LIST);
    expect(answer.extensions).toBeUndefined();
    expect(answer.data.tasks.nodes).toHaveLength(2);
  });
});

/*
 * Feature: Durable tasks
 * Scenario: a message that was accepted before the death of its worker is delivered after it
 *   Requirement: spec/worker.md#38
 *   Given a task on beta whose first model call is under way, and a second message that was accepted meanwhile
 *   When beta is killed with SIGKILL and started again
 *   Then both messages are answered, in their order
 *   And the same message id sent again is a duplicate that changes nothing
 */
test('a message that was accepted before the death of its worker is delivered after it', async () => {
  const beta = fleet.instance('beta');
  const ref = 'github:o/crash#3';
  const held = model.hold('under-way');
  await createTask(beta.url, 'say under-way', { ref });
  await held.asked;
  const send = `mutation ($ref: ID!) {
    sendMessage(ref: $ref, text: "say waiting", messageId: "m-2") { duplicate state }
  }`;
  const receipt = await readGraphQL(beta.url, send, { ref });
  expect(receipt.sendMessage).toEqual({ duplicate: false, state: 'WORKING' });

  await beta.kill();
  held.release();
  await beta.start();
  const task = await awaitReply(beta.url, { ref }, replyTo('waiting'));

  expect(task.texts).toEqual(['say under-way', replyTo('under-way'), 'say waiting', replyTo('waiting')]);
  expect((await readGraphQL(beta.url, send, { ref })).sendMessage.duplicate).toBe(true);
  expect((await readTask(beta.url, { ref })).texts).toEqual(task.texts);
});

/*
 * Feature: Durable tasks
 * Scenario: a worker that is told to stop in a model call ends in time and loses nothing
 *   Requirement: spec/worker.md#56
 *   Given a task on beta whose model call is under way, and a client that reads beta's events
 *   When beta gets SIGTERM
 *   Then it ends with exit code 0 without waiting for the model, and nothing listens on its port
 *   And when it is started again the task is answered, and the client has seen every event of it once
 */
test('a worker that is told to stop in a model call ends in time and loses nothing', async () => {
  const beta = fleet.instance('beta');
  const ref = 'github:o/crash#4';
  const held = model.hold('interrupted');
  await createTask(beta.url, 'say interrupted', { ref });
  await held.asked;
  using reader = new EventReader({ open: taskEventsOverSocket(beta.url, { ref }), after: '0' });
  await reader.until(() => reader.events.length > 0);

  const startedAt = performance.now();
  expect(await beta.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOP_BOUND_MS);
  await expect(fetch(`${beta.url}/health/live`)).rejects.toThrow('fetch failed');

  held.release();
  await beta.start();
  await awaitReply(beta.url, { ref }, replyTo('interrupted'));
  await reader.until(() => reader.events.filter(({ type }) => type === 'task.status').length >= 2);
  expect(reader.events.map(({ type }) => type)).toEqual([
    'task.created',
    'task.messageAccepted',
    'task.status',
    'task.turnStarted',
    'task.status',
  ]);
  expect(reader.desyncs).toBe(0);
});

/*
 * Feature: Trust in members
 * Scenario: a member that dies and comes back is told once each way
 *   Requirement: spec/manager.md#R3.4
 *   Requirement: spec/manager.md#R3.1
 *   Given a live member beta
 *   When beta is killed, is asked for several times, and is started again
 *   Then the fleet's row of beta is UNREACHABLE with a reason, health is degraded, and later it is LIVE again
 *   And the manager's log has one instance.unreachable and one instance.recovered more than before
 */
test('a member that dies and comes back is told once each way', async () => {
  const transitions = `{
    events(last: 1000, filter: { types: ["instance.unreachable", "instance.recovered"] }) {
      nodes { instance type data }
    }
  }`;
  const aboutBeta = async (): Promise<string[]> => {
    const { events } = await readGraphQL(fleet.url, transitions);
    const nodes = events.nodes as { type: string; data: { instance: string } }[];
    return nodes.filter(({ data }) => data.instance === 'beta').map(({ type }) => type);
  };
  const state = async (expected: string): Promise<{ detail: string | null }> => {
    const { instances, health } = await readGraphQL(
      fleet.url,
      '{ instances { name state detail } health { status } }',
    );
    const row = instances.find(({ name }: { name: string }) => name === 'beta');
    expect(row.state).toBe(expected);
    expect(health.status).toBe(expected === 'LIVE' ? 'ok' : 'degraded');
    return row;
  };
  await awaitState(() => state('LIVE'));
  const before = await aboutBeta();

  await fleet.instance('beta').kill();
  const away = await awaitState(() => state('UNREACHABLE'));
  expect(away.detail).toBeTruthy();
  expect(away.detail).not.toContain('127.0.0.1');
  for (let reads = 0; reads < 3; reads += 1) await askGraphQL(fleet.url, LIST);
  await fleet.instance('beta').start();
  await awaitState(() => state('LIVE'));

  expect(await aboutBeta()).toEqual([...before, 'instance.unreachable', 'instance.recovered']);
});
