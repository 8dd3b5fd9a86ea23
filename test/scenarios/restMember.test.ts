/** Existing workers of the REST contract behind a manager: probe, rows and keys (spec/manager.md §§ 5–12, 24). */
import { expect, test } from 'vitest';
import { readFrames } from '../server/support/readFrames.ts';
import { openHostileFleet } from '../support/HostileFleet.ts';
import { openRestFleet } from '../support/openRestFleet.ts';
import { createRestServer, record } from '../support/RestServer.ts';

const REF = 'github:octo/repo#15';
const ENCODED = encodeURIComponent(REF);

/*
 * Feature: Members of the REST contract
 * Scenario: a member whose document has no role and no session count is live
 *   Requirement: spec/manager.md#M4
 *   Requirement: spec/manager.md#M5
 *   Given a service whose identity document has neither a role nor a session count
 *   When the fleet is read
 *   Then the member is live, and its session count is 0
 */
test('a member whose document has no role and no session count is live', async () => {
  await using open = await openRestFleet({ identity: { role: undefined, sessionCount: undefined } });
  const { body } = await open.fleet.get('/api/v1/instances');
  expect(body.instances[2]).toMatchObject({
    name: 'rest',
    state: 'live',
    version: '20.10.2',
    managedCount: 3,
    sessionCount: 0,
  });
});

/*
 * Feature: Members of the REST contract
 * Scenario: a member without a health document is live and its version is blank
 *   Requirement: spec/manager.md#M6
 *   Given services whose health is missing, is no JSON and fails
 *   When the fleet is read
 *   Then each of them is live without a version, and its rows are served
 */
