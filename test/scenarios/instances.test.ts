/** The registry of a manager through its faces: GraphQL, REST, the command line and an edit by hand (spec/manager.md §§ 4, 15, 16). */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type CliResult, runCli } from '../support/CliProcess.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9';

const MANAGER = `# The manager of the office.
instance:
  name: hq
  role: manager
  manager:
    timeoutSeconds: 20
    # Who belongs to it.
    instances:
      - name: first # the oldest
        url: '${NOBODY}/first'
`;

const REGISTER =
  'mutation ($name: String!, $url: String!) { registerInstance(name: $name, url: $url) { written } }';

const WITH_BETA = `${MANAGER}      - name: beta\n        url: ${NOBODY}/beta\n`;

/** For what changes nothing. */
let still: RunningInstance;

beforeAll(async () => {
  still = await RunningInstance.start(MANAGER);
});

afterAll(() => still?.[Symbol.asyncDispose]());

/*
 * Feature: Registry
 * Scenario: the fleet is listed own row first, and of a member that is not live only why is told
 *   Requirement: spec/manager.md#R3.1
 *   Requirement: spec/manager.md#T1
 *   Given a manager hq with a live member, one that is not there and one that answers to another name
 *   When the fleet is read from hq and from the live member
 *   Then hq's rows are its own and then the registry's, in order, with the fields of the contract
 *   And the values of those that are not live are blank or zero, and their detail says why
 *   And the member has its own row only
 */
test('the fleet is listed own row first, and of a member that is not live only why is told', async () => {
  await using alpha = await RunningInstance.start('instance: { name: alpha, scope: { mode: addressed } }');
  await using hq = await RunningInstance.start('instance: { name: hq, role: manager }');
  await alpha.ask('mutation { createTask(input: { goal: "g", ref: "github:o/r#1" }) { ref } }');
  for (const [name, url] of [
    ['alpha', `${alpha.url}/`],
    ['gone', NOBODY],
    ['other', alpha.url.replace('127.0.0.1', 'localhost')],
  ])
    expect((await hq.post('/instances/register', { name, url })).status).toBe(200);

  const before = Math.floor(Date.now() / 1000) * 1000;
  const { body: fleet } = await hq.get('/instances');

  const version = expect.stringMatching(/^\d/);
  const probedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const live = { state: 'live', version, probedAt };
  const blank = { version: '', mode: '', managedCount: 0, sessionCount: 0, probedAt };
  expect(fleet).toEqual({
    role: 'manager',
    name: 'hq',
    instances: [
      { name: 'hq', url: hq.url, ...live, mode: 'open', managedCount: 0, sessionCount: 0 },
      { name: 'alpha', url: alpha.url, ...live, mode: 'addressed', managedCount: 1, sessionCount: 1 },
      {
        name: 'gone',
        url: NOBODY,
        state: 'unreachable',
        ...blank,
        detail: expect.stringMatching(/refused|bad port|ECONN/i),
      },
      {
        name: 'other',
        url: expect.any(String),
        state: 'mismatched',
        ...blank,
        detail: expect.stringContaining('alpha'),
      },
    ],
  });
  expect(Date.parse(fleet.instances[0].probedAt)).toBeGreaterThanOrEqual(before);
  expect((await alpha.get('/instances')).body).toEqual({
    role: 'worker',
    name: 'alpha',
    instances: [{ ...fleet.instances[1], probedAt }],
  });
});

/*
 * Feature: Registry
 * Scenario: the file alone says who is registered
 *   Requirement: spec/manager.md#R4.1
 *   Given a manager with one member
 *   When a second is registered, a third is written into the file by hand, the first is unregistered, and the manager starts again
 *   Then each read of the fleet after it is what the file says, without a signal
 *   And there is no other file than before
 *   And the log tells the keys that were written and the names, and no address
 */
