/** What the logs of a fleet tell of its members, its reads and its writes (spec/manager.md §§ 21–22). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import { exchange, openHostileFleet } from '../support/HostileFleet.ts';
import { answerWith, MISBEHAVIOURS } from '../support/MemberServer.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitState } from '../support/taskClient.ts';

/** Members are soon found as they are, and none is given up because the machine is busy. */
const QUICK = { probeIntervalSeconds: 1, timeoutSeconds: 10 };

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: {} } });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: Events of a fleet
 * Scenario: what happens to members and to reads is told with its level and its fields
 *   Requirement: spec/manager.md#N-observability
 *   Given a manager whose member alpha goes away, comes back, answers to another name, and then with an answer that is too large
 *   When the fleet is read after each change
 *   Then the manager's log has the event of it: who, why, what was asked, what was reported, at its level
 *   And a read that leaves alpha out is told at debug with the operation and the name
 */
test('what happens to members and to reads is told with its level and its fields', async () => {
  await using hostile = await openHostileFleet({ members: { alpha: ['github:o/r#1'] }, manager: QUICK });
  const alpha = hostile.server('alpha');
  const state = (expected: string): Promise<void> =>
    awaitState(async () => expect((await hostile.states()).alpha).toMatchObject({ state: expected }));
  const told = async (type: string): Promise<readonly unknown[]> =>
    (await hostile.events(type)).map(({ level, about, ...row }) => ({ level, about, row }));
  await state('live');

  alpha.misbehave(MISBEHAVIOURS.reset);
  await state('unreachable');
  expect(await told('instance.unreachable')).toContainEqual({
    level: 'error',
    about: 'alpha',
    row: expect.objectContaining({ reason: expect.stringMatching(/\S/) }),
  });
  await hostile.get('/api/v1/work-items');
  // Partial reads are written together, up to a second late.
  await awaitState(async () =>
    expect(await told('aggregate.partial')).toContainEqual({
      level: 'debug',
      about: undefined,
      row: expect.objectContaining({ operation: 'tasks', left_out: ['alpha'] }),
    }),
  );

  alpha.behave();
  await state('live');
  expect(await told('instance.recovered')).toContainEqual(
    expect.objectContaining({ level: 'info', about: 'alpha' }),
  );

  alpha.misbehave(answerWith(200, { name: 'omega', role: 'worker' }), '/api/v1/instance');
  await state('mismatched');
  expect(await told('instance.mismatched')).toContainEqual({
    level: 'error',
    about: 'alpha',
    row: expect.objectContaining({ reported: 'omega', role: 'worker' }),
  });

  alpha.behave();
  await state('live');
  alpha.misbehave(MISBEHAVIOURS.oversized, '/graphql');
  await hostile.get('/api/v1/work-items');
  expect(await told('instance.malformed')).toContainEqual({
    level: 'error',
    about: 'alpha',
    row: expect.objectContaining({
      operation: expect.stringMatching(/\S/),
      reason: expect.stringMatching(/\S/),
    }),
  });
});

/*
 * Feature: Events of a fleet
 * Scenario: every operation but the health is told, with the member that it was sent to
 *   Requirement: spec/manager.md#N-observability
 *   Given a manager hq and its worker alpha, each a process of its own
 *   When the health, own rows, a row of alpha, and a member are asked for, registered and unregistered
 *   Then hq's log has an api.request at debug with method, path and status of each but the health, and alpha where it was asked
 *   And instance.registered and instance.unregistered name the member
 */
