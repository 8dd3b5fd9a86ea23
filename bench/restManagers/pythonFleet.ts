/** Workers of the Python service, each with work, under the service's own manager and under ours. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../test/chaos/freePorts.ts';
import { PythonService } from '../../test/support/PythonService.ts';
import { startManagerOf } from '../fleetScale/simulatedFleet.ts';
import type { BenchProcess } from '../support/processes.ts';

/** Of both managers, in seconds; what a peer has no setting for is its default. */
const PROBE_INTERVAL_SECONDS = 15;
const TIMEOUT_SECONDS = 5;

export interface PythonFleet {
  readonly workers: readonly PythonService[];
  readonly flotilla: BenchProcess;
  /** The service's own manager. */
  readonly python: BenchProcess;
}

export interface FleetSize {
  readonly members: number;
  /** Work items of each, all of which have a session. */
  readonly rows: number;
}

export async function startPythonFleet(
  resources: AsyncDisposableStack,
  { members, rows }: FleetSize,
): Promise<PythonFleet> {
  const directory = await mkdtemp(join(tmpdir(), 'flotilla-bench-'));
  resources.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  const names = Array.from({ length: members }, (_, index) => `member${index}`);
  const [ownPort, ...ports] = await freePorts(members + 1);
  const workers = await Promise.all(
    names.map(async (name, index) => {
      const port = ports[index] as number;
      const worker = await PythonService.start({ name, directory: join(directory, name), port });
      return resources.use(worker);
    }),
  );
  await Promise.all(workers.map((worker, member) => fill(worker, { member, rows })));
  const registry = workers.map(({ url }, index) => ({ name: names[index] as string, url }));
  const python = resources.use(
    await PythonService.start({
      name: 'boss',
      directory: join(directory, 'boss'),
      port: ownPort as number,
      members: registry,
      probeIntervalSeconds: PROBE_INTERVAL_SECONDS,
    }),
  );
  const settings = { timeoutSeconds: TIMEOUT_SECONDS, probeIntervalSeconds: PROBE_INTERVAL_SECONDS };
  return { workers, python, flotilla: await startManagerOf(resources, registry, settings) };
}

/** The work item `row` of a member, both from 0. */
export function refOf(member: number, row: number): string {
  return `github:octo/repo${member}#${row + 1}`;
}

async function fill(
  { url }: PythonService,
  { member, rows }: { readonly member: number; readonly rows: number },
): Promise<void> {
  for (let row = 0; row < rows; row += 1) {
    const ref = refOf(member, row);
    await post(`${url}/api/v1/sessions/register`, {
      ref,
      harness: 'claude',
      harnessSessionId: ref,
      cwd: '.',
    });
    await post(`${url}/api/v1/sessions/control`, { ref, verb: 'pause', comment: false });
  }
}

async function post(url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Cannot fill a worker: ${await response.text()}`);
  await response.body?.cancel();
}
