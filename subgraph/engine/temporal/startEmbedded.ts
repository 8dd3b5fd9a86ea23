/** Embedded Temporal mode: a server of the instance's own, on the state that only it may use (spec/worker.md § 10.1). */
import { isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '../../../lib/Clock.ts';
import type { Logger } from '../../../lib/Logger.ts';
import type { Config } from '../../../schema/config/ConfigSchema.ts';
import { badUserInput } from '../../../schema/errors.ts';
import { startDevServer } from './DevServer.ts';
import { endOrphan, notePid } from './endOrphan.ts';
import { fetchTemporalCli } from './fetchTemporalCli.ts';
import { findTemporalCli, isExecutable } from './findTemporalCli.ts';
import { lockFile } from './lockFile.ts';

export interface EmbeddedOptions {
  readonly config: Config['temporal'];
  readonly stateDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface EmbeddedServer extends AsyncDisposable {
  readonly address: string;
}

/**
 * Locks the state, starts the server and waits until it answers. Nothing else is tried when it does not start.
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
  const server = resources.use(
    await startDevServer({ executable, databasePath, port, namespace: config.namespace, clock }),
  );
  if (databasePath !== undefined) resources.use(notePid(databasePath, server.pid));
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
  let isStopping = false;
  void server.ended.then(() => {
    if (!isStopping)
      logger.error(
        { address },
        "Temporal's server has ended; the instance takes nothing until it is started again",
      );
  });
  const owned = resources.move();
  return {
    address,
    async [Symbol.asyncDispose]() {
      isStopping = true;
      await owned.disposeAsync();
      logger.info({ address }, "Temporal's server has stopped");
    },
  };
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
