/**
 * A process that owns an embedded Temporal server: `node temporalOwner.ts <state directory> <how it ends>`.
 *
 * Writes the server's address and process as a line of JSON, then ends: `leave` the scope, `throw`, or `wait` for a signal.
 * A server that does not start is told on standard error, with exit code 2.
 */
import { writeSync } from 'node:fs';
import { systemClock } from '../../lib/Clock.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { ConfigSchema } from '../../schema/config/ConfigSchema.ts';
import { FlotillaError } from '../../schema/errors.ts';
import { startEmbedded } from '../../subgraph/engine/temporal/startEmbedded.ts';

const [, , stateDirectory = '', end] = process.argv;

try {
  await using server = await startEmbedded({
    config: ConfigSchema.parse({}).temporal,
    stateDirectory,
    env: process.env,
    clock: systemClock,
    logger: silentLogger,
  });
  writeSync(1, `${JSON.stringify({ address: server.address, pid: server.pid })}\n`);
  if (end === 'throw') throw new TypeError('the owner fails');
  if (end === 'wait') await new Promise((resolve) => setInterval(resolve, 2 ** 30));
} catch (error) {
  if (!(error instanceof FlotillaError)) throw error;
  writeSync(2, `${error.message}\n`);
  process.exitCode = 2;
}
