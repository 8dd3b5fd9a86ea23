/** The configuration file of an instance as an operator meets it (spec/manager.md §§ 2, 3). */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { readContract } from '../../server/rest/readContract.ts';
import { readFrames } from '../server/support/readFrames.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/*
 * Feature: Configuration
 * Scenario: the schema that an instance serves accepts the whole block and nothing beside it
 *   Requirement: spec/manager.md#R1.1
 *   Requirement: spec/manager.md#M2
 *   Requirement: spec/manager.md#T1
 *   Given a running instance and the schema that is published with the sources
 *   When the schema is read from the instance and applied to blocks with and without a fault
 *   Then it is the published one, with the defaults 10 and 15
 *   And it accepts the full block, and refuses unknown keys, a missing url or name, another scheme, another role and numbers below 1
 */
test('the schema that an instance serves accepts the whole block and nothing beside it', async () => {
  await using alpha = await RunningInstance.start('instance: { name: alpha }');
  const { data } = await alpha.ask('{ configSchema }');
  const published = new URL('../../schema/generated/config.schema.json', import.meta.url);
  expect(data.configSchema).toEqual(JSON.parse(readFileSync(published, 'utf8')));
  const { manager } = data.configSchema.properties.instance.properties;
  expect(manager.properties).toMatchObject({
    timeoutSeconds: { default: 10, minimum: 1 },
    probeIntervalSeconds: { default: 15, minimum: 1 },
  });

  const accepts = new Ajv2020({ strict: false }).compile(data.configSchema);
  const member = { name: 'alpha', url: 'https://alpha.test/x' };
  const full = {
    name: 'hq',
    role: 'manager',
    scope: { mode: 'addressed', workItems: ['github:o/r#1'] },
    manager: { instances: [member], timeoutSeconds: 1, probeIntervalSeconds: 15 },
  };
  expect(accepts({ instance: full })).toBe(true);
  expect(accepts({})).toBe(true);
  for (const fault of [
    { ...full, role: 'manger' },
    { ...full, name: 'HQ' },
    { ...full, scope: { mode: 'closed' } },
    { ...full, other: 1 },
    { ...full, manager: { other: 1 } },
    { ...full, manager: { timeoutSeconds: 0.5 } },
    { ...full, manager: { probeIntervalSeconds: 0 } },
    ...[
      { name: 'alpha' },
      { url: member.url },
      { ...member, url: 'ftp://alpha.test' },
      { ...member, other: 1 },
    ].map((entry) => ({ ...full, manager: { instances: [entry] } })),
  ])
    expect(accepts({ instance: fault }), JSON.stringify(fault)).toBe(false);
});

/*
 * Feature: Configuration
 * Scenario: a number that is out of range or none is narrowed with a warning
 *   Requirement: spec/manager.md#R1.1
 *   Requirement: spec/manager.md#T1
 *   Given a manager whose timeout or probe interval is below 1, or no number
 *   When it is started
 *   Then it runs, and one warning names the key and what is used instead, and not the value
 */
test.each([
  { key: 'timeoutSeconds', value: '0.4711', used: '1 is used' },
  { key: 'timeoutSeconds', value: '-4711', used: '1 is used' },
  { key: 'timeoutSeconds', value: 'x4711', used: 'the default is used' },
  { key: 'timeoutSeconds', value: '.nan', used: 'the default is used' },
  { key: 'probeIntervalSeconds', value: '0', used: '1 is used' },
  { key: 'probeIntervalSeconds', value: '[4711]', used: 'the default is used' },
])('a number that is out of range or none is narrowed with a warning', async ({ key, value, used }) => {
  await using hq = await RunningInstance.start(
    `instance:\n  name: hq\n  role: manager\n  manager:\n    ${key}: ${value}\n`,
  );

  expect(hq.warnings).toEqual([expect.stringContaining(`instance.manager.${key}`)]);
  expect(hq.warnings[0]).toContain(used);
  expect(hq.log).not.toContain('4711');
  expect((await hq.get('/instance')).body).toMatchObject({ name: 'hq', role: 'manager' });
});

