/** A manager of simulated members. */
import { startInstance } from '../fleetRead/instances.ts';
import { type BenchProcess, startProcess } from '../support/processes.ts';

export interface SimulatedMember {
  readonly name: string;
  readonly url: string;
}

export interface SimulationOptions {
  readonly members: number;
  /** Of each. */
  readonly rows: number;
  /** Until each answer. @default 0 */
  readonly delayMs?: number;
}

/** The members `m0`, `m1` and so on, in one process. */
export async function startMembers(
  resources: AsyncDisposableStack,
  { members, rows, delayMs = 0 }: SimulationOptions,
): Promise<{ readonly process: BenchProcess; readonly members: readonly SimulatedMember[] }> {
  const args = [members, rows, delayMs].map(String);
  const process = await startProcess(resources, 'bench/fleetScale/simulatedMembers.ts', args);
  const names = Array.from({ length: members }, (_, index) => `m${index}`);
  return { process, members: names.map((name) => ({ name, url: `${process.url}/${name}` })) };
}

/** @param settings of `instance.manager`, as YAML flow entries. */
export function startManagerOf(
  resources: AsyncDisposableStack,
  members: readonly SimulatedMember[],
  settings: Readonly<Record<string, number>> = {},
): Promise<BenchProcess> {
  const values = Object.entries(settings).map(([key, value]) => `    ${key}: ${value}\n`);
  const registry = members.map(({ name, url }) => `      - { name: ${name}, url: "${url}" }\n`);
  const manager = `  manager:\n${values.join('')}    instances:\n${registry.join('')}`;
  return startInstance(resources, `instance:\n  name: hq\n  role: manager\n${manager}`);
}
