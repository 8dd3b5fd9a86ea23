/** Whom the manager talks to: addresses that are not ours, and members that are not who they should be (spec/manager.md § 22, A1 and A2). */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../lib/Clock.ts';
import { readFrames } from '../server/support/readFrames.ts';
import { openHostileFleet } from '../support/HostileFleet.ts';
import { answerWith, type RecordedRequest } from '../support/MemberServer.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

/** What a client sends that is nobody else's business. */
const CALLER_HEADERS = {
  cookie: 'session=of-the-caller',
  authorization: 'Bearer of-the-caller',
  'x-custom': 'of-the-caller',
  'x-forwarded-for': '203.0.113.7',
  connection: 'close, x-hop',
  'x-hop': 'of-the-caller',
  te: 'trailers',
};

/*
 * Feature: Abuse of the fleet
 * Scenario: foreign_url: an address that is not ours gets the probe and nothing else
 *   Requirement: spec/manager.md#A1
 *   Requirement: spec/manager.md#R6.1
 *   Requirement: spec/manager.md#T8
 *   Given a registered address where something else answers
 *   When lists, a task, its configuration and the stream are read through the manager, with headers of the caller's own
 *   Then it has seen the request of the probe and no other path, with no header but those of the probe
 *   And a redirect of it was not followed, its row is not live, and nothing of its page is shown or logged
 */
test.each([
  {
    what: 'a page',
    status: 200,
    headers: { 'content-type': 'text/html' },
    state: 'unreachable',
    detail: /not JSON/,
  },
  { what: 'another service', status: 404, state: 'mismatched', detail: /not an instance of this product/ },
  { what: 'a service behind a login', status: 401, state: 'unreachable', detail: /HTTP 401/ },
  { what: 'a redirect', status: 302, isRedirect: true, state: 'unreachable', detail: /HTTP 302/ },
])('foreign_url: an address that is not ours gets the probe and nothing else', async (page) => {
  await using trap = await openStranger((_request, response) => response.end('{}'));
  await using stranger = await openStranger((_request, response) => {
    const location = page.isRedirect ? { location: `${trap.url}/api/v1/instance` } : {};
    response.writeHead(page.status, { ...page.headers, ...location }).end('<h1>intranet-4711</h1>');
  });
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'] },
    strangers: [{ name: 'stranger', url: `${stranger.url}/base` }],
  });

  const answers = [
    await fleet.get('/api/v1/work-items', CALLER_HEADERS),
    await fleet.get('/api/v1/sessions', CALLER_HEADERS),
    await fleet.get('/api/v1/events', CALLER_HEADERS),
    await fleet.get('/api/v1/events/types', CALLER_HEADERS),
    await fleet.get('/api/v1/work-items/one?ref=github:o/r%23404', CALLER_HEADERS),
    await fleet.get('/api/v1/instance?instance=stranger', CALLER_HEADERS),
    await fleet.post('/graphql', { query: '{ config(instance: "stranger") { path } }' }, CALLER_HEADERS),
    await fleet.post(
      '/graphql',
      { query: 'mutation { updateConfig(patch: {}, instance: "stranger") { written } }' },
      CALLER_HEADERS,
    ),
    await fleet.get('/api/v1/instances', CALLER_HEADERS),
  ];
  using frames = await readFrames(`${fleet.url}/api/v1/stream`, { cookie: CALLER_HEADERS.cookie });
  await fleet.worker('alpha').ask('mutation { sendMessage(ref: "github:o/r#1", text: "hello") { ref } }');
  await frames.take(1);

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404, 502, 200, 200, 200]);
  expect(answers[6]?.body.errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE' } }]);
  expect(answers[7]?.body.errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE' } }]);
  expect(stranger.requests.length).toBeGreaterThan(0);
  for (const { method, path, headers } of stranger.requests) {
    expect(`${method} ${path}`).toBe('GET /base/api/v1/instance');
    expect(headers).toEqual({
      host: new URL(stranger.url).host,
      connection: 'keep-alive',
      accept: 'application/json',
    });
  }
  expect(trap.requests).toEqual([]);
  const { stranger: row } = await fleet.states();
  expect(row).toMatchObject({ state: page.state, detail: expect.stringMatching(page.detail) });
  for (const { text } of answers) expect(text).not.toContain('intranet-4711');
  expect(frames.text()).not.toContain('stranger');
  expect(fleet.operatorLog).not.toContain('intranet-4711');
});

