/** The operator's log: JSON lines, one per entry, on standard error, without credentials (spec/worker.md §§ 8.8, 9.2). */
import pino, { type DestinationStream } from 'pino';
import type { LogFields, Logger } from '../lib/Logger.ts';
import { createRedactor, type Redactor, redactDeep } from '../lib/redact.ts';

export interface LoggerOptions {
  /** @default standard error, written synchronously so that the last lines of a crash are there */
  readonly destination?: DestinationStream;
  /** Masks credentials in messages and fields. @default by their shape only */
  readonly redact?: Redactor;
  /** What every line has; asked at each. The fields of a line win. @default nothing */
  readonly context?: () => LogFields;
}

export function createLogger(
  level: 'debug' | 'info' | 'warn' | 'error',
  {
    destination = pino.destination({ dest: 2, sync: true }),
    redact = createRedactor(),
    context = () => ({}),
  }: LoggerOptions = {},
): Logger {
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: context,
      // Done before, so that what it makes is redacted.
      serializers: { err: (plain) => plain },
    },
    destination,
  );
  const writer = (to: keyof Logger) => (fields: LogFields, message: string) => {
    if (log.isLevelEnabled(to)) log[to](redactDeep(toPlain(fields), redact), redact(message));
  };
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') };
}

/** An error as its type, message and stack, with those of its causes, so that they can be redacted. */
function toPlain({ err, ...fields }: LogFields): LogFields {
  if (err === undefined) return fields;
  return { ...fields, err: err instanceof Error ? { ...pino.stdSerializers.err(err) } : err };
}
