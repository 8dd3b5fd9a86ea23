/** Embedded Temporal mode: a server of the instance's own, on the state that only it may use (spec/worker.md § 10.1). */
import { isAbsolute, join, resolve } from 'node:path';
import { backoffMs } from '../../../lib/backoff.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import { badUserInput } from '../../../schema/errors.ts';
import { hostStopping } from '../endReasons.ts';
import { type DevServer, type DevServerOptions, startDevServer } from './DevServer.ts';
import { endOrphan, notePid } from './endOrphan.ts';
import { fetchTemporalCli } from './fetchTemporalCli.ts';
import { findTemporalCli, isExecutable } from './findTemporalCli.ts';
import { lockFile } from './lockFile.ts';

/** Waits before a server that has died is started again. */
const RESTART_BACKOFF = { initialMs: 250, coefficient: 2, maximumMs: 30_000 };

/** A server that lived for this long is no failed attempt, in milliseconds. */
const STABLE_MS = 60_000;

export interface EmbeddedOptions {
  readonly config: Config['temporal'];
  readonly stateDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface EmbeddedServer extends AsyncDisposable {
  /** The same as long as it lives. */
  readonly address: string;
  /** Of the server's process now. */
  readonly pid: number;
}

/**
 * Locks the state, starts the server and waits until it answers. Nothing else is tried when it does not start. One that dies
 * later is started again, on the same address and the same state, until it is disposed of.
 *
 * @throws {FlotillaError} CONFLICT when another process has the state; BAD_USER_INPUT when the binary cannot be
 * run; UNAVAILABLE when the server does not start.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { config, stateDirectory, clock, logger } = options;
  const { persist, port } = config.embedded;
  const databasePath = persist
    ? resolve(stateDirectory, config.embedded.databasePath ?? 'temporal.sqlite3')
    : undefined;
  const executable = await findExecutable(options);
  await using resources = new AsyncDisposableStack();
  if (databasePath !== undefined) {
    resources.use(lockFile(`${databasePath}.lock`, `Temporal state "${databasePath}"`));
    await endOrphan(databasePath, clock);
  }
  const settings = { executable, databasePath, namespace: config.namespace, clock };
  const server = await startDevServer({ ...settings, port });
  const { address } = server;
  const facts = {
    mode: 'embedded',
    address,
    namespace: config.namespace,
    state: databasePath ?? 'in memory',
  };
  logger.info(facts, "Temporal's server has started");
  logger.warn(
    { mode: 'embedded' },
    'Embedded Temporal mode is for trials and single machines, not for production',
  );
  const kept = resources.use(
    new KeptServer(server, {
      ...settings,
      port: Number(address.slice(address.lastIndexOf(':') + 1)),
      logger,
    }),
  );
  const owned = resources.move();
  return {
    address,
    get pid() {
      return kept.pid;
    },
    async [Symbol.asyncDispose]() {
      await owned.disposeAsync();
      logger.info({ address }, "Temporal's server has stopped");
    },
  };
}

/** The server, and whoever takes its place when it has died. */
class KeptServer implements AsyncDisposable {
  readonly #options: DevServerOptions & { readonly logger: Logger };
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  #server: DevServer;
  #note: Disposable | undefined;

  constructor(server: DevServer, options: DevServerOptions & { readonly logger: Logger }) {
    this.#options = options;
    this.#server = server;
    this.#noteServer();
    // Ends with the signal only.
    this.#done = this.#keep().catch(() => {});
  }

  get pid(): number {
    return this.#server.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(hostStopping());
    // The end of the server is what the loop waits for, unless it is starting one.
    await this.#server[Symbol.asyncDispose]();
    await this.#done;
    await this.#server[Symbol.asyncDispose]();
    this.#note?.[Symbol.dispose]();
  }

  async #keep(): Promise<void> {
    const { clock, logger } = this.#options;
    const { signal } = this.#stopping;
    for (let attempt = 1; ; attempt += 1) {
      const startedMs = clock.monotonicMs();
      await this.#server.ended;
      if (signal.aborted) return;
      if (clock.monotonicMs() - startedMs > STABLE_MS) attempt = 1;
      const { address } = this.#server;
      logger.error(
        { address },
        "Temporal's server has ended and is started again; until then nothing is taken in",
      );
      // Nobody else starts one here: there is no crowd to spread.
      await delay(clock, backoffMs(RESTART_BACKOFF, attempt, 0.5), signal);
      try {
        this.#server = await startDevServer(this.#options);
        this.#noteServer();
        logger.info({ address }, "Temporal's server has started again");
      } catch (error) {
        logger.error({ err: error, address }, "Temporal's server could not be started again");
      }
    }
  }

  #noteServer(): void {
    const { databasePath } = this.#options;
    if (databasePath !== undefined) this.#note = notePid(databasePath, this.#server.pid);
  }
}

/** A pinned binary is used or refused; nothing is fetched in its place. */
async function findExecutable({ config, env }: EmbeddedOptions): Promise<string> {
  const { executable, downloadDirectory } = config.embedded;
  if (executable !== undefined) {
    if (isAbsolute(executable) && isExecutable(executable)) return executable;
    throw badUserInput(
      'Cannot start Temporal: temporal.embedded.executable cannot be run, the absolute path of a binary is expected',
    );
  }
  return findTemporalCli(env) ?? fetchTemporalCli(downloadDirectory ?? cacheDirectory(env));
}

function cacheDirectory(env: EmbeddedOptions['env']): string {
  const base = env.XDG_CACHE_HOME || (env.HOME && join(env.HOME, '.cache'));
  if (base) return join(base, 'flotilla', 'temporal');
  throw badUserInput(
    'Cannot start Temporal: there is no home directory, temporal.embedded.downloadDirectory or temporal.embedded.executable is expected',
  );
}
