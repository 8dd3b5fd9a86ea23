/** A Temporal server for the tests of one file, on a port of its own and in memory. */
import { test } from 'vitest';
import { systemClock } from '../../lib/Clock.ts';
import { type DevServer, startDevServer } from '../../subgraph/engine/temporal/DevServer.ts';
import { findTemporalCli } from '../../subgraph/engine/temporal/findTemporalCli.ts';

/** The binary that tests use: `TEMPORAL_CLI_PATH`, else `temporal` on the PATH; undefined when there is none. */
export const TEMPORAL_CLI: string | undefined = findTemporalCli(process.env);

// A gate that passes without the server would prove nothing of the Temporal host.
if (process.env.CI === 'true' && TEMPORAL_CLI === undefined) {
  throw new Error('CI needs the temporal binary: set TEMPORAL_CLI_PATH or put it on the PATH');
}

/** A test that is left out, and named at the end of the run, where there is no binary. */
export const temporalTest = test.skipIf(TEMPORAL_CLI === undefined);

export function startTemporalServer(executable: string): Promise<DevServer> {
  return startDevServer({ executable, namespace: 'default', clock: systemClock });
}
