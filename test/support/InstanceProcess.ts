/** One instance as a process of its own: `flotilla start` on a folder of the test, to be killed and started again. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { freePorts } from '../chaos/freePorts.ts';
import { CliProcess } from './CliProcess.ts';

/**
 * Sections of `flotilla.yaml`, written at each start. `service.port` is added: a free one that nobody is given while the instance is down,
 * the same at each start. A config that names its port is written once, and keeps what the instance has changed in it.
 */
export type InstanceConfig = Readonly<Record<string, unknown>>;

export class InstanceProcess implements AsyncDisposable {
  readonly name: string;
  readonly directory: string;
  readonly #config: InstanceConfig;
  #port = 0;
  #process: CliProcess | undefined;

  /** @param directory is made when it is missing. */
  constructor(name: string, directory: string, config: InstanceConfig = {}) {
    this.name = name;
    this.directory = directory;
    this.#config = config;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get pid(): number {
    return this.#running.pid;
  }

  /** What the process that runs, or ran last, has written on standard error. */
  get stderr(): string {
    return this.#running.stderr;
  }

  /** Resolves when the instance says that it is ready. */
  async start(): Promise<void> {
    mkdirSync(this.directory, { recursive: true });
    const configPath = join(this.directory, 'flotilla.yaml');
    const instance = { name: this.name, ...(this.#config.instance as object | undefined) };
    const ownService = this.#config.service as { readonly port?: number } | undefined;
    if (this.#port === 0) [this.#port = 0] = await freePorts(1);
    const service = { port: this.#port, ...ownService };
    if (ownService?.port === undefined || !existsSync(configPath)) {
      writeFileSync(configPath, stringify({ ...this.#config, instance, service }));
    }
    this.#process = new CliProcess(['start', '--config', configPath, '--json']);
    const facts = JSON.parse(await this.#process.line((line) => line.includes('"url"'))) as { url: string };
    this.#port = Number(new URL(facts.url).port);
    await this.#process.line((line) => line === '{"ready":true}');
  }

  /** `kill -9`: nothing of the instance gets a chance to tidy up. */
  async kill(): Promise<void> {
    await this.#running.kill('SIGKILL');
  }

  /** Asks it to stop; resolves with its exit code. */
  async stop(): Promise<number | null> {
    return this.#running.kill('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.[Symbol.asyncDispose]();
  }

  get #running(): CliProcess {
    if (!this.#process) throw new Error(`${this.name} was never started`);
    return this.#process;
  }
}
