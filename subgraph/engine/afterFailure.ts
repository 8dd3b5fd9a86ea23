/** What follows a failed attempt: the next one, or the end, after hooks have had their say (spec/worker.md § 3.6). Whatever the host. */
import type { EffectOutcome, PerformableEffect } from '../effects/EffectPerformer.ts';
import { HookError, type HookRunner } from '../hooks/HookRunner.ts';
import { finalCode, nextAttemptMs, type RetryPolicy } from './retryPolicy.ts';

type Failure = Extract<EffectOutcome, { kind: 'failed' }>;

export interface FailedAttempt {
  readonly effect: PerformableEffect;
  readonly taskId: string;
  readonly outcome: Failure;
  /** From 1. */
  readonly attempt: number;
  readonly policy: RetryPolicy;
  readonly isIdempotent: boolean;
}

export type Following =
  | { readonly kind: 'again'; readonly waitMs: number; readonly policy: RetryPolicy }
  | { readonly kind: 'end'; readonly code: string; readonly message: string };

/**
 * A failure that is not retryable ends the effect without a hook. Else hooks of `activity.failed` are told, and those of
 * `activity.retried` may change the policy, also the number of attempts, and the wait. An abort, or a hook that fails,
 * ends the effect.
 *
 * @param options.random 0 to 1.
 */
export async function afterFailure(
  failed: FailedAttempt,
  {
    hooks,
    random,
    signal,
  }: { readonly hooks: HookRunner; readonly random: number; readonly signal: AbortSignal },
): Promise<Following> {
  const { effect, outcome, attempt, policy, isIdempotent } = failed;
  const end: Following = {
    kind: 'end',
    code: finalCode(effect, outcome, isIdempotent),
    message: outcome.message,
  };
  if (!outcome.retryable) return end;
  if (!hooks.has('activity.failed', 'pre') && !hooks.has('activity.retried', 'pre')) {
    const waitMs = nextAttemptMs(policy, outcome, { attempt, random });
    return waitMs === undefined ? end : { kind: 'again', waitMs, policy };
  }
  try {
    return await askHooks(failed, end, { hooks, random, signal });
  } catch (error) {
    if (!(error instanceof HookError)) throw error;
    return { kind: 'end', code: error.code, message: error.message };
  }
}

async function askHooks(
  { effect, taskId, outcome, attempt, policy }: FailedAttempt,
  end: Following,
  {
    hooks,
    random,
    signal,
  }: { readonly hooks: HookRunner; readonly random: number; readonly signal: AbortSignal },
): Promise<Following> {
  const { code, message } = outcome;
  const base = { taskId, correlationId: taskId, attempt, effect: effect.kind };
  const told = await hooks.run(
    'activity.failed',
    'pre',
    { ...base, error: { code, message }, policy: toHook(policy) },
    { signal },
  );
  if ('abort' in told) return aborted(told.abort.message);
  // The delay that the policy would give, were there another attempt: a hook may allow one.
  const open = { ...policy, maximumAttempts: Number.MAX_SAFE_INTEGER };
  const delayMs = nextAttemptMs(open, outcome, { attempt, random }) ?? 0;
  const asked = await hooks.run(
    'activity.retried',
    'pre',
    { ...base, policy: toHook(policy), delayMs },
    { signal },
  );
  if ('abort' in asked) return aborted(asked.abort.message);
  const { policy: changed, delayMs: waitMs } = asked.context;
  if (attempt >= changed.maximumAttempts || changed.nonRetryableErrorTypes.includes(code)) return end;
  return { kind: 'again', waitMs, policy: fromHook(changed) };
}

function aborted(message: string): Following {
  return { kind: 'end', code: 'hook.abort', message };
}

function toHook({ initialMs, coefficient, maximumMs, maximumAttempts }: RetryPolicy) {
  return {
    initialIntervalMs: initialMs,
    backoffCoefficient: coefficient,
    maximumIntervalMs: maximumMs,
    maximumAttempts,
    nonRetryableErrorTypes: [],
  };
}

function fromHook(policy: {
  readonly initialIntervalMs: number;
  readonly backoffCoefficient: number;
  readonly maximumIntervalMs: number;
  readonly maximumAttempts: number;
}): RetryPolicy {
  return {
    initialMs: policy.initialIntervalMs,
    coefficient: policy.backoffCoefficient,
    maximumMs: policy.maximumIntervalMs,
    maximumAttempts: policy.maximumAttempts,
  };
}
