/** A restart on request: answered first, then done by the program that runs the instance. */
import type { Clock } from '../lib/Clock.ts';
import { conflict } from '../schema/errors.ts';
import { ConfigError, type RestartProcess } from '../subgraph/index.ts';

export interface RestartOptions {
  readonly clock: Clock;
  /** Reads the configuration as the next start will. */
  readonly readConfig: () => unknown;
}

/**
 * `begin` is called once, after the request that asks has been taken in; stopping waits for its answer. What it returns throws
 * CONFLICT when the next start would fail on its configuration: whoever asks would lose the instance.
 */
export function createRestart(begin: () => void, { clock, readConfig }: RestartOptions): RestartProcess {
  let isAsked = false;
  return () => {
    assertReadable(readConfig);
    if (!isAsked) clock.schedule(0, begin);
    isAsked = true;
    return { pid: process.pid, logfile: '' };
  };
}

function assertReadable(readConfig: () => unknown): void {
  try {
    readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw conflict(`Cannot restart: the configuration could not be read again: ${error.message}`);
  }
}
