/** What a manager adds to the contract's standing sessions, attention, daemons and tracker verbs (spec/manager.md §§ 8, 12). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, createTask } from '../support/taskClient.ts';

type Row = Record<string, unknown>;

let fleet: ProcessFleet;

beforeAll(async () => {
  const shepherd = { name: 'shepherd' };
  fleet = await ProcessFleet.start({
    workers: {
      alpha: {
        standingSessions: [shepherd, { name: 'gardener' }],
        instance: { scope: { workItems: ['github:o/declared#1'] } },
      },
      beta: { standingSessions: [shepherd] },
    },
    manager: { standingSessions: [{ name: 'clerk' }] },
  });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: REST contract
 * Scenario: standing sessions, attention and daemons are the union of the fleet
 *   Requirement: spec/manager.md#R2.2
 *   Given a manager hq and its workers alpha and beta with standing sessions, and a declared ref without a session
 *   When hq is asked for each of the lists
 *   Then the own block comes first, then the members' in the order of the registry, every row stamped
 */
test('standing sessions, attention and daemons are the union of the fleet', async () => {
  const standing = await get('/standing-sessions');
  expect(standing.body.map(({ instance, name, running }: Row) => [instance, name, running])).toEqual([
    ['hq', 'clerk', true],
    ['alpha', 'gardener', true],
    ['alpha', 'shepherd', true],
    ['beta', 'shepherd', true],
  ]);
  const daemons = await get('/daemons');
  expect(daemons.body.map(({ instance, daemon }: Row) => [instance, daemon])).toEqual(
    ['hq', 'alpha', 'beta'].flatMap((name) => [
      [name, 'heartbeat'],
      [name, 'engine'],
    ]),
  );
  const pids = new Set(daemons.body.map(({ pid }: Row) => pid));
  expect(pids).toEqual(new Set(fleet.instances.map(({ pid }) => pid)));
  const attention = await get('/attention');
  expect(attention.body).toContainEqual({
    workItem: 'github:o/declared#1',
    kind: 'armed-without-session',
    detail: expect.any(String),
    instance: 'alpha',
  });
});

/*
 * Feature: REST contract
 * Scenario: a standing session is found by its name, and never stopped for the whole fleet
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/manager.md#R2.4
 *   Requirement: spec/manager.md#T1
 *   Given a standing session that alpha has alone, one that alpha and beta have, and one of hq
 *   When they are read and controlled by name, with instance and without
 *   Then the one is alpha's, the other is 409 with the candidates until an instance is named, a third name is 404
 *   And a stop without a name is about hq's own alone
 */
test('a standing session is found by its name, and never stopped for the whole fleet', async () => {
  expect((await get('/standing-sessions/one?name=gardener')).body).toMatchObject({ instance: 'alpha' });
  const said = await post('/standing-sessions/say', { name: 'gardener', text: 'Hello' });
  expect(said.body).toMatchObject({ name: 'gardener', delivered: true, exitCode: 0, instance: 'alpha' });

  for (const answer of [
    await get('/standing-sessions/one?name=shepherd'),
    await post('/standing-sessions/say', { name: 'shepherd', text: 'Hello' }),
    await post('/standing-sessions/control', { name: 'shepherd', verb: 'stop' }),
  ]) {
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ candidates: ['alpha', 'beta'] });
  }
  const stopped = await post('/standing-sessions/control', {
    name: 'shepherd',
    verb: 'stop',
    instance: 'beta',
  });
  expect(stopped.body).toMatchObject({ ok: true, instance: 'beta', sessions: [{ outcome: 'stopped' }] });
  expect((await get('/standing-sessions/one?name=nobody')).status).toBe(404);

  const all = await post('/standing-sessions/control', { verb: 'stop' });
  expect(all.body).toMatchObject({ ok: true, instance: 'hq' });
  expect(all.body.sessions.map(({ name }: Row) => name)).toEqual(['clerk']);
  const left = await get('/standing-sessions');
  expect(left.body.filter(({ running }: Row) => running).map(({ name }: Row) => name)).toEqual([
    'gardener',
    'shepherd',
  ]);

  // As it was before, for whoever reads them next.
  for (const instance of ['beta', 'hq'])
    await post('/standing-sessions/control', { verb: 'start', instance });
});