test('the file alone says who is registered', async () => {
  await using hq = await RunningInstance.start(MANAGER);
  const files = readdirSync(hq.directory);

  await hq.post('/instances/register', { name: 'beta', url: `${NOBODY}/beta` });
  expect(await names(hq)).toEqual(['hq', 'first', 'beta']);
  hq.write(`${hq.read()}      - { name: by-hand, url: "${NOBODY}/by-hand" }\n`);
  expect(await names(hq)).toEqual(['hq', 'first', 'beta', 'by-hand']);
  await hq.ask('mutation { unregisterInstance(name: "first") { written } }');
  expect(await names(hq)).toEqual(['hq', 'beta', 'by-hand']);
  const { body: events } = await hq.get('/events?type=config.updated&type=instance.*registered&limit=0');
  await hq.stop();
  await hq.start();

  expect(await names(hq)).toEqual(['hq', 'beta', 'by-hand']);
  expect(registryOf(hq.read()).map(({ name }) => name)).toEqual(['beta', 'by-hand']);
  expect(readdirSync(hq.directory)).toEqual(files);
  const updated = ['config.updated', 'info', undefined, ['instance.manager.instances']];
  expect(
    events.map((row: Record<string, unknown>) => [
      row.event,
      row.level,
      row.about ?? row.work_item,
      row.keys ?? [],
    ]),
  ).toEqual([
    updated,
    ['instance.registered', 'info', 'beta', []],
    updated,
    ['instance.unregistered', 'info', 'first', []],
  ]);
  expect(JSON.stringify(events)).not.toContain('127.0.0.1');
});

/*
 * Feature: Registry
 * Scenario: a registration writes what a hand would have written
 *   Requirement: spec/manager.md#R4.2
 *   Requirement: spec/manager.md#T1
 *   Given a manager's file with comments, and the same file with an entry added by hand
 *   When the entry is registered over GraphQL or REST, and removed again
 *   Then the file is byte for byte the one edited by hand, and then the first one
 *   And the answer names the file, the key and the member
 */
test('a registration writes what a hand would have written', async () => {
  await using hq = await RunningInstance.start(MANAGER);
  const answer = { path: hq.configPath, exists: true, restartRequired: [], written: true, instance: 'beta' };
  const changed = ['instance.manager.instances'];
  const entry = { name: 'beta', url: `${NOBODY}/beta/` };

  const registered = await hq.post('/instances/register', entry);
  expect(registered).toMatchObject({
    status: 200,
    body: { ...answer, changed, config: { instance: { name: 'hq' } } },
  });
  expect(hq.read()).toBe(WITH_BETA);
  const unregistered = await hq.post('/instances/unregister', { name: 'beta' });
  expect(unregistered).toMatchObject({ status: 200, body: { ...answer, changed } });
  expect(hq.read()).toBe(MANAGER);

  const fields = '{ path exists changed restartRequired written instance }';
  const { data } = await hq.ask(
    `mutation ($name: String!, $url: String!) { registerInstance(name: $name, url: $url) ${fields} }`,
    entry,
  );
  expect(data.registerInstance).toEqual({ ...answer, changed });
  expect(hq.read()).toBe(WITH_BETA);
});

/*
 * Feature: Registry
 * Scenario: a registration into a file that nothing would start on is refused, and the file is left
 *   Requirement: spec/manager.md#R4.2
 *   Given a manager whose file was broken by hand after its start
 *   When a member is registered, and one is unregistered
 *   Then both are refused, and the file is byte for byte as it was
 *   And the fleet in force is the one before the bad edit
 */
test.each([
  { what: 'an unknown key', edit: (text: string) => text.replace('role:', 'rule:'), status: 400 },
  {
    what: 'a manager without a name',
    edit: (text: string) => text.replace('name: hq', 'name: ""'),
    status: 400,
  },
  { what: 'no YAML', edit: (text: string) => `${text}[`, status: 500 },
])(
  'a registration into a file that nothing would start on is refused, and the file is left',
  async ({ edit, status }) => {
    await using hq = await RunningInstance.start(MANAGER);
    const broken = edit(MANAGER);
    hq.write(broken);

    const register = await hq.post('/instances/register', { name: 'beta', url: NOBODY });
    const unregister = await hq.post('/instances/unregister', { name: 'first' });

    expect([register.status, unregister.status]).toEqual([status, status]);
    expect(hq.read()).toBe(broken);
    expect(await names(hq)).toEqual(['hq', 'first']);
  },
);

