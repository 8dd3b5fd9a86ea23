/** Fleets with real services of the REST contract, and requests to whatever speaks it. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { type InstanceConfig, InstanceProcess } from './InstanceProcess.ts';
import { PythonService } from './PythonService.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export interface Http {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly body: any;
}

/** @param path behind `/api/v1`. */
export async function get(url: string, path: string): Promise<Http> {
  const response = await fetch(`${url}/api/v1${path}`);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** @param path the whole of it. */
export async function post(url: string, path: string, body: unknown): Promise<Http> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

// biome-ignore lint/suspicious/noExplicitAny: as above
export async function ask(url: string, query: string, variables: object = {}): Promise<any> {
  return (await post(url, '/graphql', { query, variables })).body;
}

/** A task of an instance of ours. */
export async function createTask(url: string, ref: string): Promise<void> {
  const input = { name: 'work', goal: 'to be done', ref };
  const mutation = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }';
  const { errors } = await ask(url, mutation, { input });
  expect(errors).toBeUndefined();
}

/** A session of a Python service. */
export function register(url: string, ref: string): Promise<Http> {
  return post(url, '/api/v1/sessions/register', { ref, harness: 'claude', harnessSessionId: 'h1', cwd: '.' });
}

/** A manager `hq` of ours over members that run already. It probes them each second. */
export async function startManager(
  directory: string,
  members: Readonly<Record<string, { readonly url: string }>>,
): Promise<InstanceProcess> {
  const instances = Object.entries(members).map(([name, { url }]) => ({ name, url }));
  const config: InstanceConfig = {
    instance: { role: 'manager', manager: { timeoutSeconds: 20, probeIntervalSeconds: 1, instances } },
  };
  const manager = new InstanceProcess('hq', directory, config);
  await manager.start();
  return manager;
}

/** Two services of the contract, `alpha` and `beta`, and a worker `gamma` of ours under our manager `hq`. */
export async function openMixedFleet() {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const start = (name: string) => PythonService.start({ name, directory: join(path, name) });
  const [alpha, beta] = await Promise.all([start('alpha'), start('beta')]);
  resources.use(alpha);
  resources.use(beta);
  const gamma = resources.use(new InstanceProcess('gamma', join(path, 'gamma')));
  await gamma.start();
  const hq = resources.use(await startManager(join(path, 'hq'), { alpha, beta, gamma }));
  const owned = resources.move();
  return { hq, alpha, beta, gamma, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A service `alpha` of the contract under our manager `hq`. */
export async function openPythonMember() {
  await using resources = new AsyncDisposableStack();
  const { path } = resources.use(temporaryDirectory());
  const alpha = resources.use(await PythonService.start({ name: 'alpha', directory: join(path, 'alpha') }));
  const hq = resources.use(await startManager(join(path, 'hq'), { alpha }));
  const owned = resources.move();
  return { hq, alpha, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
