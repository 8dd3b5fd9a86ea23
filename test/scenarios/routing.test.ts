/** A manager and two workers as processes of their own, each with a model behind another wire API. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AimockServer, replyTo } from '../support/AimockServer.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { openHostileFleet } from '../support/HostileFleet.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitReply, createTask, readTask, sendMessage } from '../support/taskClient.ts';

const CREATE = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }';
const SEND = 'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "hello") { instance } }';

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
 * Feature: One list over the fleet
 * Scenario: tasks of both workers are in one list, each stamped with its instance
 *   Requirement: spec/manager.md#R2.2
 *   Requirement: spec/manager.md#R2.5
 *   Given a manager hq with the live workers alpha and beta
 *   When a task is created through hq on each of the three
 *   Then one list has all three, each with the name of the instance that runs it
 *   And the answer says nothing of members that are missing
 */
test('tasks of both workers are in one list, each stamped with its instance', async () => {
  for (const instance of ['alpha', 'beta', undefined]) {
    await createTask(fleet.url, 'say hello', { ref: `github:o/list#${instance?.length ?? 0}`, instance });
  }

  const { data, errors, extensions, headers } = await askGraphQL(
    fleet.url,
    '{ tasks(filter: { text: "o/list" }, orderBy: REF_ASC) { nodes { instance ref } pageInfo { hasNextPage } } }',
  );

  expect(errors).toBeUndefined();
  expect(data.tasks.nodes).toEqual([
    { instance: 'hq', ref: 'github:o/list#0' },
    { instance: 'beta', ref: 'github:o/list#4' },
    { instance: 'alpha', ref: 'github:o/list#5' },
  ]);
  expect(data.tasks.pageInfo.hasNextPage).toBe(false);
  expect(extensions).toBeUndefined();
  expect(headers.has('the-loop-instances-unreachable')).toBe(false);
});

/*
 * Feature: Keyed routing
 * Scenario: a message reaches the worker that holds the ref, over either wire API
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/worker.md#15
 *   Requirement: spec/worker.md#16
 *   Given a task on alpha, whose model speaks Responses, and one on beta, whose model speaks Chat Completions
 *   When each gets a message through hq by its ref alone
 *   Then each parks behind the reply to its message, and the conversation is in order
 *   And only the model of the worker that holds the task was asked
 *   And no other instance knows the ref
 */
test.each([
  { holder: 'alpha', path: '/v1/responses', ref: 'github:o/keyed#1' },
  { holder: 'beta', path: '/v1/chat/completions', ref: 'github:o/keyed#2' },
])('a message reaches the worker that holds the ref, over either wire API', async ({ holder, path, ref }) => {
  const [first, second] = [`first-on-${holder}`, `second-on-${holder}`];
  await createTask(fleet.url, `say ${first}`, { ref, instance: holder });
  await awaitReply(fleet.url, { ref }, replyTo(first));

  await sendMessage(fleet.url, `say ${second}`, { ref });
  const task = await awaitReply(fleet.url, { ref }, replyTo(second));

  expect(task).toMatchObject({ instance: holder, turns: 2, subState: 'AWAITING_MESSAGE' });
  expect(task.texts).toEqual([`say ${first}`, replyTo(first), `say ${second}`, replyTo(second)]);
  for (const word of [first, second]) {
    expect(model.callsFor(word)).toMatchObject([{ model: `model-of-${holder}` }]);
  }
  expect(model.paths).toContain(path);
  for (const { name, url } of fleet.instances.filter(({ name }) => name !== holder && name !== 'hq')) {
    const { errors } = await askGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { ref } }', { ref });
    expect(errors?.[0]?.extensions.code, name).toBe('NOT_FOUND');
  }
});

/*
 * Feature: Keyed routing
 * Scenario: a ref that two workers hold is refused and sent to neither
 *   Requirement: spec/manager.md#R2.4
 *   Requirement: spec/manager.md#A5
 *   Given alpha and beta that both hold the same ref
 *   When a message is sent to the ref without an instance
 *   Then the error code is CONFLICT and its candidates are alpha and beta, in fleet order
 *   And the message is in neither conversation and no model was asked
 *   And with an instance it reaches that one and no other
 */
