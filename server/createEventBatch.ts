/**
 * Events of which there are many and none of which anybody waits for: written together, a few times in a second, so that a read of the
 * API costs no write to the disk.
 *
 * None is lost when the instance is stopped; a crash loses those of the last moment. Their time in the log is that of the write.
 */
import type { Clock } from '../lib/Clock.ts';
import type { Logger } from '../lib/Logger.ts';
import type { EventLog, NewEvent } from '../subgraph/index.ts';

/** From the first event of a batch to its write, in milliseconds. */
const FLUSH_MS = 200;

/** To the next attempt after one that failed, in milliseconds. */
const RETRY_MS = 5_000;

/** Events that may wait for a log that cannot be written; further ones are dropped and counted. */
const MAX_WAITING = 10_000;

/** Disposing writes what waits; afterwards every event is written at once. Nothing here throws. */
export interface EventBatch extends Disposable {
  add(event: NewEvent): void;
}

export interface EventBatchOptions {
  readonly log: Pick<EventLog, 'append'>;
  readonly clock: Clock;
  /** Is told when the log cannot be written, once until it can, and how many events were dropped. */
  readonly logger: Logger;
}

export function createEventBatch({ log, clock, logger }: EventBatchOptions): EventBatch {
  let waiting: NewEvent[] = [];
  let timer: Disposable | undefined;
  let isClosed = false;
  let isFailing = false;
  let dropped = 0;

  function flush(): void {
    timer = undefined;
    if (waiting.length === 0) return;
    try {
      log.append(waiting);
    } catch (error) {
      if (!isFailing)
        logger.error({ reason: reasonOf(error), waiting: waiting.length }, 'Events could not be written');
      isFailing = true;
      if (!isClosed) timer = clock.schedule(RETRY_MS, flush);
      return;
    }
    if (dropped > 0) logger.warn({ dropped }, 'Events were dropped while the log could not be written');
    waiting = [];
    dropped = 0;
    isFailing = false;
  }

  return {
    add(event) {
      if (waiting.length < MAX_WAITING) waiting.push(event);
      else dropped += 1;
      if (isClosed) flush();
      else timer ??= clock.schedule(FLUSH_MS, flush);
    },
    [Symbol.dispose]() {
      isClosed = true;
      timer?.[Symbol.dispose]();
      flush();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
