/** Writes to the state file that nobody may fail with: what a part notes while it does something else. */
import type { LogFields, Logger } from './Logger.ts';
import { StateFileError } from './StateDatabase.ts';

/**
 * Never throws: what cannot be written is lost. Of a file that cannot be written its owner tells, once; every other failure is a
 * defect, and logged with `fields`.
 */
export function tryToWrite(write: () => void, logger: Pick<Logger, 'error'>, fields: LogFields = {}): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof StateFileError))
      logger.error({ err: error, ...fields }, 'An event could not be written');
  }
}
