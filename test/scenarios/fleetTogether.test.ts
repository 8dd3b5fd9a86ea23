/** A fleet from its first member to its last, through the faces: two workers, a manager and a stranger (spec/manager.md § 26, T2). */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunningInstance } from '../support/RunningInstance.ts';
import { awaitState } from '../support/taskClient.ts';

/** Members are soon found as they are, and none is given up because the machine is busy. */
const MANAGER = `instance:
  name: hq
  role: manager
  manager:
    timeoutSeconds: 10
    probeIntervalSeconds: 1
`;

let alpha: RunningInstance;
let beta: RunningInstance;
let hq: RunningInstance;

beforeEach(async () => {
  [alpha, beta, hq] = await Promise.all([
    RunningInstance.start('instance: { name: alpha }'),
    RunningInstance.start('instance: { name: beta }'),
    RunningInstance.start(MANAGER),
  ]);
  await create(alpha, 'github:o/alpha#1');
  await create(beta, 'github:o/beta#1');
  await create(hq, 'github:o/hq#1');
});

afterEach(async () => {
  for (const instance of [hq, alpha, beta]) await instance?.[Symbol.asyncDispose]();
});

/*
 * Feature: A fleet
 * Scenario: registration by the API and by hand are the same, and in force with the next request
 *   Requirement: spec/manager.md#T2
 *   Requirement: spec/manager.md#R4.1
 *   Requirement: spec/manager.md#R4.2
 *   Given two workers and a manager, each with a task of its own
 *   When alpha is registered through the API and beta by an edit of the file
 *   Then after each the next list has its task beside the manager's own, and each row says whose it is
 *   And the fleet's rows of both are alike
 */
test('registration by the API and by hand are the same, and in force with the next request', async () => {
  expect(await items()).toEqual(['hq github:o/hq#1']);

  expect((await register('alpha', alpha)).status).toBe(200);
  expect(await items()).toEqual(['alpha github:o/alpha#1', 'hq github:o/hq#1']);

  hq.write(`${hq.read()}      - name: beta\n        url: ${beta.url}\n`);
  expect(await items()).toEqual(['alpha github:o/alpha#1', 'beta github:o/beta#1', 'hq github:o/hq#1']);
  expect(await hq.rows()).toMatchObject([
    { name: 'hq', state: 'live' },
    { name: 'alpha', url: alpha.url, state: 'live', managedCount: 1 },
    { name: 'beta', url: beta.url, state: 'live', managedCount: 1 },
  ]);
});

/*
 * Feature: A fleet
 * Scenario: a ref is served by who has it, one that two have is sent to neither, and a worker knows its own name only
 *   Requirement: spec/manager.md#T2
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.4
 *   Requirement: spec/manager.md#R2.6
 *   Given a manager with two members that both have a task of one ref
 *   When its tasks are read and written by ref, and the workers are asked by the names of others
 *   Then a ref of one is answered by that one, and one of both is 409 with both names and changes nothing
 *   And each worker answers to its own name, and is 404 to every other
 */
test('a ref is served by who has it, one that two have is sent to neither, and a worker knows its own name only', async () => {
  await register('alpha', alpha);
  await register('beta', beta);
  const twin = 'github:o/twin#1';
  for (const worker of [alpha, beta]) await create(worker, twin);
  await awaitState(async () => expect(await items()).toHaveLength(5));

  const one = await hq.get(`/work-items/one?ref=${encodeURIComponent('github:o/beta#1')}`);
  expect(one).toMatchObject({ status: 200, body: { instance: 'beta', ref: 'github:o/beta#1' } });
  await awaitState(async () => {
    const refused = await hq.post('/sessions/control', { ref: twin, verb: 'pause' });
    expect(refused).toMatchObject({ status: 409, body: { candidates: ['alpha', 'beta'] } });
  });
  for (const worker of [alpha, beta]) {
    const { body } = await worker.get(`/sessions/one?ref=${encodeURIComponent(twin)}`);
    expect(body.status).toBe('active');
  }

  expect((await alpha.get('/instance?instance=alpha')).status).toBe(200);
  expect(await alpha.get('/instance?instance=beta')).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('beta') },
  });
});