test('a ref that two workers hold is refused and sent to neither', async () => {
  const ref = 'github:o/twice#1';
  for (const instance of ['beta', 'alpha']) {
    await createTask(fleet.url, `say twin-${instance}`, { ref, instance });
    await awaitReply(fleet.url, { ref, instance }, replyTo(`twin-${instance}`));
  }

  const { data, errors } = await askGraphQL(
    fleet.url,
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "say ambiguous") { ref } }',
    { ref },
  );

  expect(data).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', candidates: ['alpha', 'beta'] } }]);
  for (const name of ['alpha', 'beta']) {
    const { texts } = await readTask(fleet.instance(name).url, { ref });
    expect(texts).toEqual([`say twin-${name}`, replyTo(`twin-${name}`)]);
  }
  expect(model.callsFor('ambiguous')).toEqual([]);

  await sendMessage(fleet.url, 'say plain', { ref, instance: 'beta' });
  await awaitReply(fleet.url, { ref, instance: 'beta' }, replyTo('plain'));
  expect(model.callsFor('plain')).toMatchObject([{ model: 'model-of-beta' }]);
  expect((await readTask(fleet.instance('alpha').url, { ref })).texts).toHaveLength(2);
});

/*
 * Feature: Keyed routing
 * Scenario: an instance that is not in the fleet is refused and nothing is sent
 *   Requirement: spec/manager.md#A6
 *   Requirement: spec/manager.md#R2.6
 *   Given a manager hq with the live workers alpha and beta
 *   When hq or a worker is asked for the task of an instance that it does not know
 *   Then the error code is NOT_FOUND, also for values that look like a path or a URL
 *   And a worker accepts its own name
 */
test('an instance that is not in the fleet is refused and nothing is sent', async () => {
  const ref = 'github:o/known#1';
  await createTask(fleet.url, 'say known', { ref, instance: 'alpha' });
  const query = 'query ($ref: ID!, $instance: String) { task(ref: $ref, instance: $instance) { ref } }';

  for (const instance of ['gamma', 'ALPHA', '../alpha', 'alpha@evil', 'http://127.0.0.1:1/']) {
    for (const url of [fleet.url, fleet.instance('alpha').url]) {
      const { errors } = await askGraphQL(url, query, { ref, instance });
      expect(errors?.[0]?.extensions.code, `${instance} at ${url}`).toBe('NOT_FOUND');
    }
  }
  const own = await readGraphQL(fleet.instance('alpha').url, query, { ref, instance: 'alpha' });
  expect(own.task.ref).toBe(ref);
});

/*
 * Feature: Keyed routing
 * Scenario: a ref that another worker has taken up since the last probe is not written to as if it had one holder
 *   Requirement: spec/manager.md#R2.4
 *   Requirement: spec/manager.md#A5
 *   Given probes that say that alpha holds the ref, and stay fresh
 *   When beta takes the ref up as well, and a message is sent to it through hq without an instance
 *   Then the error code is CONFLICT, its candidates are alpha and beta, and neither has had a mutation
 *   And once it is completed on alpha, the message goes to beta
 */
test('a ref that another worker has taken up since the last probe is not written to as if it had one holder', async () => {
  const ref = 'github:o/moving#1';
  await using hostile = await openHostileFleet({ members: { alpha: [ref], beta: [] } });
  await hostile.states();
  await hostile.worker('beta').ask(CREATE, { input: { goal: 'to be done', ref } });

  const refused = await hostile.ask(SEND, { ref });

  expect(refused.body.errors).toMatchObject([
    { extensions: { code: 'CONFLICT', candidates: ['alpha', 'beta'] } },
  ]);
  expect([hostile.server('alpha').mutations, hostile.server('beta').mutations]).toEqual([0, 0]);

  await hostile.worker('alpha').ask('mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref });
  const sent = await hostile.ask(SEND, { ref });

  expect(sent.body).toEqual({ data: { sendMessage: { instance: 'beta' } } });
  expect([hostile.server('alpha').mutations, hostile.server('beta').mutations]).toEqual([0, 1]);
});

/*
 * Feature: Keyed routing
 * Scenario: a holder that is gone is named beside what goes to the other one
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.9
 *   Given alpha and beta that both hold the ref, and alpha that dies
 *   When the ref is written to and read through hq without an instance
 *   Then beta answers, and the answer says in extensions and header that alpha could not be asked
 *   And a ref that alpha numbered itself is MEMBER_UNAVAILABLE and not unknown
 */
test('a holder that is gone is named beside what goes to the other one', async () => {
  const ref = 'github:o/half#1';
  await using hostile = await openHostileFleet({ members: { alpha: [ref], beta: [ref] } });
  await hostile.states();
  await hostile.server('alpha')[Symbol.asyncDispose]();

  for (const text of [SEND, 'query ($ref: ID!) { task(ref: $ref) { instance } }']) {
    const { body, headers } = await hostile.ask(text, { ref });
    expect(Object.values(body.data)).toEqual([{ instance: 'beta' }]);
    expect(body.extensions.fleet.unreachable).toMatchObject([{ instance: 'alpha', state: 'unreachable' }]);
    expect(headers['the-loop-instances-unreachable']).toBe('alpha');
  }
  const { body } = await hostile.ask(SEND, { ref: 'flotilla:alpha/task#1' });
  expect(body.errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' } }]);
});
