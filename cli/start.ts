/** `flotilla start`: one instance, in the foreground. The only command that is not a client. */
import { existsSync } from 'node:fs';
import closeWithGrace from 'close-with-grace';
import { Command } from 'commander';
import { FlotillaError } from '../schema/errors.ts';
import { CliError } from './CliError.ts';
import { print } from './output.ts';
import { canRestart, readRestart, startAgain } from './restart.ts';

/** How long requests, turns and streams may take to end, in milliseconds. */
const CLOSE_TIMEOUT_MS = 10_000;

export function startCommand(): Command {
  return new Command('start')
    .description('run one instance')
    .requiredOption('--config <file>', 'its configuration, YAML')
    .option('--json', 'print {name, role, url, pid} and {"ready":true}, one a line')
    .action(start);
}

/**
 * Runs until SIGINT or SIGTERM, or until the process that started it goes away (when there is an IPC channel to it), or until a client
 * asks for a restart: then the process becomes a new one in its own place, or is started again by the one that started it.
 */
async function start({ config, json }: { config: string; json?: boolean }): Promise<void> {
  if (!existsSync(config)) {
    throw new CliError(
      2,
      `Cannot start: there is no configuration file "${config}", an existing one is expected`,
    );
  }
  // Loaded here, because the other commands are clients and start in a fraction of the time without it.
  const { createInstance, StartError } = await import('../server/index.ts');
  const restarted = readRestart();
  const instance = await createInstance({
    configPath: config,
    ...(restarted && { restarted }),
    ...(canRestart() && { onRestart: () => restart() }),
  }).catch((error: unknown) => {
    if (!(error instanceof StartError)) throw error;
    // What the configuration asks for is right, and is not there: it may be later.
    const isAway = error.cause instanceof FlotillaError && error.cause.code === 'UNAVAILABLE';
    throw new CliError(isAway ? 1 : 2, error.message, { cause: error });
  });
  let isRestarting = false;
  const goOn = (): void => {
    if (isRestarting) startAgain(instance.url);
  };
  const closing = closeWithGrace(
    { delay: CLOSE_TIMEOUT_MS, logger: false, onTimeout: goOn },
    async ({ err }) => {
      if (err) process.stderr.write(`error: ${err.message}\n`);
      try {
        await instance[Symbol.asyncDispose]();
      } finally {
        // Whoever was told that it restarts waits for it, however badly this one has ended.
        goOn();
      }
    },
  );
  const restart = (): void => {
    isRestarting = true;
    void closing.close();
  };
  process.once('disconnect', () => void closing.close());
  const { name, role, url, pid } = instance;
  if (json) print(`${JSON.stringify({ name, role, url, pid })}\n{"ready":true}`);
  else print(`${name || '(unnamed)'}  ${role}  ${url}`);
}
