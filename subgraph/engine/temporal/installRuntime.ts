/** Temporal's runtime in this process. */
import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from '../../../lib/Logger.ts';

/**
 * Has Temporal's runtime write its warnings and errors to our log, and leave the signals to us. There is one in a process,
 * so only the first call counts.
 */
export function installRuntime(logger: Logger): void {
  if (Runtime._instance) return;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      const fields = { source: 'temporal', ...meta };
      if (level === 'ERROR') logger.error(fields, message);
      else logger.warn(fields, message);
    }),
    telemetryOptions: { logging: { forward: {}, filter: 'WARN' } },
  });
}
