/** Attempts at one effect of the embedded host, with the waits between them, until it has an outcome (spec/worker.md § 3.6). */
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { noTracer, type Span, type Tracer } from '../../../lib/Tracer.ts';
import type {
  EffectContext,
  EffectOutcome,
  EffectPerformer,
  OutcomeInput,
  PerformableEffect,
} from '../../effects/EffectPerformer.ts';
import { markAsFailed } from '../../effects/markAsFailed.ts';
import { attemptAttributes } from '../../effects/spanAttributes.ts';
import type { HookRunner } from '../../hooks/HookRunner.ts';
import { NO_HOOKS } from '../../hooks/NO_HOOKS.ts';
import type { EventTask } from '../../log/createEventLog.ts';
import type { TaskState } from '../../task/index.ts';
import { afterFailure, type FailedAttempt, type Following } from '../afterFailure.ts';
import { type FailureInput, toFailureInput } from '../effectFailure.ts';
import type { FailedAttemptRecord } from '../recordFailedAttempts.ts';
import { isRepeatable, type RetryPolicy } from '../retryPolicy.ts';

export interface AttemptParts {
  readonly engine: EffectContext['engine'];
  readonly performer: EffectPerformer;
  /** @default none */
  readonly hooks?: HookRunner;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** @default nothing is recorded */
  readonly tracer?: Tracer;
  /** Has the log tell of a failed attempt. Waits for nothing and never throws: what cannot be written is lost. */
  readonly recordFailed: (failed: FailedAttemptRecord) => void;
  readonly policyOf: (effect: PerformableEffect, isIdempotent: boolean) => RetryPolicy;
}

export interface AttemptLoop {
  /** Number of the task in the journal. */
  readonly task: number;
  readonly state: TaskState;
  /** Number of the attempt that is made first, from 1. */
  readonly first: number;
  /** It is durable that the first one begins. */
  readonly hasBegun: boolean;
  /** Makes it durable that an attempt begins, so that a process that dies of it does not make it again for ever. */
  readonly begin: (attempt: number) => Promise<void>;
  /** An attempt was cut short by `signal` and does not count. */
  readonly takeBack: (attempt: number) => void;
  readonly signal: AbortSignal;
}

/** Rejects with the signal's reason when that aborts; an outcome that comes later is dropped. */
export async function attemptEffect(
  effect: PerformableEffect,
  { task, state, first, hasBegun, begin, takeBack, signal }: AttemptLoop,
  parts: AttemptParts,
): Promise<OutcomeInput | FailureInput> {
  const isIdempotent = parts.performer.isIdempotent(effect);
  let policy = parts.policyOf(effect, isIdempotent);
  for (let attempt = first; ; attempt += 1) {
    if (attempt > first || !hasBegun) await begin(attempt);
    const outcome = await makeAttempt(effect, { state, attempt, engine: parts.engine, signal }, parts);
    if (signal.aborted) {
      if (isRepeatable(effect, isIdempotent)) takeBack(attempt);
      throw signal.reason;
    }
    if (outcome.kind === 'completed') return outcome.input;
    const failed = { effect, taskId: state.id, outcome, attempt, policy, isIdempotent };
    const following = await followUp(failed, { task, ref: state.ref, signal }, parts);
    if (following.kind === 'end') {
      const { code, message } = following;
      return toFailureInput(effect, { code, message, attempts: attempt });
    }
    ({ policy } = following);
    await delay(parts.clock, following.waitMs, signal);
  }
}

/** What follows a failed attempt, which is told in the log. */
export async function followUp(
  failed: FailedAttempt,
  { task, ref, signal }: EventTask & { readonly signal: AbortSignal },
  { hooks = NO_HOOKS, ids, recordFailed }: AttemptParts,
): Promise<Following> {
  const following = await afterFailure(failed, { hooks, random: ids.random(), signal });
  const { effect, attempt, outcome } = failed;
  const retryInMs = following.kind === 'again' ? following.waitMs : undefined;
  recordFailed({ task, ref, effect, attempt, code: outcome.code, retryInMs });
  return following;
}

/**
 * One attempt, as a span below what the effect is a part of, whatever is current here. Never rejects: a performer that throws is a
 * failure whose text stays inside.
 */
export async function makeAttempt(
  effect: PerformableEffect,
  context: EffectContext,
  { performer, logger, tracer = noTracer }: AttemptParts,
): Promise<EffectOutcome> {
  const options = { parent: effect.trace, attributes: attemptAttributes(effect, context) };
  return tracer.detached(() =>
    tracer.span(`RunActivity:${effect.kind}`, options, (span) =>
      perform(effect, context, { performer, logger, span }),
    ),
  );
}

async function perform(
  effect: PerformableEffect,
  context: EffectContext,
  { performer, logger, span }: Pick<AttemptParts, 'performer' | 'logger'> & { readonly span: Span },
): Promise<EffectOutcome> {
  const { state, signal, attempt } = context;
  const fields = { effect: effect.kind, key: effect.key, ref: state.ref, attempt };
  try {
    const outcome = await performer.perform(effect, context);
    if (outcome.kind === 'failed' && !signal.aborted) {
      markAsFailed(span, outcome.code);
      // What failed and how; never a text of the outside, which may hold what a log must not.
      const { code, retryable } = outcome;
      logger.warn({ ...fields, code, retryable }, 'An attempt has failed');
    }
    return outcome;
  } catch (error) {
    if (signal.aborted) span.set({ 'flotilla.abandoned': true });
    else {
      markAsFailed(span, 'internal');
      logger.error({ err: error, ...fields }, 'A performer threw');
    }
    const message = 'The attempt failed inside the instance; its log has the details';
    return { kind: 'failed', code: 'internal', message, retryable: false };
  }
}