test.each([
  ['missing', 404, { detail: 'Not Found' }],
  ['no object', 200, 'fine'],
  ['failing', 500, { detail: 'oh' }],
])('a member without a health document is live and its version is blank', async (_what, status, body) => {
  await using rest = await createRestServer({ name: 'rest' });
  rest.answer('GET /api/v1/health', body, status);
  await using fleet = await openHostileFleet({ strangers: [{ name: 'rest', url: rest.url }] });
  const states = await fleet.states();
  expect(states.rest).toMatchObject({ state: 'live', version: '' });
  expect((await fleet.get('/api/v1/work-items')).body).toHaveLength(2);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a member that is older than the identity document is mismatched and takes no list with it
 *   Requirement: spec/manager.md#M7
 *   Given a service that answers 404 for the identity document
 *   When work items are listed
 *   Then the others' rows are served, the header names the member, and its row says that it is mismatched
 */
test('a member that is older than the identity document is mismatched and takes no list with it', async () => {
  await using old = await createRestServer({ name: 'old' });
  old.answer('GET /api/v1/instance', { detail: 'Not Found' }, 404);
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'] },
    strangers: [{ name: 'old', url: old.url }],
  });
  const { status, body, headers } = await fleet.get('/api/v1/work-items');
  expect(status).toBe(200);
  expect(body).toMatchObject([{ ref: 'github:o/r#1', instance: 'alpha' }]);
  expect(headers['the-loop-instances-unreachable']).toBe('old');
  expect((await fleet.states()).old).toMatchObject({ state: 'mismatched' });
  expect(old.requests.map(({ path }) => path)).toEqual(['/api/v1/instance']);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a manager of the contract is no member
 *   Requirement: spec/manager.md#M15
 *   Given a service whose document says that it is a manager
 *   When lists are read and the member is named
 *   Then it is mismatched, has been asked for nothing but its document, and what names it is 502
 */
test('a manager of the contract is no member', async () => {
  await using open = await openRestFleet({ identity: { role: 'manager' } });
  const { fleet, rest } = open;
  expect((await fleet.get('/api/v1/work-items')).headers['the-loop-instances-unreachable']).toBe('rest');
  const named = await fleet.get(`/api/v1/work-items/one?ref=${ENCODED}&instance=rest`);
  expect(named).toMatchObject({ status: 502, body: { instance: 'rest' } });
  expect(named.body.detail).toContain('manager');
  expect(new Set(rest.requests.map(({ path }) => path))).toEqual(new Set(['/api/v1/instance']));
});

/*
 * Feature: Members of the REST contract
 * Scenario: what a member speaks is learned from its document alone
 *   Requirement: spec/manager.md#M4
 *   Given a service whose identity document names no GraphQL interface
 *   When lists and keys are read and its events are streamed
 *   Then every request to it is a path of the contract
 */
test('what a member speaks is learned from its document alone', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  await fleet.get('/api/v1/work-items');
  await fleet.ask('{ tasks { nodes { ref } } commands { name } }');
  using frames = await readFrames(`${fleet.url}/api/v1/stream`);
  await frames.take(1);
  const paths = rest.requests.map(({ path }) => path.split('?')[0]);
  expect(paths.slice(0, 2)).toEqual(['/api/v1/instance', '/api/v1/health']);
  expect(paths.filter((path) => !path?.startsWith('/api/v1/'))).toEqual([]);
});

/*
 * Feature: Members of the REST contract
 * Scenario: rows of a newer member pass through with every field that we know nothing of
 *   Requirement: spec/manager.md#M13
 *   Given a service whose rows, events and event types have more than the contract knows
 *   When they are read through the manager, over REST and over GraphQL
 *   Then each row is the member's own with `instance` added, a differing claim is kept as `about`
 *   And the unknown event types are listed
 */
test('rows of a newer member pass through with every field that we know nothing of', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const item = { ref: REF, url: 'https://x/1', control: null, novelty: { deep: [1, { two: null }] } };
  rest.answer('GET /api/v1/work-items', [{ ...item, instance: 'ci-box' }, 'no row', 7]);
  rest.answer('GET /api/v1/sessions', [{ ref: REF, status: 'active', novelty: true }]);
  rest.answer('GET /api/v1/events/types', { 'teapot.boiled': 'water is ready' });
  rest.append(record('teapot.boiled', { litres: 2, nested_thing: { a_b: 1 }, instance: 'kitchen' }));

  const items = (await fleet.get('/api/v1/work-items')).body;
  expect(items).toContainEqual({ ...item, about: 'ci-box', instance: 'rest' });
  const sessions = (await fleet.get('/api/v1/sessions')).body;
  expect(sessions).toContainEqual({ ref: REF, status: 'active', novelty: true, instance: 'rest' });
  expect((await fleet.get('/api/v1/events/types')).body).toMatchObject({
    'teapot.boiled': 'water is ready',
  });
  const events = (await fleet.get('/api/v1/events?type=teapot.boiled')).body;
  expect(events).toEqual([
    {
      ...record('teapot.boiled', { litres: 2, nested_thing: { a_b: 1 } }),
      about: 'kitchen',
      instance: 'rest',
    },
  ]);
  const { data } = (
    await fleet.ask('{ tasks(filter: { instances: ["rest"] }) { nodes { instance ref record } } }')
  ).body;
  expect(data.tasks.nodes).toEqual([
    { instance: 'rest', ref: REF, record: { ...item, about: 'ci-box', instance: 'rest' } },
  ]);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a member never receives the instance that a caller named
 *   Requirement: spec/manager.md#M8
 *   Given a service that does not know `instance`
 *   When it is named in reads and writes of every class
 *   Then the operation is done there, and no request to it holds the word
 */
test('a member never receives the instance that a caller named', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  rest.answer('POST /api/v1/sessions/reply', { workItem: REF, delivered: true, exitCode: 0, messages: [] });
  rest.answer('POST /api/v1/config', {
    path: '/c',
    exists: true,
    changed: ['a.b'],
    restartRequired: [],
    written: true,
    config: {},
  });
  const config = await fleet.ask(
    '{ config(instance: "rest") { instance path } health(instance: "rest") { status } }',
  );
  expect(config.body.data).toEqual({
    config: { instance: 'rest', path: '/srv/alpha/cli-config.yaml' },
    health: { status: 'ok' },
  });
  expect(await fleet.get(`/api/v1/work-items/one?ref=${ENCODED}&instance=rest`)).toMatchObject({
    status: 200,
  });
  expect(await fleet.get(`/api/v1/sessions/one?ref=${ENCODED}&instance=rest`)).toMatchObject({
    status: 200,
  });
  expect(
    await fleet.post('/api/v1/sessions/reply', { ref: REF, text: 'go on', instance: 'rest' }),
  ).toMatchObject({
    status: 200,
    body: { workItem: REF, delivered: true, exitCode: 0, messages: [], instance: 'rest' },
  });
  const update = await fleet.ask(
    'mutation { updateConfig(patch: { a: { b: 1 } }, instance: "rest") { instance changed written } }',
  );
  expect(update.body.data.updateConfig).toEqual({ instance: 'rest', changed: ['a.b'], written: true });
  const sent = rest.requests.filter(({ path }) => path !== '/api/v1/instance');
  expect(JSON.stringify(sent)).not.toContain('instance');
  expect(rest.requests.at(-1)?.body).toEqual({ patch: { a: { b: 1 } } });
});

/*
 * Feature: Members of the REST contract
 * Scenario: a key goes to the member that holds it, and to nobody when two do
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.4
 *   Requirement: spec/manager.md#T1
 *   Given a ref that only the service manages, and one that a worker of ours has as well
 *   When each is read and written without an instance
 *   Then the first one reaches the service alone, once; the second is 409 and reaches nobody
 */
test('a key goes to the member that holds it, and to nobody when two do', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  rest.answer('POST /api/v1/sessions/close', { workItem: REF, closed: true, exitCode: 0, messages: [] });
  const one = await fleet.get(`/api/v1/work-items/one?ref=${ENCODED}`);
  expect(one).toMatchObject({ status: 200, body: { ref: REF, instance: 'rest' } });
  expect(await fleet.post('/api/v1/sessions/close', { ref: REF })).toMatchObject({
    status: 200,
    body: { closed: true, instance: 'rest' },
  });
  await fleet
    .worker('alpha')
    .ask('mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }', {
      input: { name: 'the same', goal: 'twice', ref: REF },
    });
  expect(await fleet.post('/api/v1/sessions/close', { ref: REF })).toMatchObject({
    status: 409,
    body: { candidates: ['alpha', 'rest'] },
  });
  expect(rest.asked('/api/v1/sessions/close')).toHaveLength(1);
});

