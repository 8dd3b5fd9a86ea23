import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { silentLogger } from '../../lib/Logger.ts';
import { createInstance, type Instance, StartError } from '../../server/index.ts';
import { readGraphQL } from '../support/askGraphQL.ts';
import { type TemporaryDirectory, temporaryDirectory } from '../support/temporaryDirectory.ts';

const WORKER = 'instance: { name: alpha }';
const MANAGER = 'instance: { name: hq, role: manager }';

function start(
  directory: TemporaryDirectory,
  yaml: string,
  env: Record<string, string> = {},
): Promise<Instance> {
  const configPath = join(directory.path, 'flotilla.yaml');
  writeFileSync(configPath, yaml);
  const stateDirectory = join(directory.path, 'state');
  return createInstance({ configPath, env, port: 0, stateDirectory, logger: silentLogger });
}

test.each([
  ['worker', WORKER, 'alpha'],
  ['manager', MANAGER, 'hq'],
])('a %s says who it is, on every face', async (role, yaml, name) => {
  using directory = temporaryDirectory();
  await using instance = await start(directory, yaml);
  expect(instance).toMatchObject({ name, role, pid: process.pid, isReady: true });
  const rest = await (await fetch(`${instance.url}/api/v1/instance`)).json();
  expect(rest).toMatchObject({ name, role, interfaces: { graphql: '/graphql' } });
  const graph = await readGraphQL(instance.url, '{ instance { name role } instances { name url state } }');
  expect(graph).toEqual({
    instance: { name, role: role.toUpperCase() },
    instances: [{ name, url: instance.url, state: 'LIVE' }],
  });
  expect((await fetch(`${instance.url}/health/ready`)).status).toBe(200);
});

test.each([
  ['worker', WORKER],
  ['manager', MANAGER],
])('a %s passes the GraphQL over HTTP audits', async (_role, yaml) => {
  using directory = temporaryDirectory();
  await using instance = await start(directory, yaml);
  const results = await Promise.all(
    serverAudits({ url: `${instance.url}/graphql` }).map((audit) => audit.fn()),
  );
  expect(results.filter(({ status }) => status !== 'ok' && status !== 'notice')).toEqual([]);
});

test('starting and stopping is in the log, and the state is there for the next start', async () => {
  using directory = temporaryDirectory();
  const first = await start(directory, WORKER);
  await first[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  expect(first.isReady).toBe(false);
  await using second = await start(directory, WORKER);
  const rows = (await (await fetch(`${second.url}/api/v1/events?type=service.*`)).json()) as {
    event: string;
  }[];
  expect(rows.map(({ event }) => event)).toEqual(['service.started', 'service.stopped', 'service.started']);
});

test.each([
  ['an unknown key', 'instance: { nam: alpha }', 'instance.nam'],
  ['a role that is none', 'instance: { role: manger }', 'instance.role'],
  ['a manager without a name', 'instance: { role: manager }', 'instance.name'],
  ['a bind that others reach', 'service: { host: 0.0.0.0 }', 'service.host'],
  ['a token that is not set', 'service: { auth: { tokenEnvs: [FLOTILLA_TOKEN] } }', 'service.auth.tokenEnvs'],
  ['no YAML', 'instance: [', 'flotilla.yaml'],
])('%s is refused with one line and exit code 2, before anything is touched', async (_title, yaml, key) => {
  using directory = temporaryDirectory();
  const error = await start(directory, yaml).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(key) });
  expect((error as StartError).message).not.toContain('\n');
  expect(() => readFileSync(join(directory.path, 'state'))).toThrow('ENOENT');
});

test('a state directory that is in use is refused with one line', async () => {
  using directory = temporaryDirectory();
  await using _first = await start(directory, WORKER);
  const second = start(directory, WORKER);
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow(/in use/);
});

test('a state directory that cannot be used is refused with one line', async () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'state'), 'a file');
  await expect(start(directory, WORKER)).rejects.toThrow(StartError);
});

test('a port that is in use is refused, and the state directory is free again', async () => {
  using directory = temporaryDirectory();
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const configPath = join(directory.path, 'flotilla.yaml');
  writeFileSync(configPath, WORKER);
  const stateDirectory = join(directory.path, 'state');
  const refused = createInstance({ configPath, env: {}, port, stateDirectory, logger: silentLogger });
  await expect(refused).rejects.toThrow(`port ${port} is in use`);
  other.close();
  await using again = await start(directory, WORKER);
  expect(again.isReady).toBe(true);
});

test('a start that fails late undoes what it has done', async () => {
  using directory = temporaryDirectory();
  const configPath = join(directory.path, 'flotilla.yaml');
  writeFileSync(configPath, MANAGER);
  mkdirSync(join(directory.path, 'state'));
  const failed = createInstance({
    configPath,
    env: {},
    port: 0,
    stateDirectory: join(directory.path, 'state'),
    logger: silentLogger,
    onReady: () => {
      throw new Error('not now');
    },
  });
  await expect(failed).rejects.toThrow('not now');
  await using again = await start(directory, MANAGER);
  expect(again.isReady).toBe(true);
});

test('tokens come from the environment', async () => {
  using directory = temporaryDirectory();
  const yaml = `${WORKER}\nservice: { auth: { tokenEnvs: [FLOTILLA_TOKEN] } }`;
  await using instance = await start(directory, yaml, { FLOTILLA_TOKEN: 'secret' });
  expect((await fetch(`${instance.url}/api/v1/instance`)).status).toBe(401);
  const headers = { authorization: 'Bearer secret' };
  expect((await fetch(`${instance.url}/api/v1/instance`, { headers })).status).toBe(200);
});