/*
 * Feature: Configuration
 * Scenario: an entry of the registry that breaks a rule is skipped by its place, and its neighbours stay
 *   Requirement: spec/manager.md#R1.6
 *   Requirement: spec/manager.md#T1
 *   Given a manager whose registry has an entry that breaks a rule between two that break none
 *   When it is started, and the same entry is written by hand into the file of one that runs
 *   Then both have the two neighbours as members
 *   And one warning names the entry by its index, and nothing that is logged has its value
 */
test.each([
  { rule: 'V1', entry: 'secret' },
  { rule: 'V1', entry: '[secret]' },
  { rule: 'V1', entry: '{ name: secret }' },
  { rule: 'V1', entry: '{ url: "http://secret.test" }' },
  { rule: 'V2', entry: '{ name: Secret, url: "http://secret.test" }' },
  { rule: 'V2', entry: '{ name: -secret, url: "http://secret.test" }' },
  { rule: 'V3', entry: '{ name: hq, url: "http://secret.test" }' },
  { rule: 'V4', entry: '{ name: first, url: "http://secret.test" }' },
  { rule: 'V5', entry: '{ name: other, url: "secret.test" }' },
  { rule: 'V5', entry: '{ name: other, url: "ftp://secret.test" }' },
  { rule: 'V5', entry: '{ name: other, url: "http:///secret" }' },
  { rule: 'V5', entry: '{ name: other, url: "http://me:secret@h.test" }' },
  { rule: 'V5', entry: '{ name: other, url: "http://h.test?secret" }' },
  { rule: 'V5', entry: '{ name: other, url: "http://h.test#secret" }' },
  { rule: 'V6', entry: '{ name: secret, url: "http://127.0.0.1:4711/" }' },
])(
  'an entry of the registry that breaks a rule is skipped by its place, and its neighbours stay',
  async ({ entry }) => {
    const entries = (...middle: readonly string[]): string =>
      [
        'service: { port: 4711 }\n',
        'instance:\n  name: hq\n  role: manager\n  manager:\n    instances:\n',
        '      - { name: first, url: "http://127.0.0.1:9/1" }\n',
        ...middle.map((text) => `      - ${text}\n`),
        '      - { name: last, url: "http://127.0.0.1:9/2" }\n',
      ].join('');
    const told = expect.stringContaining('instance.manager.instances[1]');
    const names = async (): Promise<unknown> => (await hq.rows()).map(({ name }) => name);

    await using hq = await RunningInstance.start(entries(entry));
    expect(await names()).toEqual(['hq', 'first', 'last']);
    expect(hq.warnings).toEqual([told]);

    hq.write(entries());
    expect(await names()).toEqual(['hq', 'first', 'last']);
    hq.write(entries(entry));
    expect(await names()).toEqual(['hq', 'first', 'last']);
    expect(hq.warnings).toEqual([told, told]);
    expect(hq.log.toLowerCase()).not.toContain('secret');
  },
);

/*
 * Feature: Configuration
 * Scenario: an instance without a role is a worker in everything that it answers
 *   Requirement: spec/manager.md#R1.2
 *   Requirement: spec/manager.md#N-compat
 *   Requirement: spec/manager.md#M1
 *   Requirement: spec/manager.md#T10
 *   Given a worker, and instances whose role is absent, null or empty, all at the same time of the same clock
 *   When each is asked by every operation of the contract, and for its graph
 *   Then the answers are those of the worker, byte for byte but for the address and the directory
 */
test.each([{ role: undefined }, { role: 'null' }, { role: '""' }])(
  'an instance without a role is a worker in everything that it answers',
  async ({ role }) => {
    const yaml = (text: string | undefined): string =>
      `instance:\n  name: alpha\n${text === undefined ? '' : `  role: ${text}\n`}`;
    await using worker = await RunningInstance.start(yaml('worker'), { clock: new FakeClock() });
    await using other = await RunningInstance.start(yaml(role), { clock: new FakeClock() });

    expect(await everyAnswer(other)).toEqual(await everyAnswer(worker));
    expect(other.warnings).toEqual([]);
  },
);

