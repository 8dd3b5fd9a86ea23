/** Starts that cannot be: each is one clear line and exit code 2, and leaves nothing behind. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createInstance } from '../../server/index.ts';
import { readGraphQL } from '../support/askGraphQL.ts';
import { asOrdinaryUser } from '../support/asOrdinaryUser.ts';
import { type CliResult, runCli } from '../support/CliProcess.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/*
 * Feature: Refused starts
 * Scenario: a malformed configuration is told by key, file and line, and nothing starts
 *   Requirement: spec/manager.md#R1.5
 *   Given a configuration with several mistakes
 *   When an instance is started on it
 *   Then one line names every key at fault with its file and line, and no configured value
 *   And the exit code is 2, and there is neither a socket nor a state directory
 */
test.each([
  {
    what: 'unknown key, wrong types',
    yaml: 'instance:\n  nmae: alpha\nservice:\n  port: secret-value\nretries:\n  default:\n    maximumAttempts: -1\n',
    told: [
      /flotilla\.yaml:2:\d+ instance\.nmae: /,
      /flotilla\.yaml:4:\d+ service\.port: /,
      /flotilla\.yaml:7:\d+ retries\.default\.maximumAttempts: /,
    ],
  },
  {
    what: 'unknown role',
    yaml: 'instance:\n  name: alpha\n  role: manger\n',
    told: [/flotilla\.yaml:3:\d+ instance\.role: .*worker.*manager/],
  },
  { what: 'manager without a name', yaml: 'instance:\n  role: manager\n', told: [/instance\.name: /] },
  { what: 'no YAML', yaml: 'instance: { name: alpha\nservice: [', told: [/flotilla\.yaml:\d+:\d+ /] },
  {
    what: 'open to other machines',
    yaml: 'service:\n  host: 0.0.0.0\n',
    told: [/flotilla\.yaml:2:\d+ service\.host: .*service\.(auth|unauthenticated)/],
  },
  {
    what: 'a secret that is not set',
    yaml: 'service:\n  auth:\n    tokenEnvs: [FLOTILLA_TEST_UNSET]\n',
    told: [/flotilla\.yaml:3:\d+ service\.auth\.tokenEnvs/],
  },
])('a malformed configuration is told by key, file and line, and nothing starts', async ({ yaml, told }) => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'flotilla.yaml'), yaml);

  const result = await start(directory.path);

  expectRefusal(result, ...told);
  expect(result.stderr).not.toContain('secret-value');
  expect(readdirSync(directory.path)).toEqual(['flotilla.yaml']);
});

/*
 * Feature: Refused starts
 * Scenario: a port that is in use is named
 *   Requirement: spec/worker.md#62
 *   Given somebody who listens on a port
 *   When an instance is started on that port
 *   Then one line names the port, and the exit code is 2
 */
test('a port that is in use is named', async () => {
  using directory = temporaryDirectory();
  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  try {
    const { port } = squatter.address() as { port: number };
    writeFileSync(join(directory.path, 'flotilla.yaml'), `service: { port: ${port} }\n`);

    expectRefusal(await start(directory.path), new RegExp(`port ${port} is in use`));
  } finally {
    squatter.close();
  }
});

/*
 * Feature: Refused starts
 * Scenario: a state directory that cannot be used is named
 *   Requirement: spec/worker.md#62
 *   Given a file in the place of the state directory
 *   When an instance is started
 *   Then one line names the directory, and the exit code is 2
 */
test('a state directory that cannot be used is named', async () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'flotilla.yaml'), 'service: { port: 0 }\n');
  writeFileSync(join(directory.path, 'state'), 'not a directory');

  expectRefusal(await start(directory.path), /state directory ".*state"/);
});

/*
 * Feature: Refused starts
 * Scenario: a state directory that may not be written is named
 *   Requirement: spec/worker.md#62
 *   Given a state directory without the right to write, and a user whom rights bind
 *   When an instance is started
 *   Then one line names the directory, and the exit code is 2
 */
test('a state directory that may not be written is named', async () => {
  using directory = temporaryDirectory();
  const state = join(directory.path, 'state');
  const configPath = join(directory.path, 'flotilla.yaml');
  writeFileSync(configPath, 'service: { port: 0 }\n');
  mkdirSync(state);
  chmodSync(state, 0o500);
  using _user = asOrdinaryUser(directory.path, state);
  await expect(createInstance({ configPath })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^[^\n]*state directory ".*state"[^\n]*$/),
  });
});

/*
 * Feature: Refused starts
 * Scenario: a configuration file that is not there is named, and nothing is made in its place
 *   Requirement: spec/manager.md#R1.5
 *   Given a path without a file
 *   When an instance is started on it
 *   Then one line names the path, the exit code is 2, and there is no state directory
 */
test('a configuration file that is not there is named, and nothing is made in its place', async () => {
  using directory = temporaryDirectory();
  expectRefusal(await start(directory.path), /no configuration file ".*flotilla\.yaml"/);
  expect(readdirSync(directory.path)).toEqual([]);
});

/*
 * Feature: Refused starts
 * Scenario: a second process on one state directory is refused and the first goes on
 *   Requirement: spec/worker.md#62
 *   Given an instance that runs
 *   When another is started on its state directory, on a port of its own
 *   Then one line says that the directory is in use, and by which process; the exit code is 2
 *   And the first still answers
 */
test('a second process on one state directory is refused and the first goes on', async () => {
  using directory = temporaryDirectory();
  await using first = new InstanceProcess('alpha', join(directory.path, 'first'));
  await first.start();
  const second = join(directory.path, 'second');
  mkdirSync(second);
  writeFileSync(
    join(second, 'flotilla.yaml'),
    'service: { port: 0 }\nstate: { directory: ../first/state }\n',
  );

  expectRefusal(await start(second), new RegExp(`in use by another process \\(pid ${first.pid}\\)`));

  expect(await readGraphQL(first.url, '{ instance { name } }')).toEqual({ instance: { name: 'alpha' } });
});

/*
 * Feature: Refused starts
 * Scenario: a local fleet with a malformed member starts nothing
 *   Requirement: spec/manager.md#R1.5
 *   Given a folder of a local fleet in which one worker's configuration is wrong
 *   When "flotilla up" is run on it
 *   Then one line names the key, the file and the line; the exit code is 2 and nothing goes on running
 */
test('a local fleet with a malformed member starts nothing', async () => {
  using directory = temporaryDirectory();
  for (const [name, yaml] of [
    ['hq', 'instance: { name: hq, role: manager }\nservice: { port: 0 }\n'],
    ['laptop-a', 'instance:\n  name: laptop-a\nservice:\n  prot: 0\n'],
  ] as const) {
    mkdirSync(join(directory.path, name));
    writeFileSync(join(directory.path, name, 'flotilla.yaml'), yaml);
  }

  const result = await runCli(['up', '--dir', directory.path, '--json']);

  expectRefusal(result, /laptop-a.flotilla\.yaml:4:\d+ service\.prot: .*port/);
});

function start(directory: string): Promise<CliResult> {
  return runCli(['start', '--config', join(directory, 'flotilla.yaml'), '--json']);
}

/** One line for people, with everything that is told in it, and nothing that looks like a crash. */
function expectRefusal({ exitCode, stdout, stderr }: CliResult, ...told: readonly RegExp[]): void {
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^error: Cannot /);
  for (const pattern of told) expect(lines[0]).toMatch(pattern);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
}
