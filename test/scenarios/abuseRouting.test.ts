/** Who is asked to do what: refs of several, instances of nobody, writes that should be traced (spec/manager.md § 22, A5 to A8). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { eventually } from '../support/eventually.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { createTask } from '../support/taskClient.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const ROOT = join(import.meta.dirname, '../..');
const TWIN = 'github:o/twin#1';

/*
 * Feature: Abuse of the fleet
 * Scenario: ambiguous_ref: a write on a ref that two members hold is sent to neither
 *   Requirement: spec/manager.md#A5
 *   Given alpha and beta that both hold the ref, with fresh probes
 *   When it is replied to, stopped, closed, completed or given a command, over REST or GraphQL, without an instance
 *   Then it is refused with both names, and neither has had a mutation
 *   And with an instance that one has exactly one request, and the other none
 */
test.each<{
  what: string;
  send: (fleet: HostileFleet, instance?: string) => ReturnType<HostileFleet['post']>;
}>([
  {
    what: 'reply',
    send: ({ post }, instance) => post('/api/v1/sessions/reply', { ref: TWIN, text: 'hello', instance }),
  },
  {
    what: 'stop',
    send: ({ post }, instance) => post('/api/v1/sessions/control', { ref: TWIN, verb: 'stop', instance }),
  },
  { what: 'close', send: ({ post }, instance) => post('/api/v1/sessions/close', { ref: TWIN, instance }) },
  { what: 'sendMessage', send: mutate('sendMessage(ref: $ref, instance: $instance, text: "hello") { ref }') },
  {
    what: 'runCommand',
    send: mutate('runCommand(ref: $ref, instance: $instance, text: "/status") { ok }'),
  },
  { what: 'completeTask', send: mutate('completeTask(ref: $ref, instance: $instance) { state }') },
  { what: 'cancelTask', send: mutate('cancelTask(ref: $ref, instance: $instance) { state }') },
])('ambiguous_ref: a write on a ref that two members hold is sent to neither', async ({ send }) => {
  await using fleet = await openHostileFleet({ members: { alpha: [TWIN], beta: [TWIN] } });
  await fleet.states();

  const refused = await send(fleet);

  const told = refused.body.errors?.[0]?.extensions ?? refused.body;
  expect(told).toMatchObject({ candidates: ['alpha', 'beta'] });
  if (refused.body.errors) expect(told.code).toBe('CONFLICT');
  else expect(refused.status).toBe(409);
  expect(mutations(fleet)).toEqual({ alpha: 0, beta: 0 });
  const before = counts(fleet);

  const done = await send(fleet, 'beta');

  expect([done.status, done.body.errors]).toEqual([200, undefined]);
  expect(counts(fleet)).toEqual({ ...before, beta: (before.beta ?? 0) + 1 });
  expect(mutations(fleet)).toEqual({ alpha: 0, beta: 1 });
});

/*
 * Feature: Abuse of the fleet
 * Scenario: unknown_instance: a name that nobody has is compared and never becomes part of a request
 *   Requirement: spec/manager.md#A6
 *   Given a manager with the live member alpha
 *   When reads and writes name an instance that is a path, a URL, a name in another case, a key of an object, or just unknown
 *   Then each is 404 and alpha has had no request
 */