/*
 * Feature: A fleet
 * Scenario: a member that leaves is named until it is back, and one of another name is served from nowhere
 *   Requirement: spec/manager.md#T2
 *   Requirement: spec/manager.md#R2.9
 *   Requirement: spec/manager.md#R6.1
 *   Given a manager with two members, of which one is registered under a name that it does not have
 *   When alpha stops, and is started again
 *   Then meanwhile lists have the others' rows and name who is missing, and health is degraded
 *   And afterwards alpha's rows are there again, and those of the stranger never were
 */
test('a member that leaves is named until it is back, and one of another name is served from nowhere', async () => {
  await register('alpha', alpha);
  await register('omega', beta);
  const missing = async (): Promise<string | null> =>
    (await hq.get('/work-items')).headers.get('the-loop-instances-unreachable');
  await awaitState(async () => expect(await missing()).toBe('omega'));
  expect(await items()).toEqual(['alpha github:o/alpha#1', 'hq github:o/hq#1']);
  expect(await hq.get(`/work-items/one?ref=${encodeURIComponent('github:o/beta#1')}`)).toMatchObject({
    status: 404,
  });
  expect((await hq.get('/instance?instance=omega')).status).toBe(502);

  const { url } = alpha;
  await alpha.stop();
  await awaitState(async () => expect(await missing()).toBe('alpha, omega'));
  expect(await items()).toEqual(['hq github:o/hq#1']);
  expect((await hq.get('/health')).body).toMatchObject({
    status: 'degraded',
    instances: [
      { name: 'alpha', state: 'unreachable' },
      { name: 'omega', state: 'mismatched' },
    ],
  });

  await alpha.start();
  hq.write(hq.read().replaceAll(url, alpha.url));
  await awaitState(async () => expect(await missing()).toBe('omega'));
  expect(await items()).toEqual(['alpha github:o/alpha#1', 'hq github:o/hq#1']);
});

/*
 * Feature: A fleet
 * Scenario: a write that is sent through the manager changes the member's file and no other, and is in two logs
 *   Requirement: spec/manager.md#T2
 *   Requirement: spec/manager.md#R2.7
 *   Given a manager with the member alpha
 *   When alpha's configuration is written through the manager
 *   Then alpha's file has the value and the manager's is the same to the byte
 *   And alpha's log tells of the change, and the manager's of the request for alpha
 */
test("a write that is sent through the manager changes the member's file and no other, and is in two logs", async () => {
  await register('alpha', alpha);
  const own = hq.read();

  const { status } = await hq.post('/config', { patch: { tasks: { maxTurns: 33 } }, instance: 'alpha' });

  expect(status).toBe(200);
  expect(alpha.read()).toContain('33');
  expect(hq.read()).toBe(own);
  expect((await alpha.get('/events?type=config.updated')).body).toMatchObject([{ keys: ['tasks.maxTurns'] }]);
  await awaitState(async () => {
    const { body } = await hq.get('/events?type=api.request&limit=0');
    expect(body).toContainEqual(
      expect.objectContaining({ instance: 'hq', about: 'alpha', path: '/api/v1/config', status: 200 }),
    );
  });
});

async function create(instance: RunningInstance, ref: string): Promise<void> {
  const { errors } = await instance.ask(
    'mutation ($ref: ID!) { createTask(input: { name: "work", goal: "to be done", ref: $ref }) { ref } }',
    { ref },
  );
  expect(errors).toBeUndefined();
}

function register(name: string, { url }: RunningInstance) {
  return hq.post('/instances/register', { name, url });
}

/** `<instance> <ref>` of every work item that the manager serves. */
async function items(): Promise<readonly string[]> {
  const { status, body } = await hq.get('/work-items');
  expect(status).toBe(200);
  return body.map(({ instance, ref }: Readonly<Record<string, string>>) => `${instance} ${ref}`).sort();
}