/*
 * Feature: Abuse of the fleet
 * Scenario: foreign_url: an address at which no member is gets no connection, however it is written
 *   Requirement: spec/manager.md#A1
 *   Given members that are registered at the metadata address of a cloud, written in several ways
 *   When the fleet is read
 *   Then each is unreachable at once, with a reason that names the key that would allow it and not the address
 */
test('foreign_url: an address at which no member is gets no connection, however it is written', async () => {
  const hosts = [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '0.0.0.0',
    '[::]',
    '224.0.0.1',
  ];
  await using fleet = await openHostileFleet({
    strangers: hosts.map((host, index) => ({ name: `m${index}`, url: `http://${host}:4114` })),
    manager: { timeoutSeconds: 30 },
  });

  const { durationMs } = await fleet.get('/api/v1/work-items');
  const { hq, ...rows } = await fleet.states();

  // Who waits for a connection waits for half a minute, or half of that.
  expect(durationMs).toBeLessThan(5000);
  for (const [index, host] of hosts.entries()) {
    expect(rows[`m${index}`], host).toMatchObject({
      state: 'unreachable',
      detail: 'its address is refused, see instance.manager.allowAddresses',
    });
  }
  expect(JSON.stringify(await fleet.events('instance.unreachable'))).not.toMatch(/169\.254|http:/);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: foreign_url: an operator may allow an address, from the next connection on
 *   Requirement: spec/manager.md#A1
 *   Requirement: spec/manager.md#R1.4
 *   Given a member that is registered at an address that is refused by default
 *   When the configuration is changed to allow its range
 *   Then it had no request before, and is live with its tasks afterwards, without a restart
 */
test('foreign_url: an operator may allow an address, from the next connection on', async () => {
  await using other = await openHostileFleet({ members: { alpha: ['github:o/r#1'] } });
  const { port } = new URL(other.server('alpha').url);
  const before = other.server('alpha').requests.length;
  await using fleet = await openHostileFleet({
    strangers: [{ name: 'alpha', url: `http://0.0.0.0:${port}` }],
    manager: { probeIntervalSeconds: 1 },
  });
  expect((await fleet.states()).alpha?.state).toBe('unreachable');
  expect(
    other
      .server('alpha')
      .requests.slice(before)
      .map(({ headers }) => headers.host),
  ).not.toContain(`0.0.0.0:${port}`);

  const update = 'mutation ($patch: JSON!) { updateConfig(patch: $patch) { changed restartRequired } }';
  const { body } = await fleet.ask(update, {
    patch: { instance: { manager: { allowAddresses: ['0.0.0.0/8'] } } },
  });

  expect(body.data.updateConfig).toEqual({
    changed: ['instance.manager.allowAddresses'],
    restartRequired: [],
  });
  await expect.poll(async () => (await fleet.states()).alpha?.state, { timeout: 10_000 }).toBe('live');
  expect((await fleet.get('/api/v1/work-items')).body).toMatchObject([
    { ref: 'github:o/r#1', instance: 'alpha' },
  ]);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: mismatched_member: a worker without a name is no member until it has the name that the guide says to give it
 *   Requirement: spec/manager.md#R6.2
 *   Given a worker that has no name, registered as alpha, and the guide that says to name it first
 *   When it is read, and again once its configuration has the name
 *   Then it is mismatched and shown as unnamed, and then it is live
 */
test('mismatched_member: a worker without a name is no member until it has the name that the guide says to give it', async () => {
  await using worker = await RunningInstance.start('instance: { role: worker }');
  await using hq = await RunningInstance.start(
    `instance: { name: hq, role: manager, manager: { probeIntervalSeconds: 1, instances: [{ name: alpha, url: '${worker.url}' }] } }`,
  );
  const alpha = async () => (await hq.rows()).find(({ name }) => name === 'alpha');
  expect(await alpha()).toMatchObject({ state: 'mismatched', detail: expect.stringContaining('(unnamed)') });

  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/python-members.md'), 'utf8');
  expect(guide).toMatch(/without a name\s+answers as nobody and is `mismatched`: name it first/);
  worker.write('instance: { role: worker, name: alpha }');

  await expect.poll(async () => (await alpha())?.state, { timeout: 10_000 }).toBe('live');
});

/*
 * Feature: Abuse of the fleet
 * Scenario: mismatched_member: who answers to another name is neither served nor sent to
 *   Requirement: spec/manager.md#A2
 *   Requirement: spec/manager.md#R6.1
 *   Requirement: spec/manager.md#R6.2
 *   Given alpha, which was live, and at whose address another name, no name, or a manager answers now
 *   When lists are read and its tasks are asked for with and without its name
 *   Then its rows are in no list, its refs are 404, with its name it is 502, and one event tells both names
 *   And nothing but the request of the probe has reached it
 */
test.each([
  { what: 'another name', identity: { name: 'omega' }, reported: 'omega', role: 'worker' },
  { what: 'no name', identity: { name: '' }, reported: '(unnamed)', role: 'worker' },
  { what: 'a manager', identity: { name: 'alpha', role: 'manager' }, reported: 'alpha', role: 'manager' },
])('mismatched_member: who answers to another name is neither served nor sent to', async (answer) => {
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'], beta: ['github:o/r#2'] },
    manager: { probeIntervalSeconds: 1 },
  });
  const alpha = fleet.server('alpha');
  expect((await fleet.get('/api/v1/work-items')).body).toHaveLength(2);
  const document = await fleet.worker('alpha').worker.identity();

  alpha.misbehave(answerWith(200, { role: 'worker', ...document, ...answer.identity }), '/api/v1/instance');
  await expect.poll(async () => (await fleet.states()).alpha?.state, { timeout: 10_000 }).toBe('mismatched');
  const before = alpha.requests.length;

  await expectNothingOfAlpha(fleet);
  expect(pathsOf(alpha.requests.slice(before))).toSatisfy((paths: string[]) =>
    paths.every((path) => path === 'GET /api/v1/instance'),
  );
  expect(await fleet.events('instance.mismatched')).toMatchObject([
    { about: 'alpha', instance: 'hq', reported: answer.reported, role: answer.role },
  ]);
  const { alpha: row } = await fleet.states();
  expect(row?.detail).toContain(`answers as ${answer.reported}`);
  expect(row?.detail).toContain('registered as alpha');

  alpha.behave();
  await expect.poll(async () => (await fleet.states()).alpha?.state, { timeout: 10_000 }).toBe('live');
  expect(await fleet.events('instance.recovered')).toHaveLength(1);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: mismatched_member: trust ends with its interval and begins with a name
 *   Requirement: spec/manager.md#R6.1
 *   Given a live member whose last probe is older than the interval
 *   When a list is read
 *   Then the first thing that it is asked is its name, and only then for its rows
 */
test('mismatched_member: trust ends with its interval and begins with a name', async () => {
  let passedMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs };
  await using fleet = await openHostileFleet({ members: { alpha: ['github:o/r#1'] }, clock });
  await fleet.get('/api/v1/work-items');
  const alpha = fleet.server('alpha');
  passedMs = 3_600_000;
  const before = alpha.requests.length;

  expect((await fleet.get('/api/v1/work-items')).body).toHaveLength(1);

  expect(pathsOf(alpha.requests.slice(before))).toEqual([
    'GET /api/v1/instance',
    'GET /api/v1/health',
    'POST /graphql',
  ]);
});

async function expectNothingOfAlpha(fleet: Awaited<ReturnType<typeof openHostileFleet>>): Promise<void> {
  for (const path of ['/api/v1/work-items', '/api/v1/sessions', '/api/v1/events?limit=0']) {
    const { status, headers, body } = await fleet.get(path);
    expect(status).toBe(200);
    expect(headers['the-loop-instances-unreachable']).toBe('alpha');
    expect(body.map(({ instance }: { instance: string }) => instance)).not.toContain('alpha');
  }
  const ref = encodeURIComponent('github:o/r#1');
  expect((await fleet.get(`/api/v1/work-items/one?ref=${ref}`)).status).toBe(404);
  expect((await fleet.get(`/api/v1/work-items/one?ref=${ref}&instance=alpha`)).status).toBe(502);
  const reply = { ref: 'github:o/r#1', text: 'hello', instance: 'alpha' };
  expect((await fleet.post('/api/v1/sessions/reply', reply)).status).toBe(502);
}

function pathsOf(requests: readonly RecordedRequest[]): string[] {
  return requests.map(({ method, path }) => `${method} ${path}`);
}

interface Stranger extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
}

/** A server that records what it is asked. */
async function openStranger(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Stranger> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
