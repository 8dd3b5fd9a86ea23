/** `flotilla status --config`: the service of a file, also of one on which nothing would start. */
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/CliProcess.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/*
 * Feature: Status of a configuration file
 * Scenario: a file that nothing starts on has the status of a worker
 *   Requirement: spec/manager.md#R1.5
 *   Given a configuration with an unknown role, or of a manager without a name, and with a registry
 *   When an instance is started on it
 *   Then the exit code is 2, the message names the key and the values, and there is neither a socket nor a lock file
 *   When "flotilla status" is run on the same file
 *   Then it answers as a worker that does not run, with one warning that names the key, and exit code 1
 *   And so does its JSON form
 */
test.each([
  {
    what: 'an unknown role',
    name: 'alpha',
    identity: 'name: alpha, role: manger',
    refusal: /^error: Cannot [^\n]*flotilla\.yaml:1:\d+ instance\.role: expected one of worker, manager\n$/,
    warning:
      /^warning: \S+flotilla\.yaml:1:\d+ instance\.role: expected one of worker, manager; the instance counts as a worker\n$/,
  },
  {
    what: 'a manager without a name',
    name: '',
    identity: 'role: manager',
    refusal: /^error: Cannot [^\n]*instance\.name: expected a name, because instance\.role is manager\n$/,
    warning:
      /^warning: \S+flotilla\.yaml:1:\d+ instance\.name: expected a name, because instance\.role is manager; the instance counts as a worker\n$/,
  },
])(
  'a file that nothing starts on has the status of a worker',
  async ({ name, identity, refusal, warning }) => {
    using directory = temporaryDirectory();
    const configPath = join(directory.path, 'flotilla.yaml');
    const url = `http://127.0.0.1:${await freePort()}`;
    const registry = 'manager: { instances: [{ name: beta, url: "http://127.0.0.1:9" }] }';
    writeFileSync(
      configPath,
      `instance: { ${identity}, scope: { workItems: ["github:o/r#1"] }, ${registry} }\nservice: { port: ${new URL(url).port} }\n`,
    );

    const started = await runCli(['start', '--config', configPath, '--json']);
    expect(started).toEqual({ exitCode: 2, stdout: '', stderr: expect.stringMatching(refusal) });
    expect(readdirSync(directory.path)).toEqual(['flotilla.yaml']);

    const silence = `nobody answers at ${url} (ECONNREFUSED)`;
    expect(await runCli(['status', '--config', configPath])).toEqual({
      exitCode: 1,
      stdout: `health      not running, ${silence}\ninstance    ${name || '(unnamed)'} [open] — 1 declared\n`,
      stderr: expect.stringMatching(warning),
    });
    const { stdout, ...rest } = await runCli(['status', '--config', configPath, '--json']);
    expect(rest).toEqual({ exitCode: 1, stderr: expect.stringMatching(warning) });
    expect(JSON.parse(stdout)).toMatchObject({
      health: { status: 'not running', version: '', detail: silence },
      scope: { mode: 'open', workItems: ['github:o/r#1'] },
      instances: { role: 'worker', name, instances: [{ name, url, state: 'unreachable', detail: silence }] },
    });
    expect(JSON.parse(stdout).instances.instances).toHaveLength(1);
    expect(readdirSync(directory.path)).toEqual(['flotilla.yaml']);
  },
);

/*
 * Feature: Status of a configuration file
 * Scenario: a service that runs answers for itself when its file has become wrong
 *   Requirement: spec/manager.md#R1.5
 *   Given a worker that runs, in whose file the role is then mistyped
 *   When "flotilla status" is run on the file
 *   Then the service's own answer is that of a worker, with one warning that names the key, and exit code 0
 *   When the service has stopped
 *   Then the status is that of a worker that does not run, and the exit code is 1
 */