/*
 * Feature: Configuration
 * Scenario: what is hot is in force with the next request, and a change of role waits for a restart
 *   Requirement: spec/manager.md#R1.4
 *   Requirement: spec/manager.md#N-reload
 *   Requirement: spec/manager.md#T1
 *   Given a manager that waits long and probes seldom, with a member that answers
 *   When its timeout is lowered by hand and a member that hangs is registered, its interval is lowered over GraphQL, and its role is changed
 *   Then the hanging member is given up after the new timeout
 *   And the other is probed again after the new interval, and not before it was changed
 *   And the change of role is answered as one for a restart, and the manager stays one until then
 */
test('what is hot is in force with the next request, and a change of role waits for a restart', async () => {
  let probes = 0;
  await using alpha = await listen((request, response) => {
    if (request.url === '/api/v1/instance') probes += 1;
    response.setHeader('content-type', 'application/json').end('{"name":"alpha","version":"1"}');
  });
  await using hung = await listen(() => undefined);
  const yaml = (timeoutSeconds: number): string =>
    `instance:\n  name: hq\n  role: manager\n  manager:\n    timeoutSeconds: ${timeoutSeconds}\n` +
    `    probeIntervalSeconds: 3600\n    instances:\n      - { name: alpha, url: "${alpha.url}" }\n`;
  await using hq = await RunningInstance.start(yaml(3000));
  await hq.rows();
  await hq.rows();
  expect(probes).toBe(1);

  hq.write(yaml(1));
  await hq.post('/instances/register', { name: 'hung', url: hung.url });
  expect((await hq.rows()).at(-1)).toMatchObject({
    name: 'hung',
    state: 'unreachable',
    detail: 'timed out',
  });
  expect(probes).toBe(1);

  const update = 'mutation ($patch: JSON!) { updateConfig(patch: $patch) { changed restartRequired } }';
  const interval = await hq.ask(update, { patch: { instance: { manager: { probeIntervalSeconds: 1 } } } });
  expect(interval.data.updateConfig).toEqual({
    changed: ['instance.manager.probeIntervalSeconds'],
    restartRequired: [],
  });
  while (probes === 1) await hq.rows();

  const role = await hq.ask(update, { patch: { instance: { role: 'worker' } } });
  expect(role.data.updateConfig).toEqual({ changed: ['instance.role'], restartRequired: ['instance.role'] });
  expect((await hq.get('/instance')).body.role).toBe('manager');
  expect(await hq.rows()).toHaveLength(3);
  await hq.stop();
  await hq.start();
  expect((await hq.get('/instance')).body.role).toBe('worker');
  expect(await hq.rows()).toHaveLength(1);
});

/*
 * Feature: Configuration
 * Scenario: a worker that becomes a manager answers its clients as before, and says whose its rows are
 *   Requirement: spec/manager.md#M11
 *   Requirement: spec/manager.md#N-compat
 *   Given a worker with a task, and what it answers
 *   When its role is changed by hand and it is started again
 *   Then each answer has what it had before, and each row its name
 */
test('a worker that becomes a manager answers its clients as before, and says whose its rows are', async () => {
  const yaml = (role: string): string => `instance: { name: alpha, role: ${role} }\n`;
  await using alpha = await RunningInstance.start(yaml('worker'));
  const ref = 'github:o/r#1';
  await alpha.ask('mutation ($ref: ID!) { createTask(input: { goal: "g", ref: $ref }) { ref } }', { ref });
  const query = `?ref=${encodeURIComponent(ref)}`;
  const answers = async () => {
    const of = async (path: string) => {
      const { status, body } = await alpha.get(path);
      return { status, body };
    };
    return {
      lists: [await of('/work-items'), await of('/sessions'), await of('/events?type=task.created')],
      keyed: [await of(`/work-items/one${query}`), await of(`/sessions/one${query}`)],
      missing: await of('/work-items/one?ref=github:o/none%231'),
      graph: (await alpha.ask('{ tasks { nodes { instance ref state version } } config { path } }')).data,
    };
  };
  const before = await answers();

  alpha.write(yaml('manager'));
  await alpha.stop();
  await alpha.start();

  expect((await alpha.get('/instance')).body.role).toBe('manager');
  const after = await answers();
  expect(after).toMatchObject(before);
  for (const { body } of [...after.lists, ...after.keyed]) {
    expect([body].flat()).toEqual([expect.objectContaining({ instance: 'alpha' })]);
  }
});