/*
 * Feature: Registry
 * Scenario: a registration that breaks a rule is refused and the file is left
 *   Requirement: spec/manager.md#R4.3
 *   Requirement: spec/manager.md#T1
 *   Given a manager on an address of its own, with one member
 *   When an entry that breaks one of the rules is registered over REST and over GraphQL
 *   Then the status is 400 and the code BAD_USER_INPUT, with a text that names the rule and never an address
 *   And the file is byte for byte as it was
 */
test.each([
  { rule: 'V2', name: 'Beta', told: /the name is not/ },
  { rule: 'V2', name: '', told: /the name is not/ },
  { rule: 'V2', name: 'a'.repeat(41), told: /the name is not/ },
  { rule: 'V3', name: 'hq', told: /the name is the manager's own/ },
  { rule: 'V4', name: 'first', told: /the name "first" is registered/ },
  { rule: 'V5', url: 'beta.test', told: /the URL is not an address/ },
  { rule: 'V5', url: 'ftp://beta.test', told: /the URL is not an address/ },
  { rule: 'V5', url: 'http://', told: /the URL is not an address/ },
  { rule: 'V5', url: 'http://me:secret@beta.test', told: /the URL is not an address/ },
  { rule: 'V5', url: 'http://beta.test/?secret', told: /the URL is not an address/ },
  { rule: 'V5', url: 'http://beta.test/#secret', told: /the URL is not an address/ },
  { rule: 'V6', url: 'http://127.0.0.1:0/', told: /the URL is the manager's own address/ },
  { rule: 'V7', url: `${NOBODY}/first/`, told: /the URL is registered as "first"/ },
  { rule: 'order', name: 'Beta', url: 'ftp://beta.test', told: /the name is not/ },
  { rule: 'order', name: 'hq', url: 'http://127.0.0.1:0', told: /the URL is the manager's own address/ },
])(
  'a registration that breaks a rule is refused and the file is left',
  async ({ name = 'beta', url = 'http://beta.test', told }) => {
    const rest = await still.post('/instances/register', { name, url });
    const { data, errors } = await still.ask(REGISTER, { name, url });

    expect(rest).toMatchObject({ status: 400, body: { detail: expect.stringMatching(told) } });
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ message: rest.body.detail, extensions: { code: 'BAD_USER_INPUT' } }]);
    expect(rest.body.detail).not.toMatch(/secret|beta\.test|127\.0\.0\.1/);
    expect(still.read()).toBe(MANAGER);
  },
);

/*
 * Feature: Registry
 * Scenario: the writers refuse to write beside a bad entry, and name it by its place
 *   Requirement: spec/manager.md#R4.3
 *   Given a manager whose file has an entry by hand that breaks a rule
 *   When a member is registered, and another is unregistered
 *   Then both are 400 and name the entry by its index, and the file is as it was
 *   And the bad entry itself can be unregistered
 */
test('the writers refuse to write beside a bad entry, and name it by its place', async () => {
  await using hq = await RunningInstance.start(MANAGER);
  const bad = `${WITH_BETA}      - name: bad\n        url: ftp://secret.test\n`;
  hq.write(bad);

  const register = await hq.post('/instances/register', { name: 'gamma', url: `${NOBODY}/gamma` });
  const unregister = await hq.post('/instances/unregister', { name: 'beta' });

  for (const { status, body } of [register, unregister]) {
    expect(status).toBe(400);
    expect(body.detail).toContain('instance.manager.instances[2]');
    expect(body.detail).not.toContain('secret');
  }
  expect(hq.read()).toBe(bad);
  expect((await hq.post('/instances/unregister', { name: 'bad' })).status).toBe(200);
  expect(hq.read()).toBe(WITH_BETA);
});

