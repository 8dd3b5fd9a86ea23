/** The hosts of tasks that a scenario is shown on: the same instance and the same assertions, once for each. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { createLogger } from '../../server/createLogger.ts';
import { createInstance, type Instance, type InstanceOptions } from '../../server/index.ts';
import type { DevServer } from '../../subgraph/engine/temporal/DevServer.ts';
import { startTemporalServer, TEMPORAL_CLI, temporalTest } from './temporalServer.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

export type TaskHost = 'embedded' | 'temporal';

/** Longest tests have several starts of a process; on Temporal also a server, a workflow's bundle, and heartbeats to miss. */
const TIMEOUT_MS: Readonly<Record<TaskHost, number>> = { embedded: 60_000, temporal: 180_000 };

/** Sections of `flotilla.yaml`. */
export type HostedConfig = Readonly<Record<string, unknown>>;

/** One server for all the instances of a test file, on task queues of their own. */
let server: Promise<DevServer> | undefined;
let queues = 0;
afterAll(async () => (await server)?.[Symbol.asyncDispose]());

/** Says of a test without a Temporal binary that it is left out; with `CI` that is an error. */
export function hostedTest(title: string, run: (host: TaskHost) => Promise<void>): void {
  const { embedded, temporal } = TIMEOUT_MS;
  describe('embedded', () => test(title, { timeout: embedded }, () => run('embedded')));
  describe('temporal', () => temporalTest(title, { timeout: temporal }, () => run('temporal')));
}

/** What `flotilla.yaml` has to say for tasks on this host; for one instance, also when it is started again. */
export async function configOf(host: TaskHost): Promise<HostedConfig> {
  if (host === 'embedded') return {};
  if (TEMPORAL_CLI === undefined) throw new Error('There is no temporal binary');
  server ??= startTemporalServer(TEMPORAL_CLI);
  const { address } = await server;
  queues += 1;
  return { engine: 'temporal', temporal: { address, taskQueue: `tasks-${queues}` } };
}

/** Something that several tests of a file use: opened for a host when it is first asked for, closed behind the last test. */
export function sharedByHost<T extends AsyncDisposable>(
  open: (host: TaskHost) => Promise<T>,
): (host: TaskHost) => Promise<T> {
  const opened = new Map<TaskHost, Promise<T>>();
  afterAll(async () => {
    await using resources = new AsyncDisposableStack();
    for (const each of opened.values()) resources.use(await each);
  });
  return (host) => {
    const present = opened.get(host) ?? open(host);
    opened.set(host, present);
    return present;
  };
}

export interface HostedOptions extends Omit<InstanceOptions, 'configPath' | 'stateDirectory'> {
  readonly config?: HostedConfig;
}

/** An instance in this process, on a state directory that lives as long as it does. */
export interface HostedInstance extends AsyncDisposable {
  /** Another one after a restart. */
  readonly url: string;
  /** What the operator was told so far, a JSON object a line. */
  readonly log: string;
  readonly directory: string;
  /** Stops the instance and starts another one on its state. @param changed what is different about it */
  restart(changed?: HostedOptions): Promise<void>;
}

export async function openHosted(host: TaskHost, options: HostedOptions = {}): Promise<HostedInstance> {
  await using resources = new AsyncDisposableStack();
  const folder = resources.adopt(temporaryDirectory(), (each) => each[Symbol.dispose]());
  const configPath = join(folder.path, 'flotilla.yaml');
  const ofHost = await configOf(host);
  let log = '';
  const logger = createLogger('debug', {
    destination: {
      write(line) {
        log += line;
      },
    },
  });
  const open = ({ config, ...rest }: HostedOptions): Promise<Instance> => {
    writeFileSync(configPath, JSON.stringify({ ...config, ...ofHost }));
    return createInstance({ configPath, port: 0, env: {}, logger, ...rest });
  };
  let instance = await open(options);
  resources.defer(() => instance[Symbol.asyncDispose]());
  const owned = resources.move();
  return {
    get url() {
      return instance.url;
    },
    get log() {
      return log;
    },
    directory: folder.path,
    async restart(changed = {}) {
      await instance[Symbol.asyncDispose]();
      instance = await open({ ...options, ...changed });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
