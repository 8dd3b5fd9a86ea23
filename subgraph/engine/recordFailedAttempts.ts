/** Attempts that have failed, in the instance's log. The core learns of the last one of an effect only. */
import type { Logger } from '../../lib/Logger.ts';
import { StateFileError } from '../../lib/StateDatabase.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import type { PerformableEffect } from '../effects/EffectPerformer.ts';
import type { EventTask } from '../log/createEventLog.ts';
import type { EventLog, NewEvent } from '../log/EventLog.ts';
import type { CommitQueue } from './embedded/CommitQueue.ts';
import type { Journal } from './embedded/Journal.ts';

/** Of an attempt whose process ended during it. */
export const ATTEMPT_LOST = 'attempt.lost';

export interface FailedAttemptRecord extends EventTask {
  readonly effect: PerformableEffect;
  /** From 1. */
  readonly attempt: number;
  /** `<area>.<what>` (spec/worker.md § 7.6). */
  readonly code: string;
  /** Until the next attempt, in milliseconds; absent when there is none. */
  readonly retryInMs: number | undefined;
}

export interface AttemptRecorderParts {
  readonly queue: Pick<CommitQueue, 'submit'>;
  readonly journal: Pick<Journal, 'has'>;
  readonly log: Pick<EventLog, 'append'>;
  readonly logger: Logger;
}

/**
 * Writes failed attempts by a queue, so that many that fail at once cost one write to the disk. Never throws and waits for nothing:
 * what cannot be written is lost, and so is what comes when its task is purged.
 */
export function createAttemptRecorder({
  queue,
  journal,
  log,
  logger,
}: AttemptRecorderParts): (failed: FailedAttemptRecord) => void {
  return (failed) => {
    const write = (): void => {
      if (journal.has(failed.task)) log.append([toFailedEvent(failed)]);
    };
    queue.submit(write).catch((error: unknown) => {
      if (error instanceof StateFileError) return;
      logger.error({ err: error, key: failed.effect.key }, 'A failed attempt could not be written');
    });
  };
}

/** At once, in one transaction. What failed and how; never a text of the outside. Never throws: what cannot be written is lost. */
export function recordFailedAttempts(
  failed: readonly FailedAttemptRecord[],
  { log, logger }: Pick<AttemptRecorderParts, 'log' | 'logger'>,
): void {
  if (failed.length > 0) tryToWrite(() => log.append(failed.map(toFailedEvent)), logger);
}

function toFailedEvent({ task, ref, effect, attempt, code, retryInMs }: FailedAttemptRecord): NewEvent {
  const type = 'task.attemptFailed';
  const { kind, key: effectKey } = effect;
  return {
    type,
    level: EVENT_TYPES[type].level,
    source: 'tasks',
    task,
    ref,
    data: {
      effect: kind,
      effectKey,
      ...(effect.kind === 'callTool' && { tool: effect.call.tool, callId: effect.call.callId }),
      attempt,
      code,
      ...(retryInMs !== undefined && { retryInMs }),
    },
  };
}