test.each([
  'gamma',
  'ALPHA',
  'alpha ',
  'alpha/',
  '../alpha',
  '..%2falpha',
  'alpha@evil.example',
  'http://127.0.0.1:1/',
  '__proto__',
  'constructor',
  'alpha\r\nHost: evil.example',
  'a'.repeat(5000),
])(
  'unknown_instance: a name that nobody has is compared and never becomes part of a request',
  async (instance) => {
    await using fleet = await openHostileFleet({ members: { alpha: ['github:o/r#1'] } });
    await fleet.states();
    const before = counts(fleet);
    const query = `instance=${encodeURIComponent(instance)}`;
    const ref = 'github:o/r#1';

    const answers = [
      await fleet.get(`/api/v1/work-items/one?ref=${encodeURIComponent(ref)}&${query}`),
      await fleet.get(`/api/v1/instance?${query}`),
      await fleet.get(`/api/v1/health?${query}`),
      await fleet.post('/api/v1/sessions/reply', { ref, text: 'hello', instance }),
      await fleet.post('/api/v1/sessions/control', { ref, verb: 'stop', instance }),
    ];
    const graph = [
      await fleet.ask('query ($instance: String) { config(instance: $instance) { path } }', { instance }),
      await fleet.ask(
        'mutation ($instance: String) { updateConfig(patch: {}, instance: $instance) { written } }',
        {
          instance,
        },
      ),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    for (const { body } of graph) expect(body.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(counts(fleet)).toEqual(before);
  },
);

/*
 * Feature: Abuse of the fleet
 * Scenario: foreign_instance: a worker answers for itself and for nobody else
 *   Requirement: spec/manager.md#A6
 *   Given the worker alpha, and an unnamed worker
 *   When they are asked for a task, their configuration, a reply or a change of it on behalf of another instance
 *   Then it is 404 and names the instance, nothing was done, and for their own name or none it is answered
 */
test('foreign_instance: a worker answers for itself and for nobody else', async () => {
  using directory = temporaryDirectory();
  await using alpha = new InstanceProcess('alpha', join(directory.path, 'alpha'));
  await using unnamed = new InstanceProcess('', join(directory.path, 'unnamed'));
  await Promise.all([alpha.start(), unnamed.start()]);
  const ref = 'github:o/own#1';
  for (const { url } of [alpha, unnamed]) {
    await createTask(url, '', { ref });
    for (const instance of ['beta', '..', 'http://127.0.0.1/', url === unnamed.url ? 'alpha' : 'hq']) {
      const query = `instance=${encodeURIComponent(instance)}`;
      const one = await fetch(`${url}/api/v1/work-items/one?ref=${encodeURIComponent(ref)}&${query}`);
      expect(one.status).toBe(404);
      expect(await one.text()).toContain(instance);
      const body = JSON.stringify({ ref, text: 'hello', instance });
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/api/v1/sessions/reply`, { method: 'POST', headers, body });
      expect(reply.status).toBe(404);
      for (const operation of [
        'query ($instance: String) { config(instance: $instance) { path } }',
        'mutation ($instance: String) { updateConfig(patch: {log: {level: "error"}}, instance: $instance) { written } }',
        'mutation ($instance: String) { createTask(input: {name: "n"}, instance: $instance) { ref } }',
      ]) {
        const { errors } = await askGraphQL(url, operation, { instance });
        expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
      }
    }
    for (const instance of ['', url === alpha.url ? 'alpha' : '']) {
      const answer = await fetch(`${url}/api/v1/instance?instance=${instance}`);
      expect(answer.status).toBe(200);
    }
    const { tasks } = await readGraphQL(url, '{ tasks { nodes { ref turns queuedMessages } } }');
    expect(tasks.nodes).toEqual([{ ref, turns: 0, queuedMessages: 0 }]);
  }
});

/*
 * Feature: Abuse of the fleet
 * Scenario: proxied_write: a write through the manager leaves its trace on both sides
 *   Requirement: spec/manager.md#A7
 *   Requirement: spec/manager.md#R2.7
 *   Given a manager and the worker alpha, each a process of its own
 *   When alpha's configuration is changed and one of its sessions is replied to, both through the manager
 *   Then alpha's file is changed and its log says so, and the manager's file is the same to the byte
 *   And the manager's log has each request with its status, a refused one as well, and alpha as the one whom it was sent to
 */
test('proxied_write: a write through the manager leaves its trace on both sides', async () => {
  await using fleet = await ProcessFleet.start({ workers: { alpha: {} } });
  const alpha = fleet.instance('alpha');
  const ref = 'github:o/traced#1';
  await createTask(alpha.url, '', { ref });
  const fileOf = ({ directory }: { readonly directory: string }): string =>
    readFileSync(join(directory, 'flotilla.yaml'), 'utf8');
  const own = fileOf(fleet.manager);
  const headers = { 'content-type': 'application/json' };

  const update = await askGraphQL(
    fleet.url,
    'mutation ($patch: JSON!) { updateConfig(patch: $patch, instance: "alpha") { changed instance } }',
    { patch: { instance: { scope: { mode: 'locked' } } } },
  );
  const refused = await askGraphQL(
    fleet.url,
    'mutation { updateConfig(patch: { state: 7 }, instance: "alpha") { changed } }',
  );
  const reply = await fetch(`${fleet.url}/api/v1/sessions/reply`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ref, text: 'hello', instance: 'alpha' }),
  });

  expect(update.data.updateConfig).toEqual({ changed: ['instance.scope.mode'], instance: 'alpha' });
  expect(refused.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(reply.status).toBe(200);
  expect(fileOf(alpha)).toContain('locked');
  expect(fileOf(fleet.manager)).toBe(own);
  const ofAlpha = await eventsOf(alpha.url, 'config.updated');
  expect(ofAlpha).toMatchObject([{ keys: ['instance.scope.mode'] }]);
  expect(await eventsOf(alpha.url, 'task.messageAccepted')).toHaveLength(1);
  // Requests are written a few times in a second.
  const requests = await eventually(async () => {
    const all = await eventsOf(fleet.url, 'api.request');
    const ofManager = all.filter(({ instance, method }) => instance === 'hq' && method === 'POST');
    expect(ofManager).toHaveLength(3);
    return ofManager;
  });
  expect(requests).toMatchObject([
    { instance: 'hq', about: 'alpha', status: 200, path: '/graphql' },
    { instance: 'hq', about: 'alpha', status: 400, path: '/graphql' },
    { instance: 'hq', about: 'alpha', status: 200, path: '/api/v1/sessions/reply' },
  ]);
  expect(JSON.stringify(requests)).not.toMatch(/locked|hello/);
  const ofManager = (await eventsOf(fleet.url, 'config.updated')).filter(({ instance }) => instance === 'hq');
  expect(ofManager).toEqual([]);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: worker_half_is_unchanged: becoming a manager widens nothing that an instance takes on
 *   Requirement: spec/manager.md#A8
 *   Requirement: spec/manager.md#R1.3
 *   Given the same instance once as a worker, and once as a manager with a live member that has tasks of its own
 *   When the same requests are sent to both: tasks with and without refs, messages, commands, refusals
 *   Then both decide alike, and the log of the one has the same events of tasks as that of the other
 *   And the manager took on nothing of the member
 */
test('worker_half_is_unchanged: becoming a manager widens nothing that an instance takes on', async () => {
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/alpha#1', 'github:o/alpha#2'] },
  });
  using directory = temporaryDirectory();
  await using worker = new InstanceProcess('hq', join(directory.path, 'worker'));
  await worker.start();
  await fleet.get('/api/v1/work-items');

  const decisions = [await decisionsOf(worker.url), await decisionsOf(fleet.url)];

  expect(decisions[1]).toEqual(decisions[0]);
  const types = async (url: string): Promise<unknown[]> =>
    (await eventsOf(url, 'task.*'))
      .filter(({ instance }) => instance === undefined || instance === 'hq')
      .map(({ event, work_item, level }) => ({ event, work_item, level }));
  await eventually(async () => expect(await types(fleet.url)).toEqual(await types(worker.url)));
  expect(JSON.stringify(await types(fleet.url))).not.toContain('o/alpha');
  const { tasks } = await readGraphQL(fleet.url, '{ tasks(filter: {instances: ["hq"]}) { nodes { ref } } }');
  expect(JSON.stringify(tasks)).not.toContain('o/alpha');
  const local = await readGraphQL(fleet.url, '{ instance { sessionCount } }');
  expect(local.instance.sessionCount).toBe(await sessionCountOf(worker.url));
});

/*
 * Feature: Abuse of the fleet
 * Scenario: worker_half_is_unchanged: no module of the worker half reads the role
 *   Requirement: spec/manager.md#A8
 *   Given the sources of the worker half, without those that read the configuration file
 *   When they are searched for the role and for the gateway
 *   Then there is neither
 */
test('worker_half_is_unchanged: no module of the worker half reads the role', () => {
  const sources = globSync('subgraph/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.startsWith('subgraph/config/'),
  );
  expect(sources.length).toBeGreaterThan(50);
  const complaints = sources.filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return /\binstance\??\.role\b(?!")|\brole\b[^}=]*\} = [^;]*\.instance;|from '[^']*gateway\//.test(text);
  });
  expect(complaints).toEqual([]);
});

function mutate(field: string) {
  return ({ ask }: HostileFleet, instance?: string): ReturnType<HostileFleet['post']> =>
    ask(`mutation ($ref: ID!, $instance: String) { ${field} }`, { ref: TWIN, instance });
}

function mutations(fleet: HostileFleet): Record<string, number> {
  return Object.fromEntries(['alpha', 'beta'].map((name) => [name, fleet.server(name).mutations]));
}

function counts(fleet: HostileFleet): Record<string, number> {
  const names = ['alpha', 'beta'].filter((name) => fleet.has(name));
  return Object.fromEntries(names.map((name) => [name, fleet.server(name).requests.length]));
}

/** What an instance decides on requests of every kind, without ids and times. */
async function decisionsOf(url: string): Promise<unknown[]> {
  const decisions: unknown[] = [];
  const ask = async (operation: string, variables: Record<string, unknown> = {}): Promise<void> => {
    const { data, errors } = await askGraphQL(url, operation, variables);
    decisions.push({ operation, data, codes: errors?.map(({ extensions }) => extensions.code) });
  };
  const create = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref state lifecycle } }';
  await ask(create, { input: { name: 'numbered' } });
  await ask(create, { input: { name: 'own', ref: 'github:o/own#1' } });
  await ask(create, { input: { name: 'twice', ref: 'github:o/own#1' } });
  await ask(create, {
    input: { name: 'model', ref: 'github:o/own#2', settings: { model: 'no-such-model' } },
  });
  await ask(create, { input: { name: 'empty', ref: '' } });
  await ask('mutation { runCommand(ref: "github:o/own#1", text: "/help") { ok text } }');
  await ask('mutation { runCommand(ref: "github:o/own#1", text: "/nothing") { ok error } }');
  await ask('mutation { sendMessage(ref: "github:o/none#1", text: "hello") { accepted } }');
  await ask('mutation { cancelTask(ref: "github:o/own#1") { state } }');
  await ask('mutation { sendMessage(ref: "github:o/own#1", text: "late") { accepted } }');
  await ask('mutation { cancelTask(ref: "github:o/own#1") { state } }');
  return decisions;
}

async function eventsOf(url: string, type: string): Promise<readonly Record<string, unknown>[]> {
  return (await fetch(`${url}/api/v1/events?limit=0&type=${type}`)).json() as Promise<
    Record<string, unknown>[]
  >;
}

async function sessionCountOf(url: string): Promise<unknown> {
  return (await readGraphQL(url, '{ instance { sessionCount } }')).instance.sessionCount;
}