/*
 * Feature: Registry
 * Scenario: a member need not be there to be registered, and must be registered to be removed
 *   Requirement: spec/manager.md#R4.3
 *   Given a manager
 *   When a member that nobody runs is registered, and a name that nobody has is unregistered
 *   Then the first is written and shown as unreachable, and the second is 404 with the file as it was
 *   And a request without its fields is 422
 */
test('a member need not be there to be registered, and must be registered to be removed', async () => {
  await using hq = await RunningInstance.start(MANAGER);

  expect((await hq.post('/instances/register', { name: 'beta', url: `${NOBODY}/beta` })).status).toBe(200);
  expect((await hq.rows()).at(-1)).toMatchObject({ name: 'beta', state: 'unreachable' });
  const unknown = await hq.post('/instances/unregister', { name: 'gamma' });
  const shapeless = await hq.post('/instances/register', { name: 'gamma' });

  expect(unknown).toMatchObject({ status: 404, body: { detail: expect.stringContaining('"gamma"') } });
  expect(shapeless).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'url'] }] } });
  expect(hq.read()).toBe(WITH_BETA);
});

/*
 * Feature: Registry
 * Scenario: a worker has no registry to write
 *   Requirement: spec/manager.md#R4.4
 *   Requirement: spec/manager.md#M12
 *   Requirement: spec/manager.md#T1
 *   Given a worker without a file, and one whose file has the registry of a manager that it was
 *   When a member is registered and one is unregistered
 *   Then both are 400 and name instance.role, over REST and over GraphQL
 *   And the file is absent, or byte for byte as it was, and its registry has no effect
 */
test.each([{ yaml: undefined }, { yaml: MANAGER.replace('role: manager', 'role: worker') }])(
  'a worker has no registry to write',
  async ({ yaml }) => {
    await using worker = await RunningInstance.start(yaml);

    for (const { status, body } of [
      await worker.post('/instances/register', { name: 'beta', url: NOBODY }),
      await worker.post('/instances/unregister', { name: 'first' }),
    ])
      expect([status, body.detail]).toEqual([400, expect.stringContaining('instance.role')]);
    const { errors } = await worker.ask(REGISTER, { name: 'beta', url: NOBODY });
    expect(errors?.[0]?.message).toContain('instance.role');

    expect(existsSync(worker.configPath) ? worker.read() : undefined).toBe(yaml);
    expect(await worker.rows()).toHaveLength(1);
  },
);

/*
 * Feature: Registry
 * Scenario: registrations at the same time all land, and so does an edit by hand
 *   Requirement: spec/manager.md#R4.2
 *   Given a manager
 *   When 20 members are registered at once over REST and GraphQL, the configuration is changed over GraphQL, and the file is edited by hand meanwhile
 *   Then every registration is answered with success and is in the file, once
 *   And so are the change, the member that was added by hand, and every comment
 */
