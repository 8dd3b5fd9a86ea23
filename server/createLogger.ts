/** The operator's log: JSON lines, one per entry, on standard error. */
import pino, { type DestinationStream } from 'pino';
import type { Logger } from '../lib/Logger.ts';

/** @param destination @default standard error, written synchronously so that the last lines of a crash are there. */
export function createLogger(
  level: 'debug' | 'info' | 'warn' | 'error',
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    destination,
  );
}
