/** Attempts that have failed, in the instance's log. The core learns of the last one of an effect only. */
import type { Logger } from '../../lib/Logger.ts';
import { tryToWrite } from '../../lib/tryToWrite.ts';
import { EVENT_TYPES } from '../../schema/events.ts';
import type { PerformableEffect } from '../effects/EffectPerformer.ts';
import type { EventLog, NewEvent } from '../log/EventLog.ts';

/** Of an attempt whose process ended during it. */
export const ATTEMPT_LOST = 'attempt.lost';

export interface FailedAttemptRecord {
  /** Of the task. */
  readonly ref: string;
  readonly effect: PerformableEffect;
  /** From 1. */
  readonly attempt: number;
  /** `<area>.<what>` (spec/worker.md § 7.6). */
  readonly code: string;
  /** Until the next attempt, in milliseconds; absent when there is none. */
  readonly retryInMs: number | undefined;
}

/** What failed and how; never a text of the outside. Never throws: what cannot be written is lost. */
export function recordFailedAttempts(
  failed: readonly FailedAttemptRecord[],
  { log, logger }: { readonly log: Pick<EventLog, 'append'>; readonly logger: Logger },
): void {
  if (failed.length > 0) tryToWrite(() => log.append(failed.map(toFailedEvent)), logger);
}

/** As the log tells it. Pure. */
export function toFailedEvent({ ref, effect, attempt, code, retryInMs }: FailedAttemptRecord): NewEvent {
  const type = 'task.attemptFailed';
  const { kind, key: effectKey } = effect;
  return {
    type,
    level: EVENT_TYPES[type].level,
    source: 'tasks',
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
