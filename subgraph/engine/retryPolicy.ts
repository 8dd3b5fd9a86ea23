/** Which failures are followed by another attempt, and when (spec/worker.md § 3.6, § 3.7). Pure. */
import { type BackoffPolicy, backoffMs } from '../../lib/backoff.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { EffectOutcome, PerformableEffect } from '../effects/EffectPerformer.ts';

export interface RetryPolicy extends BackoffPolicy {
  /** At least 1. */
  readonly maximumAttempts: number;
}

/** The policy of one effect. What is not idempotent, and every command, gets one attempt. */
export function toRetryPolicy(
  retries: Config['retries'],
  { kind }: PerformableEffect,
  isIdempotent: boolean,
): RetryPolicy {
  const isRepeatable = kind === 'callModel' || (kind === 'callTool' && isIdempotent);
  const config = { ...retries.default, ...(kind === 'runCommand' ? {} : retries.perActivity[kind]) };
  return {
    initialMs: config.initialIntervalSeconds * 1_000,
    coefficient: config.backoffCoefficient,
    maximumMs: config.maximumIntervalSeconds * 1_000,
    maximumAttempts: isRepeatable ? config.maximumAttempts : 1,
  };
}

/**
 * Milliseconds until the next attempt; undefined when there is none. The provider's own wish lengthens the wait up to
 * the policy's maximum.
 *
 * @param random 0 to 1.
 */
export function nextAttemptMs(
  policy: RetryPolicy,
  { retryable, retryAfterMs = 0 }: Extract<EffectOutcome, { kind: 'failed' }>,
  { attempt, random }: { readonly attempt: number; readonly random: number },
): number | undefined {
  if (!retryable || attempt >= policy.maximumAttempts) return undefined;
  return Math.round(Math.max(backoffMs(policy, attempt, random), Math.min(retryAfterMs, policy.maximumMs)));
}