test('every operation but the health is told, with the member that it was sent to', async () => {
  const { url } = fleet;
  await get(url, '/api/v1/health');
  await get(url, '/api/v1/instance');
  await get(url, '/api/v1/instance?instance=alpha');
  await get(url, '/api/v1/work-items/one?ref=github:o/nothing%231');
  await post(url, '/api/v1/instances/register', { name: 'gamma', url: 'http://127.0.0.1:1' });
  await post(url, '/api/v1/instances/unregister', { name: 'gamma' });

  const expected = [
    { method: 'GET', path: '/api/v1/instance', status: 200 },
    { method: 'GET', path: '/api/v1/instance', status: 200, about: 'alpha' },
    { method: 'GET', path: '/api/v1/work-items/one', status: 404 },
    { method: 'POST', path: '/api/v1/instances/register', status: 200 },
    { method: 'POST', path: '/api/v1/instances/unregister', status: 200 },
  ];
  await awaitState(async () => {
    const rows = (await eventsOf(url, 'api.request')).filter(({ instance }) => instance === 'hq');
    expect(rows).toEqual(
      expect.arrayContaining(
        expected.map((row) => expect.objectContaining({ event: 'api.request', level: 'debug', ...row })),
      ),
    );
    expect(JSON.stringify(rows)).not.toContain('/api/v1/health');
  });
  for (const event of ['instance.registered', 'instance.unregistered']) {
    expect(await eventsOf(url, event)).toMatchObject([
      { event, level: 'info', instance: 'hq', about: 'gamma' },
    ]);
  }
});

/*
 * Feature: Abuse of the fleet
 * Scenario: proxied_write: configuration and restart of a member are in both logs, request and effect
 *   Requirement: spec/manager.md#A7
 *   Requirement: spec/manager.md#N-observability
 *   Requirement: spec/manager.md#T2
 *   Given a manager hq and its worker alpha, each a process of its own
 *   When alpha's configuration is written through hq, and alpha is restarted through hq
 *   Then hq's log has both requests with their status and alpha as the one whom they were sent to
 *   And alpha's log has a request of its own and the effect of each: config.updated with file and keys, restart.scheduled with process and log
 *   And hq has neither effect in its log
 */
test('proxied_write: configuration and restart of a member are in both logs, request and effect', async () => {
  const alpha = fleet.instance('alpha');
  const { pid } = alpha;
  const write = await post(fleet.url, '/api/v1/config', {
    patch: { tasks: { maxTurns: 33 } },
    instance: 'alpha',
  });
  expect(write.status).toBe(200);
  const restart = await post(fleet.url, '/api/v1/restart', { instance: 'alpha' });
  expect(restart.status).toBe(200);

  await awaitState(async () => {
    const types = (await eventsOf(alpha.url, 'restart.completed')).map(({ event }) => event);
    expect(types).toEqual(['restart.completed']);
  });
  expect(await eventsOf(alpha.url, 'config.updated')).toMatchObject([
    { level: 'info', path: expect.stringContaining(alpha.directory), keys: ['tasks.maxTurns'] },
  ]);
  expect(await eventsOf(alpha.url, 'restart.scheduled')).toMatchObject([
    { level: 'info', pid, logfile: expect.any(String) },
  ]);
  const ofAlpha = (await eventsOf(alpha.url, 'api.request')).filter(({ method }) => method === 'POST');
  expect(ofAlpha).toMatchObject([
    { level: 'debug', path: '/graphql', status: 200 },
    { level: 'debug', path: '/graphql', status: 200 },
  ]);
  await awaitState(async () => {
    const { events } = await readGraphQL(
      fleet.url,
      '{ events(last: 1000, filter: { types: ["api.request", "config.updated", "restart.*"] }) { nodes { instance type data } } }',
    );
    const ofHq = (events.nodes as { instance: string; type: string; data: Record<string, unknown> }[])
      .filter(({ instance, data }) => instance === 'hq' && data.instance === 'alpha' && data.method !== 'GET')
      .map(({ type, data }) => ({ type, path: data.path, status: data.status }));
    expect(ofHq).toEqual([
      { type: 'api.request', path: '/api/v1/config', status: 200 },
      { type: 'api.request', path: '/api/v1/restart', status: 200 },
    ]);
  });
});

async function get(url: string, path: string) {
  return exchange(url, { method: 'GET', path });
}

async function post(url: string, path: string, body: unknown) {
  return exchange(url, { method: 'POST', path, body: JSON.stringify(body) });
}

async function eventsOf(url: string, type: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { body } = await get(url, `/api/v1/events?limit=0&type=${type}`);
  return body;
}
