/** An instance as it is started for real, in this process, on a configuration file that a test edits by hand. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextTurn } from '../../lib/nextTurn.ts';
import { createLogger } from '../../server/createLogger.ts';
import { createInstance, type Instance } from '../../server/index.ts';
import { type GraphQLAnswer, askGraphQL as sendGraphQL } from './askGraphQL.ts';
import type { FakeClock } from './FakeClock.ts';
import { type TemporaryDirectory, temporaryDirectory } from './temporaryDirectory.ts';

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly body: any;
}

export interface RunningInstanceOptions {
  readonly clock?: FakeClock;
  /** Directory of the built dashboard. */
  readonly webRoot?: string;
}

export class RunningInstance implements AsyncDisposable {
  readonly directory: string;
  readonly configPath: string;
  readonly #folder: TemporaryDirectory;
  readonly #options: RunningInstanceOptions;
  #instance: Instance | undefined;
  #log: string[] = [];

  /** @param yaml what the file holds; without a text there is no file. */
  static async start(
    yaml: string | undefined,
    options: RunningInstanceOptions = {},
  ): Promise<RunningInstance> {
    const running = new RunningInstance(temporaryDirectory(), options);
    try {
      if (yaml !== undefined) running.write(yaml);
      await running.start();
      return running;
    } catch (error) {
      await running[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(folder: TemporaryDirectory, options: RunningInstanceOptions) {
    this.#folder = folder;
    this.#options = options;
    this.directory = folder.path;
    this.configPath = join(folder.path, 'flotilla.yaml');
  }

  get url(): string {
    if (!this.#instance) throw new Error('The instance does not run');
    return this.#instance.url;
  }

  /** What the operator was warned of since the last start. */
  get warnings(): readonly string[] {
    return this.#log
      .map((line) => JSON.parse(line) as { level: string; msg: string })
      .flatMap(({ level, msg }) => (level === 'warn' ? [msg] : []));
  }

  /** Everything that the operator was told since the last start. */
  get log(): string {
    return this.#log.join('');
  }

  /** On any free port, which is another one each time. */
  async start(): Promise<void> {
    this.#log = [];
    this.#instance = await createInstance({
      configPath: this.configPath,
      env: {},
      port: 0,
      logger: createLogger('debug', { destination: { write: (line) => this.#log.push(line) } }),
      ...this.#options,
    });
  }

  async stop(): Promise<void> {
    let isStopping = true;
    const stopped = Promise.resolve(this.#instance?.[Symbol.asyncDispose]()).finally(() => {
      isStopping = false;
    });
    // A clock that stands still would hold the end back for ever.
    while (isStopping && this.#options.clock) {
      this.#options.clock.advance(100);
      await nextTurn();
    }
    await stopped;
    this.#instance = undefined;
  }

  /** An edit by hand. */
  write(text: string): void {
    writeFileSync(this.configPath, text);
  }

  read(): string {
    return readFileSync(this.configPath, 'utf8');
  }

  async get(path: string): Promise<RestAnswer> {
    return toAnswer(await fetch(`${this.url}/api/v1${path}`));
  }

  async post(path: string, body: unknown): Promise<RestAnswer> {
    const headers = { 'content-type': 'application/json' };
    return toAnswer(
      await fetch(`${this.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
    );
  }

  ask(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<GraphQLAnswer> {
    return sendGraphQL(this.url, query, variables);
  }

  /** Rows of the fleet as REST has them. */
  async rows(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return (await this.get('/instances')).body.instances;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}

async function toAnswer(response: Response): Promise<RestAnswer> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}
