import type { LogFields, Logger } from './Logger.ts';

/** The same logger, with fields that every line of it has; those of a line win. */
export function withFields(logger: Logger, fields: LogFields): Logger {
  return {
    debug: (own, message) => logger.debug({ ...fields, ...own }, message),
    info: (own, message) => logger.info({ ...fields, ...own }, message),
    warn: (own, message) => logger.warn({ ...fields, ...own }, message),
    error: (own, message) => logger.error({ ...fields, ...own }, message),
  };
}
