/** The documented REST contract on a manager of two workers: union, routing, stamps, errors. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, awaitState, createTask, readTask } from '../support/taskClient.ts';

type Row = Record<string, unknown>;

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: {}, beta: {} } });
  for (const name of ['hq', 'alpha', 'beta']) await park({ ref: `github:o/${name}#1`, instance: name });
  for (const instance of ['alpha', 'beta']) await park({ ref: 'github:o/both#1', instance });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: REST contract
 * Scenario: REST lists are the union of the fleet, stamped and in the documented order
 *   Requirement: spec/manager.md#R2.2
 *   Given a manager hq, and alpha and beta that have a task each and one ref in common
 *   When hq is asked for its work items, sessions, events and types of events
 *   Then work items are ordered by ref and instance, sessions by the fleet, events by time
 *   And every row names the instance that it is from
 */
test('REST lists are the union of the fleet, stamped and in the documented order', async () => {
  const items = await get('/work-items');
  expect(items.body.map(({ ref, instance }: Row) => [ref, instance])).toEqual([
    ['github:o/alpha#1', 'alpha'],
    ['github:o/beta#1', 'beta'],
    ['github:o/both#1', 'alpha'],
    ['github:o/both#1', 'beta'],
    ['github:o/hq#1', 'hq'],
  ]);
  expect(items.body[0]).toMatchObject({
    url: 'https://github.com/o/alpha/issues/1',
    task: { state: 'INPUT_REQUIRED' },
  });
  expect(items.headers.has('the-loop-instances-unreachable')).toBe(false);

  const sessions = await get('/sessions?status=active');
  expect(sessions.body.map(({ instance }: Row) => instance)).toEqual([
    'hq',
    'alpha',
    'alpha',
    'beta',
    'beta',
  ]);

  const events = await get('/events?type=task.created&limit=3');
  expect(events.body).toHaveLength(3);
  const times = events.body.map(({ ts }: Row) => ts);
  expect(times).toEqual(times.toSorted());
  expect(events.body.at(-1)).toMatchObject({
    event: 'task.created',
    instance: 'beta',
    work_item: 'github:o/both#1',
  });

  const types = await get('/events/types');
  expect(types.body).toHaveProperty(['task.created']);
});

/*
 * Feature: REST contract
 * Scenario: REST documents are the instance's own without instance, and the member's with it
 *   Requirement: spec/manager.md#R2.7
 *   Requirement: spec/manager.md#R3.1
 *   Given a manager hq with the live workers alpha and beta
 *   When health, identity and fleet are read without instance and with it
 *   Then hq answers for itself and lists its members, own row first
 *   And with instance the member's own document is answered
 */
test("REST documents are the instance's own without instance, and the member's with it", async () => {
  const health = await get('/health');
  expect(health.body).toMatchObject({ status: 'ok', role: 'manager' });
  expect(health.body.instances).toMatchObject([
    { name: 'alpha', state: 'live' },
    { name: 'beta', state: 'live' },
  ]);
  const ofAlpha = await get('/health?instance=alpha');
  expect(ofAlpha.body).toMatchObject({ status: 'ok', role: 'worker', instance: 'alpha' });
  expect(ofAlpha.body).not.toHaveProperty('instances');

  const identity = await get('/instance');
  expect(identity.body).toMatchObject({ name: 'hq', role: 'manager', sessionCount: 1 });
  expect(identity.body.managed.map(({ ref, instance }: Row) => [ref, instance])).toEqual([
    ['github:o/alpha#1', 'alpha'],
    ['github:o/beta#1', 'beta'],
    ['github:o/both#1', 'alpha'],
    ['github:o/both#1', 'beta'],
    ['github:o/hq#1', 'hq'],
  ]);
  expect((await get('/instance?instance=beta')).body).toMatchObject({ name: 'beta', role: 'worker' });

  const instances = await get('/instances');
  expect(instances.body).toMatchObject({ role: 'manager', name: 'hq' });
  expect(instances.body.instances).toMatchObject([
    { name: 'hq', url: fleet.url, state: 'live' },
    { name: 'alpha', url: fleet.instance('alpha').url, state: 'live', managedCount: 2, sessionCount: 2 },
    { name: 'beta', url: fleet.instance('beta').url, state: 'live', managedCount: 2, sessionCount: 2 },
  ]);
});

/*
 * Feature: REST contract
 * Scenario: a keyed REST call reaches the one holder, and several holders are a conflict
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.4
 *   Given a ref that only alpha holds, one that alpha and beta hold, and one that nobody holds
 *   When one work item and one session are read by each
 *   Then the first is alpha's, the second is 409 with the candidates, the third is 404
 *   And with instance the second is that instance's
 */