test('a service that runs answers for itself when its file has become wrong', async () => {
  using directory = temporaryDirectory();
  await using alpha = new InstanceProcess('alpha', directory.path);
  await alpha.start();
  const configPath = join(directory.path, 'flotilla.yaml');
  writeFileSync(
    configPath,
    `instance:\n  name: alpha\n  role: manger\nservice:\n  port: ${new URL(alpha.url).port}\n`,
  );
  const warning = /^warning: \S+flotilla\.yaml:3:3 instance\.role: [^\n]*worker, manager[^\n]*\n$/;

  expect(await runCli(['status', '--config', configPath])).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^health {6}ok, version \d\S*\ninstance {4}alpha \[open\] — 0 declared, 0 managed\n$/,
    ),
    stderr: expect.stringMatching(warning),
  });

  await alpha.kill();
  expect(await runCli(['status', '--config', configPath])).toEqual({
    exitCode: 1,
    stdout: `health      not running, nobody answers at ${alpha.url} (ECONNREFUSED)\ninstance    alpha [open] — 0 declared\n`,
    stderr: expect.stringMatching(warning),
  });
});

/*
 * Feature: Status of a configuration file
 * Scenario: an instance of another name at the address of the file is told apart
 *   Requirement: docs/guides/operations.md#status
 *   Given a worker alpha that runs, and the configuration of beta with the same address
 *   When "flotilla status" is run on that configuration
 *   Then alpha answers, and one warning has both names
 */
test('an instance of another name at the address of the file is told apart', async () => {
  using directory = temporaryDirectory();
  await using alpha = new InstanceProcess('alpha', join(directory.path, 'alpha'));
  await alpha.start();
  const configPath = join(directory.path, 'beta.yaml');
  writeFileSync(configPath, `instance: { name: beta }\nservice: { port: ${new URL(alpha.url).port} }\n`);

  expect(await runCli(['status', '--config', configPath])).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^health {6}ok, .*\ninstance {4}alpha \[open\] /),
    stderr: `warning: the instance at ${alpha.url} is named "alpha", the file says "beta"\n`,
  });
});

/*
 * Feature: Status of a configuration file
 * Scenario: the status of a manager that does not run lists its members as not probed
 *   Requirement: spec/manager.md#R3.3
 *   Given the configuration of a manager of one member, whose service does not run
 *   When "flotilla status" is run on it
 *   Then the headline counts no live instance, and every row says why; the exit code is 1
 */
test('the status of a manager that does not run lists its members as not probed', async () => {
  using directory = temporaryDirectory();
  const configPath = join(directory.path, 'flotilla.yaml');
  const url = `http://127.0.0.1:${await freePort()}`;
  const registry = 'manager: { instances: [{ name: beta, url: "http://127.0.0.1:9" }] }';
  writeFileSync(
    configPath,
    `instance: { name: hq, role: manager, ${registry} }\nservice: { port: ${new URL(url).port} }\n`,
  );

  const { stdout, ...rest } = await runCli(['status', '--config', configPath]);

  expect(rest).toEqual({ exitCode: 1, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    `health      not running, nobody answers at ${url} (ECONNREFUSED)`,
    'instance    hq [open] — 0 declared',
    'instances   hq [manager] — this instance + 1 registered, 0 of 2 live',
    expect.stringMatching(/^ {2}name +url +state +version +mode +managed +sessions$/),
    expect.stringMatching(/^ {2}hq +http:\S+ +unreachable +— +— +— +— +\(this instance\)$/),
    expect.stringMatching(
      /^ {2}beta +http:\S+ +unprobed +— +— +— +— +the manager that probes it was not reached$/,
    ),
    '',
  ]);
});

/*
 * Feature: Status of a configuration file
 * Scenario: the status of a file that cannot be read is refused
 *   Requirement: spec/manager.md#R1.5
 *   Given a path without a file, or a file that is no YAML
 *   When "flotilla status" is run on it
 *   Then one line names the file, nothing is printed, and the exit code is 2
 */
test.each([{ text: undefined }, { text: 'instance: { name: alpha\n' }])(
  'the status of a file that cannot be read is refused',
  async ({ text }) => {
    using directory = temporaryDirectory();
    const configPath = join(directory.path, 'flotilla.yaml');
    if (text !== undefined) writeFileSync(configPath, text);

    expect(await runCli(['status', '--config', configPath])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: Cannot read config: [^\n]*flotilla\.yaml:\d+:\d+ [^\n]+\n$/),
    });
  },
);

/** A port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