test('registrations at the same time all land, and so does an edit by hand', async () => {
  await using hq = await RunningInstance.start(MANAGER);
  const entries = Array.from({ length: 20 }, (_, index) => ({
    name: `m${index}`,
    url: `${NOBODY}/m${index}`,
  }));
  let landed = 0;

  const writes = entries.map(async (entry, index) => {
    const answer = await (index % 2 === 0 ? hq.post('/instances/register', entry) : hq.ask(REGISTER, entry));
    landed += 1;
    if (landed === 5)
      hq.write(`${hq.read()}      # by hand\n      - { name: by-hand, url: "${NOBODY}/hand" }\n`);
    return answer.status === 200 && !('errors' in answer && answer.errors);
  });
  const change = hq.ask('mutation { updateConfig(patch: { tasks: { maxTurns: 7 } }) { written } }');

  expect(await Promise.all(writes)).toEqual(entries.map(() => true));
  expect((await change).data).toEqual({ updateConfig: { written: true } });
  const text = hq.read();
  expect(
    registryOf(text)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(['by-hand', 'first', ...entries.map(({ name }) => name)].toSorted());
  expect(parse(text).tasks).toEqual({ maxTurns: 7 });
  for (const comment of ['# The manager of the office.', '# Who belongs to it.', '# the oldest', '# by hand'])
    expect(text).toContain(comment);
  expect(await hq.rows()).toHaveLength(22 + 1);
});

/*
 * Feature: Command line
 * Scenario: instances are listed, registered and unregistered from the command line
 *   Requirement: spec/manager.md#R4.6
 *   Requirement: spec/manager.md#T1
 *   Given a manager with a member that is not there
 *   When "instances list", "register" and "unregister" are run against it
 *   Then the list is the table, own row first, with dashes and the reason for the member
 *   And each write is one line that names the member and the file, and the file is written
 */
test('instances are listed, registered and unregistered from the command line', async () => {
  await using hq = await RunningInstance.start(MANAGER);

  const listed = await flotilla(hq, 'instances', 'list');
  const [header, own, member, ...rest] = listed.stdout.trimEnd().split('\n');
  expect(listed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(header).toMatch(/^name +url +state +version +mode +managed +sessions$/);
  expect(own).toMatch(/^hq {5}http:\S+ +live +\d\S+ +open +0 +0 +\(this instance\)$/);
  expect(member).toMatch(/^first {2}http:\S+ +unreachable {2}— +— +— +— +\S.*$/);
  expect(rest).toEqual([]);

  expect(await flotilla(hq, 'instances', 'register', 'beta', `${NOBODY}/beta`)).toEqual({
    exitCode: 0,
    stdout: `registered beta in ${hq.configPath}\n`,
    stderr: '',
  });
  expect(hq.read()).toBe(WITH_BETA);
  expect(await flotilla(hq, 'instances', 'unregister', 'beta')).toEqual({
    exitCode: 0,
    stdout: `unregistered beta in ${hq.configPath}\n`,
    stderr: '',
  });
  expect(hq.read()).toBe(MANAGER);
});

/*
 * Feature: Command line
 * Scenario: programs read the fleet from the command line as REST has it
 *   Requirement: spec/manager.md#R4.6
 *   Requirement: spec/manager.md#R3.3
 *   Given a manager with a member, and a worker without a name
 *   When "instances list" and "status" are run with --json and with --format json
 *   Then the first is the document of REST, indented, and the second has it as "instances"
 *   And the table of the worker names its only row (unnamed), and its status has no headline
 */
test('programs read the fleet from the command line as REST has it', async () => {
  await using worker = await RunningInstance.start(undefined);

  for (const instance of [still, worker]) {
    const { body: fleet } = await instance.get('/instances');
    for (const args of [['--json'], ['--format', 'json']]) {
      const listed = await flotilla(instance, 'instances', 'list', ...args);
      expect(listed).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^\{\n {2}"role"/), stderr: '' });
      expect(withoutTimes(JSON.parse(listed.stdout))).toEqual(withoutTimes(fleet));
      const status = await flotilla(instance, 'status', ...args);
      expect(withoutTimes(JSON.parse(status.stdout).instances)).toEqual(withoutTimes(fleet));
    }
  }

  const table = await flotilla(worker, 'instances', 'list', '--format', 'text');
  expect(table.stdout).toMatch(/^name .*\n\(unnamed\) {2}http:\S+ +live .*\(this instance\)\n$/);
  const status = await flotilla(worker, 'status');
  expect(status.stdout).toMatch(
    /^health {6}ok, .*\ninstance {4}\(unnamed\) \[open\] — 0 declared, 0 managed\n$/,
  );
});

/*
 * Feature: Command line
 * Scenario: what cannot be done with instances is told, and the exit code says whose mistake it is
 *   Requirement: spec/manager.md#R4.6
 *   Requirement: spec/manager.md#R4.4
 *   Given a manager, a worker, and an address where nobody listens
 *   When an action is mistyped, breaks a rule, asks a worker or asks nobody
 *   Then standard output is empty and standard error begins with "error: "
 *   And the exit code is 2, and 1 for a name that is not registered
 */