/*
 * Feature: Members of the REST contract
 * Scenario: a list costs a member one request, and a key costs its holder one
 *   Requirement: spec/manager.md#P4
 *   Requirement: spec/manager.md#P6
 *   Requirement: spec/manager.md#N-cost
 *   Given a fleet whose probes are fresh
 *   When work items and sessions are listed, and a work item of the service is read by its ref
 *   Then the service has had one request for each of them
 */
test('a list costs a member one request, and a key costs its holder one', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  await fleet.states();
  const probes = rest.requests.length;
  await fleet.get('/api/v1/work-items');
  await fleet.get('/api/v1/sessions');
  await fleet.get(`/api/v1/work-items/one?ref=${ENCODED}`);
  expect(rest.requests.slice(probes).map(({ path }) => path)).toEqual([
    '/api/v1/work-items',
    '/api/v1/sessions',
    `/api/v1/work-items/one?ref=${ENCODED}`,
  ]);
});

/*
 * Feature: Members of the REST contract
 * Scenario: what a member refuses is told as the member tells it
 *   Requirement: spec/manager.md#R2.9
 *   Requirement: spec/manager.md#T1
 *   Given a service that refuses a write, has no such thing, and then fails
 *   When the manager is asked
 *   Then the answers are 400 and 404 with the member's words, and 502 that names it
 */
