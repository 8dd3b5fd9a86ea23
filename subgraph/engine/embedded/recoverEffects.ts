/** What an earlier process has left of the effects (design § 6). */
import type { Logger } from '../../../lib/Logger.ts';
import type { PerformableEffect } from '../../effects/EffectPerformer.ts';
import type { EventLog } from '../../log/EventLog.ts';
import { ATTEMPT_LOST, recordFailedAttempts } from '../recordFailedAttempts.ts';
import { isRepeatable, planRecovery, type RetryPolicy } from '../retryPolicy.ts';
import type { Journal, PendingEffect, PendingEffectKey } from './Journal.ts';

/** Pending effects that are read at once. */
const PAGE = 500;

export interface RecoveryParts {
  readonly journal: Journal;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly isIdempotent: (effect: PerformableEffect) => boolean;
  readonly policyOf: (effect: PerformableEffect, isIdempotent: boolean) => RetryPolicy;
  readonly start: (pending: PendingEffect) => void;
  /** The outcome is not known, and the effect is not done again. */
  readonly giveUp: (pending: PendingEffect) => void;
}

/** Starts each pending effect, or gives it up; attempts that its process did not live to see the end of are told in the log. */
export function recoverEffects({ journal, log, logger, start, giveUp, ...parts }: RecoveryParts): void {
  let after: PendingEffectKey | undefined;
  for (;;) {
    const page = journal.pendingEffects({ after, limit: PAGE });
    const planned = page.map((pending) => ({ pending, isStarted: isStarted(pending, parts) }));
    const lost = planned.filter(({ pending }) => pending.attempts > 0);
    recordFailedAttempts(
      lost.map(({ pending: { task, effect, attempts }, isStarted: isNext }) => ({
        task,
        ref: journal.load(task).ref,
        effect,
        attempt: attempts,
        code: ATTEMPT_LOST,
        retryInMs: isNext ? 0 : undefined,
      })),
      { log, logger },
    );
    for (const { pending, isStarted: isNext } of planned) {
      if (isNext) start(pending);
      else giveUp(pending);
      after = { task: pending.task, key: pending.effect.key };
    }
    if (page.length < PAGE) return;
  }
}

function isStarted(
  { effect, attempts }: PendingEffect,
  { isIdempotent, policyOf }: Pick<RecoveryParts, 'isIdempotent' | 'policyOf'>,
): boolean {
  const isIdempotentTool = isIdempotent(effect);
  const plan = { attempts, isRepeatable: isRepeatable(effect, isIdempotentTool) };
  return planRecovery(policyOf(effect, isIdempotentTool), plan) === 'start';
}
