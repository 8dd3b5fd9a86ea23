/** A worker half without an engine: its real schema over a log in memory, and a configuration that tests may edit. */
import type { Clock } from '../../lib/Clock.ts';
import { systemIds } from '../../lib/ids.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { ConfigFile } from '../../subgraph/config/ConfigFile.ts';
import type { TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import { buildInstanceSchema } from '../../subgraph/resolvers/index.ts';
import type { WorkerParts } from '../../subgraph/resolvers/WorkerParts.ts';
import type { Worker, WorkerIdentity } from '../../subgraph/Worker.ts';
import { MemoryEventLog } from './MemoryEventLog.ts';

type ManagerConfig = Config['instance']['manager'];

export interface TestWorker extends Worker {
  readonly log: MemoryEventLog;
  /** Edits the file, so to speak: in force with the next look at the configuration. */
  edit(manager: Partial<ManagerConfig>): void;
  /** Refs that the worker answers for. */
  readonly managed: string[];
}

export interface TestWorkerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly instances?: ManagerConfig['instances'];
}

export function createTestWorker({ name, clock, instances = [] }: TestWorkerOptions): TestWorker {
  const managed: string[] = [];
  let manager = {
    instances,
    timeoutSeconds: 10,
    probeIntervalSeconds: 15,
    allowAddresses: [],
  } as ManagerConfig;
  const current = (): Config =>
    ({
      instance: { name, role: 'worker', scope: { mode: 'open', workItems: [] }, manager },
    }) as unknown as Config;
  const config = { path: '/flotilla.yaml', current } as unknown as ConfigFile;
  const log = new MemoryEventLog(clock);
  const identity = async (): Promise<WorkerIdentity> => ({
    name,
    version: '1.2.3',
    scope: { mode: 'open', workItems: [] },
    managed: managed.map((ref) => ({ ref, sources: ['session'] })),
    sessionCount: managed.length,
  });
  const engine = {} as TaskEngine;
  const parts: WorkerParts = {
    config,
    engine,
    channel: {} as WorkerParts['channel'],
    log,
    clock,
    ids: systemIds,
    version: '1.2.3',
    stateDirectory: '/state',
    commands: [],
    allowedModels: [],
    url: () => 'http://127.0.0.1:4114',
    identity,
    workItems: {} as WorkerParts['workItems'],
    standing: {} as WorkerParts['standing'],
    daemons: {
      list: async () => [{ name: 'engine', enabled: true, running: true, startedAtMs: clock.nowMs() }],
    } as unknown as WorkerParts['daemons'],
    critics: {} as WorkerParts['critics'],
    help: {} as WorkerParts['help'],
    workingDirectory: '/',
  };
  return {
    schema: buildInstanceSchema(parts),
    schemaWith: (overrides) => buildInstanceSchema(parts, overrides),
    log,
    engine,
    config,
    pushConfigs: {} as Worker['pushConfigs'],
    commands: [],
    allowedModels: [],
    managed,
    identity,
    canStore: () => true,
    edit(changes) {
      manager = { ...manager, ...changes };
    },
    async [Symbol.asyncDispose]() {},
  };
}