/*
 * Feature: REST contract
 * Scenario: a pull request is linked where the work item is
 *   Requirement: spec/manager.md#A5
 *   Requirement: spec/manager.md#R2.3
 *   Given a work item on beta, and one that alpha and beta both have
 *   When a pull request is linked to each through hq
 *   Then the first is linked on beta, the other is 409 and linked nowhere
 */
test('a pull request is linked where the work item is', async () => {
  await park({ ref: 'github:o/link#1', instance: 'beta' });
  for (const instance of ['alpha', 'beta']) await park({ ref: 'github:o/links#2', instance });

  const pullRequest = 'github:o/lib#7';
  const linked = await post('/sessions/link-pr', { ref: 'github:o/link#1', pullRequest });
  expect(linked.body).toMatchObject({
    workItem: 'github:o/link#1',
    pullRequest,
    linked: true,
    instance: 'beta',
  });
  const refused = await post('/sessions/link-pr', { ref: 'github:o/links#2', pullRequest });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ candidates: ['alpha', 'beta'] });

  const sessions = await get('/sessions');
  const delivered = sessions.body.filter(
    ({ ref, pullRequests }: Row) => pullRequests && String(ref).startsWith('github:o/link'),
  );
  expect(delivered).toMatchObject([
    { ref: 'github:o/link#1', instance: 'beta', pullRequests: [{ ref: pullRequest }] },
  ]);
  const { body } = await get(`/work-items/one?ref=${encodeURIComponent('github:o/link#1')}`);
  expect(Object.keys(body.pullRequests)).toEqual([pullRequest]);
});

/*
 * Feature: REST contract
 * Scenario: a verb on a tracker goes to who works on the item, else to the one that is asked
 *   Requirement: spec/manager.md#R2.5
 *   Given a work item on beta that a pull request delivers, one that two have, and one that nobody has
 *   When a merge is asked of hq for each of them and for the pull request
 *   Then beta is asked for its item and for its pull request, nobody for the second, and hq answers for the third itself
 */
test('a verb on a tracker goes to who works on the item, else to the one that is asked', async () => {
  await park({ ref: 'github:o/act#1', instance: 'beta' });
  for (const instance of ['alpha', 'beta']) await park({ ref: 'github:o/acts#2', instance });
  await post('/sessions/link-pr', { ref: 'github:o/act#1', pullRequest: 'github:o/app#8' });

  const merge = (body: Row) => post('/pull-requests/merge', body);
  expect((await merge({ ref: 'github:o/any#3', workItem: 'github:o/acts#2' })).status).toBe(409);
  for (const [input, instance] of [
    [{ ref: 'github:o/any#3', workItem: 'github:o/act#1' }, 'beta'],
    [{ ref: 'github:o/app#8' }, 'beta'],
    [{ ref: 'github:o/any#3', instance: 'alpha' }, 'alpha'],
    [{ ref: 'github:o/any#3' }, 'hq'],
  ] as const) {
    const { status, body } = await merge(input);
    expect([instance, status], JSON.stringify(body)).toEqual([instance, 501]);
    expect(body.detail).toContain('mergePullRequest');
    expect(body.instance).toBe(instance === 'hq' ? undefined : instance);
  }
});

interface RestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape that it reads.
  readonly body: any;
}

async function get(path: string): Promise<RestAnswer> {
  const response = await fetch(`${fleet.url}/api/v1${path}`);
  return { status: response.status, body: await response.json() };
}

async function post(path: string, body: object): Promise<RestAnswer> {
  const response = await fetch(`${fleet.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

/** A task that waits for its next message. */
async function park(key: { readonly ref: string; readonly instance: string }): Promise<void> {
  await createTask(fleet.url, 'Say something', key);
  await awaitParked(fleet.url, key);
}
