/** What a manager's log tells of its members, cell by cell (spec/manager.md §§ 5.3, 21). */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../support/FakeClock.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

const INTERVAL_MS = 15_000;

type State = 'live' | 'unreachable' | 'mismatched';

/** What a member answers to its probe in each state. */
const ANSWERS: Readonly<Record<State, (response: ServerResponse) => void>> = {
  live: (response) => response.end('{"name":"alpha","version":"1"}'),
  unreachable: (response) => response.destroy(),
  mismatched: (response) => response.end('{"name":"beta","role":"worker"}'),
};

const UNREACHABLE = { event: 'instance.unreachable', level: 'error', reason: expect.any(String) };
const MISMATCHED = { event: 'instance.mismatched', level: 'error', reported: 'beta', role: 'worker' };
const RECOVERED = { event: 'instance.recovered', level: 'info' };

let clock: FakeClock;
let hq: RunningInstance;
let member: Awaited<ReturnType<typeof openMember>>;

beforeEach(async () => {
  clock = new FakeClock();
  member = await openMember();
  hq = await RunningInstance.start('instance: { name: hq, role: manager }', { clock });
});

afterEach(async () => {
  await hq?.[Symbol.asyncDispose]();
  await member?.[Symbol.asyncDispose]();
});

/*
 * Feature: Probe
 * Scenario: each change of a member's state is told once, and no other probe is
 *   Requirement: spec/manager.md#R3.4
 *   Requirement: spec/manager.md#T1
 *   Given a manager whose last probe found its member in one state, or that has not probed it yet
 *   When the member is probed again in the same or in another state
 *   Then the fleet shows the new state, and the log has the event of this change, or none
 *   And two more probes in the same state add nothing
 *   And no event has the address of the member
 */
test.each<{ before: State | undefined; now: State; told: readonly object[] }>([
  { before: undefined, now: 'live', told: [] },
  { before: undefined, now: 'unreachable', told: [UNREACHABLE] },
  { before: undefined, now: 'mismatched', told: [MISMATCHED] },
  { before: 'live', now: 'live', told: [] },
  { before: 'live', now: 'unreachable', told: [UNREACHABLE] },
  { before: 'live', now: 'mismatched', told: [MISMATCHED] },
  { before: 'unreachable', now: 'live', told: [RECOVERED] },
  { before: 'unreachable', now: 'unreachable', told: [] },
  { before: 'unreachable', now: 'mismatched', told: [MISMATCHED] },
  { before: 'mismatched', now: 'live', told: [RECOVERED] },
  { before: 'mismatched', now: 'unreachable', told: [UNREACHABLE] },
  { before: 'mismatched', now: 'mismatched', told: [] },
])("each change of a member's state is told once, and no other probe is", async ({ before, now, told }) => {
  member.state = before ?? now;
  await hq.post('/instances/register', { name: 'alpha', url: member.url });
  if (before) expect(await probe()).toBe(before);
  const earlier = before ? (await toldSoFar()).length : 0;

  member.state = now;
  const probes = [await probe(), await probe(), await probe()];

  expect(probes).toEqual([now, now, now]);
  const events = (await toldSoFar()).slice(earlier);
  expect(events).toMatchObject(told.map((event) => ({ ...event, instance: 'hq', about: 'alpha' })));
  expect(events).toHaveLength(told.length);
  expect(JSON.stringify(events)).not.toContain('127.0.0.1');
});

/*
 * Feature: Probe
 * Scenario: a list without a member is told at debug, with the names that are missing
 *   Requirement: spec/manager.md#R3.4
 *   Requirement: spec/manager.md#R2.9
 *   Given a manager whose only member answers to another name
 *   When the work items, the health and a document of the member are read
 *   Then the list is the own rows with 200 and the header, and one "aggregate.partial" at debug names the member
 *   And the health is degraded and names it, and the document is 502 with the reason
 */
test('a list without a member is told at debug, with the names that are missing', async () => {
  member.state = 'mismatched';
  await hq.post('/instances/register', { name: 'alpha', url: member.url });

  const items = await hq.get('/work-items');
  const { body: partial } = await hq.get('/events?type=aggregate.partial&limit=0');
  const health = await hq.get('/health');
  const document = await hq.get('/instance?instance=alpha');

  expect(items).toMatchObject({ status: 200, body: [] });
  expect(items.headers.get('the-loop-instances-unreachable')).toBe('alpha');
  expect(partial).toMatchObject([{ level: 'debug', operation: 'tasks', left_out: ['alpha'] }]);
  expect(health).toMatchObject({
    status: 200,
    body: { status: 'degraded', instances: [{ name: 'alpha', state: 'mismatched' }] },
  });
  expect(document).toMatchObject({
    status: 502,
    body: { instance: 'alpha', detail: expect.stringMatching(/mismatched.*beta/) },
  });
});

/** Reads the fleet when the last probe is no longer fresh, until it shows a newer one: nobody waits for a member that is down. */
async function probe(): Promise<unknown> {
  clock.advance(INTERVAL_MS);
  let row: Readonly<Record<string, unknown>> | undefined;
  await expect
    .poll(async () => {
      row = (await hq.rows())[1];
      return Date.parse(String(row?.probedAt));
    })
    .toBe(Math.floor(clock.nowMs() / 1_000) * 1_000);
  return row?.state;
}

/** What the log says of the states of members. */
async function toldSoFar(): Promise<readonly object[]> {
  const types = ['unreachable', 'mismatched', 'recovered'];
  return (await hq.get(`/events?limit=0&${types.map((type) => `type=instance.${type}`).join('&')}`)).body;
}

/** Answers probes as its state has it. */
async function openMember() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    ANSWERS[opened.state](response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const opened = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'live' as State,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return opened;
}