test('a keyed REST call reaches the one holder, and several holders are a conflict', async () => {
  for (const path of ['/work-items/one', '/sessions/one']) {
    const one = await get(`${path}?ref=${encodeURIComponent('github:o/alpha#1')}`);
    expect(one.body, path).toMatchObject({ ref: 'github:o/alpha#1', instance: 'alpha' });

    const both = await get(`${path}?ref=${encodeURIComponent('github:o/both#1')}`);
    expect(both.status, path).toBe(409);
    expect(both.body, path).toMatchObject({ candidates: ['alpha', 'beta'], detail: expect.any(String) });

    const chosen = await get(`${path}?ref=${encodeURIComponent('github:o/both#1')}&instance=beta`);
    expect(chosen.body, path).toMatchObject({ ref: 'github:o/both#1', instance: 'beta' });

    expect((await get(`${path}?ref=${encodeURIComponent('github:o/nobody#1')}`)).status, path).toBe(404);
    expect(
      (await get(`${path}?ref=${encodeURIComponent('github:o/alpha#1')}&instance=gamma`)).status,
      path,
    ).toBe(404);
  }
});

/*
 * Feature: REST contract
 * Scenario: REST verbs on a session act on the instance that holds it
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#A5
 *   Given sessions on alpha and beta, some of them with one ref in common
 *   When reply, control and close are posted by ref alone
 *   Then each acts on the holder, and is a conflict without effect where there are two
 *   And stop with an instance ends that instance's task and not the other's
 */
test('REST verbs on a session act on the instance that holds it', async () => {
  const [reply, close, both] = ['github:o/reply#1', 'github:o/close#1', 'github:o/verbs#1'];
  await park({ ref: reply, instance: 'alpha' });
  await park({ ref: close, instance: 'beta' });
  for (const instance of ['alpha', 'beta']) await park({ ref: both, instance });

  const replied = await post('/sessions/reply', { ref: reply, text: 'One more thing' });
  expect(replied.body).toMatchObject({ workItem: reply, delivered: true, exitCode: 0, instance: 'alpha' });
  await awaitState(async () => {
    const { texts } = await readTask(fleet.instance('alpha').url, { ref: reply });
    expect(texts).toContain('One more thing');
  });

  const closed = await post('/sessions/close', { ref: close });
  expect(closed.body).toMatchObject({ workItem: close, closed: true, exitCode: 0, instance: 'beta' });
  expect((await readTask(fleet.url, { ref: close })).state).toBe('COMPLETED');
  const again = await post('/sessions/close', { ref: close });
  expect(again.body).toMatchObject({
    closed: false,
    exitCode: 1,
    messages: [{ text: expect.stringContaining('COMPLETED') }],
  });

  for (const [path, body] of [
    ['/sessions/control', { ref: both, verb: 'stop' }],
    ['/sessions/reply', { ref: both, text: 'For one of you' }],
    ['/sessions/close', { ref: both }],
  ] as const) {
    const refused = await post(path, body);
    expect(refused.status, path).toBe(409);
    expect(refused.body, path).toMatchObject({ candidates: ['alpha', 'beta'] });
  }
  const stopped = await post('/sessions/control', { ref: both, verb: 'stop', instance: 'beta' });
  expect(stopped.body).toMatchObject({ verb: 'stop', effect: 'stopped', exitCode: 0, instance: 'beta' });
  const [ofAlpha, ofBeta] = await Promise.all(
    ['alpha', 'beta'].map((instance) => readTask(fleet.url, { ref: both, instance })),
  );
  expect(ofAlpha).toMatchObject({ state: 'INPUT_REQUIRED' });
  expect(ofAlpha?.texts).not.toContain('For one of you');
  expect(ofBeta).toMatchObject({ state: 'CANCELED' });
});

/*
 * Feature: REST contract
 * Scenario: a worker knows no instance but itself
 *   Requirement: spec/manager.md#R2.6
 *   Given a worker alpha
 *   When it is called with its own name, with an empty name, and with another's
 *   Then the first two are its own answer, the last is 404 naming the value, on GET and on POST
 */
test('a worker knows no instance but itself', async () => {
  const { url } = fleet.instance('alpha');
  const ref = 'github:o/alpha#1';

  for (const instance of ['', 'alpha']) {
    const own = await get(`/work-items/one?ref=${encodeURIComponent(ref)}&instance=${instance}`, url);
    expect(own.body).toMatchObject({ ref });
    expect(own.body).not.toHaveProperty('instance');
  }
  const refused = [
    await get(`/work-items/one?ref=${encodeURIComponent(ref)}&instance=beta`, url),
    await get('/health?instance=beta', url),
    await post('/sessions/control', { ref, verb: 'stop', instance: 'beta' }, url),
  ];
  for (const { status, body } of refused) {
    expect(status).toBe(404);
    expect(body.detail).toContain('"beta"');
  }
  expect((await readTask(url, { ref })).state).toBe('INPUT_REQUIRED');
});

interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape that it reads.
  readonly body: any;
}

async function get(path: string, url = fleet.url): Promise<RestAnswer> {
  const response = await fetch(`${url}/api/v1${path}`);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function post(path: string, body: object, url = fleet.url): Promise<RestAnswer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** A task that waits for its next message. */
async function park(key: { readonly ref: string; readonly instance: string }): Promise<void> {
  await createTask(fleet.url, 'Say something', key);
  await awaitParked(fleet.url, key);
}
