/** Keeps the event log within its limits: rarely, and in steps so small that nobody waits for one. */
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import { StateFileError } from '../../lib/StateDatabase.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { StateEventLog } from './createEventLog.ts';

/** Between two looks at the log, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Between two steps of one sweep, in milliseconds. */
const PAUSE_MS = 20;

/** Records that one step forgets. */
const STEP = 500;

const DAY_MS = 86_400_000;

export interface EventRetentionOptions {
  readonly log: Pick<StateEventLog, 'prune'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Asked at every step. */
  readonly limits: () => Config['retention']['events'];
}

/** Sweeps from a minute after the start on, until it is disposed of. While the state file cannot be written the sweep waits. */
export function createEventRetention({ log, clock, logger, limits }: EventRetentionOptions): Disposable {
  let timer = clock.schedule(INTERVAL_MS, sweep);

  function sweep(): void {
    timer = clock.schedule(takeStep() ? PAUSE_MS : INTERVAL_MS, sweep);
  }

  function takeStep(): boolean {
    const { count, days } = limits();
    try {
      return log.prune({ count, sinceMs: clock.nowMs() - days * DAY_MS, step: STEP });
    } catch (error) {
      if (!(error instanceof StateFileError))
        logger.error({ err: error }, 'Old events could not be forgotten');
      return false;
    }
  }

  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}