/*
 * Feature: Configuration
 * Scenario: a manager that gets another name is that one in everything, from the next request on
 *   Requirement: spec/manager.md#R1.4
 *   Given a manager hq with a task, and a client that reads its stream
 *   When its name is changed by hand to hall
 *   Then rows, documents and refs are hall's, and the instance hq is not found
 *   And the client is told once that it has to read again, and then of what happens under the new name
 */
test('a manager that gets another name is that one in everything, from the next request on', async () => {
  const yaml = (name: string): string => `instance: { name: ${name}, role: manager }\n`;
  await using hq = await RunningInstance.start(yaml('hq'));
  const ref = 'github:o/r#1';
  await hq.ask('mutation ($ref: ID!) { createTask(input: { goal: "g", ref: $ref }) { ref } }', { ref });
  using frames = await readFrames(`${hq.url}/api/v1/stream`);

  hq.write(yaml('hall'));

  const { data } = await hq.ask(
    '{ instance { name managed { instance } } instances { name } tasks { nodes { instance owner { name } } } }',
  );
  expect(data).toEqual({
    instance: { name: 'hall', managed: [{ instance: 'hall' }] },
    instances: [{ name: 'hall' }],
    tasks: { nodes: [{ instance: 'hall', owner: { name: 'hall' } }] },
  });
  const keyed = 'query ($ref: ID!, $instance: String) { task(ref: $ref, instance: $instance) { instance } }';
  expect((await hq.ask(keyed, { ref, instance: 'hall' })).data).toEqual({ task: { instance: 'hall' } });
  expect((await hq.ask(keyed, { ref, instance: 'hq' })).errors).toMatchObject([
    { extensions: { code: 'NOT_FOUND' } },
  ]);
  await hq.ask('mutation ($ref: ID!) { cancelTask(ref: $ref) { ref } }', { ref });
  const [desync, log] = await frames.take(2);
  expect(desync?.event).toBe('desync');
  expect(JSON.parse(desync?.data ?? '')).toMatchObject({ reason: 'rotated' });
  expect(log).toMatchObject({ event: 'log', id: expect.stringMatching(/^hall=\d+$/) });
  expect(JSON.parse(log?.data ?? '')).toMatchObject({ instance: 'hall', work_item: ref });
});

/** Every answer of the contract that is no stream, and the graph's own; what differs by where an instance runs is left out. */
async function everyAnswer(instance: RunningInstance): Promise<Readonly<Record<string, unknown>>> {
  const ref = encodeURIComponent('github:o/r#1');
  const body = { ref: 'github:o/r#1', text: 'go on', verb: 'pause', name: 'beta', url: 'http://beta.test' };
  const answers: Record<string, unknown> = {};
  for (const { operationId, method, path, answer } of readContract().operations) {
    if (answer === undefined) continue;
    const route = path.replace(/^\/api\/v1/, '');
    const { status, body: document } =
      method === 'GET' ? await instance.get(`${route}?ref=${ref}`) : await instance.post(route, body);
    // The file as it was written holds the role, or holds none.
    if (document?.config) delete document.config.instance;
    answers[operationId] = { status, document };
  }
  const graph =
    '{ __schema { types { name fields { name } } } config { config } health { role } instances { role } }';
  answers.graph = (await instance.ask(graph)).data;
  delete (answers.graph as { config?: unknown }).config;
  return JSON.parse(
    JSON.stringify(answers)
      .replaceAll(instance.url, 'URL')
      .replaceAll(instance.directory, 'DIRECTORY')
      .replaceAll(UUID, 'ID'),
  );
}

/** Somebody at a free port. */
async function listen(answer: RequestListener): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
