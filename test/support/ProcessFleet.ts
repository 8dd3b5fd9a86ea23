/** A manager `hq` and its workers, each a process of its own, in a folder that is gone with the fleet. */
import { join } from 'node:path';
import { type InstanceConfig, InstanceProcess } from './InstanceProcess.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

/** A member that does not answer is noticed, and one that is back is used again, within about this time. */
const PROBE_INTERVAL_SECONDS = 1;
/** Longest wait of the manager for one answer of a member; none needs that long, however busy the machine is. */
export const TIMEOUT_SECONDS = 10;

export interface FleetOptions {
  /** Config of each worker by name, in fleet order. */
  readonly workers: Readonly<Record<string, InstanceConfig>>;
  readonly manager?: InstanceConfig;
}

export class ProcessFleet implements AsyncDisposable {
  readonly manager: InstanceProcess;
  readonly #workers: readonly InstanceProcess[];
  readonly #directory: Disposable;

  /** Resolves when all of them are ready. Workers come first: the registry needs their ports. */
  static async start({ workers, manager = {} }: FleetOptions): Promise<ProcessFleet> {
    const directory = temporaryDirectory();
    const started = Object.entries(workers).map(
      ([name, config]) => new InstanceProcess(name, join(directory.path, name), config),
    );
    try {
      await Promise.all(started.map((worker) => worker.start()));
      const hq = new InstanceProcess('hq', join(directory.path, 'hq'), {
        ...manager,
        instance: {
          role: 'manager',
          manager: {
            timeoutSeconds: TIMEOUT_SECONDS,
            probeIntervalSeconds: PROBE_INTERVAL_SECONDS,
            instances: started.map(({ name, url }) => ({ name, url })),
          },
        },
      });
      const fleet = new ProcessFleet(hq, started, directory);
      await hq.start();
      return fleet;
    } catch (error) {
      await Promise.all(started.map((worker) => worker[Symbol.asyncDispose]()));
      directory[Symbol.dispose]();
      throw error;
    }
  }

  private constructor(manager: InstanceProcess, workers: readonly InstanceProcess[], directory: Disposable) {
    this.manager = manager;
    this.#workers = workers;
    this.#directory = directory;
  }

  /** Manager first, then the workers in the order of the registry. */
  get instances(): readonly InstanceProcess[] {
    return [this.manager, ...this.#workers];
  }

  /** Address of the manager. */
  get url(): string {
    return this.manager.url;
  }

  instance(name: string): InstanceProcess {
    const found = this.instances.find((instance) => instance.name === name);
    if (!found) throw new Error(`There is no ${name} in this fleet`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance[Symbol.asyncDispose]()));
    this.#directory[Symbol.dispose]();
  }
}