test('what a member refuses is told as the member tells it', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const reply = () => fleet.post('/api/v1/sessions/reply', { ref: REF, text: 'hello', instance: 'rest' });
  expect(await reply()).toMatchObject({
    status: 400,
    body: { detail: `rest: the session for ${REF} is paused and delivery is held; resume it first` },
  });
  rest.answer('POST /api/v1/sessions/reply', { detail: 'no session' }, 404);
  expect(await reply()).toMatchObject({ status: 404, body: { detail: 'rest: no session' } });
  rest.answer('POST /api/v1/sessions/reply', { detail: 'disk is full' }, 500);
  expect(await reply()).toMatchObject({
    status: 502,
    body: { detail: 'rest: HTTP 500: disk is full', instance: 'rest' },
  });
  expect((await fleet.states()).rest).toMatchObject({ state: 'live' });
});

/*
 * Feature: Members of the REST contract
 * Scenario: a task of a member is read whole and answered like any other
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#M13
 *   Given a service whose session has a transcript
 *   When its task is read with everything that the dashboard shows, and a message is sent to it twice with one id
 *   Then nothing is missing from the answer, and the service has got the message once
 */
test('a task of a member is read whole and answered like any other', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  rest.answer(`GET /api/v1/sessions/transcript?ref=${ENCODED}&tail=0`, {
    workItem: REF,
    entries: [
      { type: 'user', timestamp: '2026-11-30T12:00:00Z', message: { role: 'user', content: 'do it' } },
    ],
  });
  rest.answer('POST /api/v1/sessions/reply', { workItem: REF, delivered: true, exitCode: 0, messages: [] });
  const pane = await fleet.ask(`{ task(ref: "${REF}") {
    instance ref id contextId state subState lifecycle name goal lastReply statusMessage paused createdAt updatedAt
    version turns queuedMessages participants { id role } settings { model effort } usage { inputTokens }
    plan { steps { id } } owner { name state } history { nodes { ... on HistoryMessage { role text at } } }
  } }`);
  expect(pane.body.errors).toBeUndefined();
  expect(pane.body.extensions?.fleet?.warnings ?? []).toEqual([]);
  expect(pane.body.data.task).toMatchObject({
    instance: 'rest',
    ref: REF,
    paused: true,
    owner: { name: 'rest', state: 'LIVE' },
    usage: { inputTokens: 0 },
    plan: null,
    history: { nodes: [{ role: 'USER', text: 'do it', at: '2026-11-30T12:00:00.000Z' }] },
  });
  const send = `mutation { sendMessage(ref: "${REF}", text: "go on", messageId: "m1") { instance accepted duplicate } }`;
  const receipts = [await fleet.ask(send), await fleet.ask(send)].map(({ body }) => body.data.sendMessage);
  expect(receipts).toEqual([
    { instance: 'rest', accepted: true, duplicate: false },
    { instance: 'rest', accepted: true, duplicate: true },
  ]);
  expect(rest.asked('/api/v1/sessions/reply')).toHaveLength(1);
});

/*
 * Feature: Members of the REST contract
 * Scenario: what the contract has no word for is not supported, and never an empty answer
 *   Requirement: spec/manager.md#R2.9
 *   Given a service of the contract, which knows no slash commands
 *   When a command is run there, and commands are listed
 *   Then the write is NOT_SUPPORTED, and the list names the member as left out
 */
test('what the contract has no word for is not supported, and never an empty answer', async () => {
  await using open = await openRestFleet();
  const { fleet, rest } = open;
  const run = await fleet.ask(
    `mutation { runCommand(ref: "${REF}", text: "/status", instance: "rest") { ok } }`,
  );
  expect(run.body.errors[0].extensions).toMatchObject({ code: 'NOT_SUPPORTED', instance: 'rest' });
  const list = await fleet.ask('{ commands { instance name } }');
  expect(list.body.data.commands.map(({ instance }: { instance: string }) => instance)).toContain('alpha');
  expect(list.body.extensions.fleet.unreachable).toMatchObject([{ instance: 'rest' }]);
  expect(rest.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