test.each([
  { args: [], exitCode: 2, told: /list, register or unregister/ },
  { args: ['remove'], exitCode: 2, told: /list, register or unregister/ },
  { args: ['register', 'beta'], exitCode: 2, told: /missing required argument 'url'/ },
  { args: ['list', '--format', 'xml'], exitCode: 2, told: /text, json/ },
  { args: ['register', 'Beta', NOBODY], exitCode: 2, told: /the name is not/ },
  { args: ['register', 'first', 'http://beta.test'], exitCode: 2, told: /"first" is registered/ },
  { args: ['unregister', 'gamma'], exitCode: 1, told: /"gamma"/ },
  { args: ['register', 'beta', NOBODY], isWorker: true, exitCode: 2, told: /instance\.role/ },
  { args: ['unregister', 'first'], isWorker: true, exitCode: 2, told: /instance\.role/ },
  { args: ['list', '--url', NOBODY], exitCode: 2, told: /Cannot reach the instance/ },
])(
  'what cannot be done with instances is told, and the exit code says whose mistake it is',
  async ({ args, isWorker, exitCode, told }) => {
    await using asked = isWorker ? await RunningInstance.start('instance: { name: alpha }') : undefined;

    const result = await flotilla(asked ?? still, 'instances', ...args);

    expect(result).toMatchObject({ exitCode, stdout: '', stderr: expect.stringMatching(/^error: /) });
    expect(result.stderr).toMatch(told);
    expect(still.read()).toBe(MANAGER);
  },
);

/*
 * Feature: Command line
 * Scenario: the scenarios of a checkout are listed with what they show
 *   Requirement: README.md#tests
 *   Given this checkout, and a path that is none
 *   When "flotilla scenarios" is run on each
 *   Then the first is the table of its scenarios, which this one is in, and with --json the same as JSON
 *   And the second is an error with exit code 2
 */
test('the scenarios of a checkout are listed with what they show', async () => {
  const table = await runCli(['scenarios', ROOT, '--glob', 'test/scenarios/*.test.ts']);
  const json = await runCli(['scenarios', ROOT, '--json']);
  const none = await runCli(['scenarios', `${ROOT}/package.json`]);

  expect(table).toMatchObject({ exitCode: 0, stderr: '' });
  expect(table.stdout).toMatch(/^feature +scenario +requirement +place\n/);
  expect(table.stdout).toMatch(
    /^Command line +the scenarios of a checkout are listed with what they show +README\.md#tests +test\/scenarios\/instances\.test\.ts:\d+$/m,
  );
  const { repo, scenarios } = JSON.parse(json.stdout);
  expect(repo).toBe(ROOT);
  expect(scenarios).toContainEqual({
    feature: 'Command line',
    name: 'the scenarios of a checkout are listed with what they show',
    requirements: ['README.md#tests'],
    steps: expect.arrayContaining([expect.stringMatching(/^Given /)]),
    path: 'test/scenarios/instances.test.ts',
    line: expect.any(Number),
  });
  expect(none).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringMatching(/^error: .*no directory/) });
});

function flotilla({ url }: RunningInstance, ...args: readonly string[]): Promise<CliResult> {
  return runCli(args, { env: { FLOTILLA_URL: url } });
}

async function names(instance: RunningInstance): Promise<readonly unknown[]> {
  return (await instance.rows()).map(({ name }) => name);
}

function registryOf(yaml: string): readonly { readonly name: string; readonly url: string }[] {
  return parse(yaml).instance.manager.instances;
}

/** The own row is probed with every read. */
function withoutTimes({ instances, ...fleet }: { readonly instances: readonly object[] }) {
  return { ...fleet, instances: instances.map((row) => ({ ...row, probedAt: '' })) };
}
