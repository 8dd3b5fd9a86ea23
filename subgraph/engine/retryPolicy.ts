/** Which failures are followed by another attempt, and when (spec/worker.md § 3.6, § 3.7). Pure. */
import { type BackoffPolicy, backoffMs } from '../../lib/backoff.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { EffectOutcome, PerformableEffect } from '../effects/EffectPerformer.ts';

export interface RetryPolicy extends BackoffPolicy {
  /** At least 1. */
  readonly maximumAttempts: number;
}

/** Whether an attempt whose outcome is unknown may be followed by another one (spec/worker.md § 3.2, § 3.7, § 4.3). */
export function isRepeatable({ kind }: PerformableEffect, isIdempotentTool: boolean): boolean {
  switch (kind) {
    case 'callTool':
      return isIdempotentTool;
    case 'runCommand':
      return false;
    default:
      return true;
  }
}

/**
 * The policy of one effect. What must not be repeated gets one attempt. What one task tells another one is tried until it
 * is told: only our own host can fail at it, and nobody would tell it again.
 */
export function toRetryPolicy(
  retries: Config['retries'],
  effect: PerformableEffect,
  isIdempotentTool: boolean,
): RetryPolicy {
  const config = { ...retries.default, ...overridesOf(effect, retries.perActivity) };
  return {
    initialMs: config.initialIntervalSeconds * 1_000,
    coefficient: config.backoffCoefficient,
    maximumMs: config.maximumIntervalSeconds * 1_000,
    maximumAttempts: attemptsOf(effect, isIdempotentTool, config.maximumAttempts),
  };
}

function overridesOf(
  { kind }: PerformableEffect,
  { callModel, callTool }: Config['retries']['perActivity'],
): Config['retries']['perActivity']['callModel'] {
  if (kind === 'callModel' || kind === 'compact') return callModel;
  return kind === 'callTool' ? callTool : undefined;
}

function attemptsOf(effect: PerformableEffect, isIdempotentTool: boolean, configured: number): number {
  if (effect.kind === 'tellParent' || effect.kind === 'cancelChild') return Number.MAX_SAFE_INTEGER;
  return isRepeatable(effect, isIdempotentTool) ? configured : 1;
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

/** The code that the core is told when no further attempt follows: a tool that might have been tried again says why it was not. */
export function finalCode(
  { kind }: PerformableEffect,
  { code, retryable }: Extract<EffectOutcome, { kind: 'failed' }>,
  isIdempotent: boolean,
): string {
  return retryable && kind === 'callTool' && !isIdempotent ? 'tool.not_retried' : code;
}

/** What becomes of an effect that was pending when a process ended. */
export type Recovery =
  /** It may be done, as if it were new. */
  | 'start'
  /** It may have been done, and must not be done twice. */
  | 'unknown'
  /** It was in flight at the end of as many processes as it has attempts. */
  | 'exhausted';

/** @param attempts how many had begun. */
export function planRecovery(
  { maximumAttempts }: RetryPolicy,
  { attempts, isRepeatable: mayRepeat }: { readonly attempts: number; readonly isRepeatable: boolean },
): Recovery {
  if (attempts === 0) return 'start';
  if (!mayRepeat) return 'unknown';
  return attempts < maximumAttempts ? 'start' : 'exhausted';
}
