/** Instances of a benchmark, each with a configuration and a state directory of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQuery } from '../support/createQuery.ts';
import { type BenchProcess, startProcess } from '../support/processes.ts';

const GOAL = "Check the ledger against the bank's statement and list every difference with its cause";
const CREATE = `mutation { createTask(input: { name: "Check the ledger", goal: "${GOAL}" }) { ref } }`;

/** A worker with `tasks` tasks; they have no message, so that no model is in the way. */
export async function startWorker(
  resources: AsyncDisposableStack,
  name: string,
  tasks: number,
): Promise<BenchProcess> {
  const worker = await startInstance(resources, `instance:\n  name: ${name}\n`);
  const create = createQuery(resources, worker.url, { text: CREATE, rows: 0 });
  for (let index = 0; index < tasks; index++) await create();
  return worker;
}

/** A manager of `members`, which are called `member0`, `member1` and so on. */
export async function startManager(
  resources: AsyncDisposableStack,
  members: readonly BenchProcess[],
): Promise<BenchProcess> {
  const registry = members.map(({ url }, index) => `      - { name: member${index}, url: "${url}" }\n`);
  const role = '  role: manager\n  manager:\n    instances:\n';
  return startInstance(resources, `instance:\n  name: hq\n${role}${registry.join('')}`);
}

/** `config` is the text of the configuration without its port. */
export async function startInstance(resources: AsyncDisposableStack, config: string): Promise<BenchProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'flotilla-bench-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'flotilla.yaml');
  await writeFile(path, `${config}service:\n  port: 0\n`);
  return startProcess(resources, 'cli/main.ts', ['start', '--config', path, '--json']);
}
