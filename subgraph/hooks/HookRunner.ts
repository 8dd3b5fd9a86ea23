/** The port through which hosts and effects run hook chains (spec/worker.md § 8.7). */
import type { FiredPhase, FiredPoint, HookContext } from './HookContext.ts';
import type { HookOperation, HookPhase } from './HookPoint.ts';

/** Why an executor cancelled the operation. */
export const ABORT_REASONS = ['refused', 'policy', 'invalid'] as const;
export type AbortReason = (typeof ABORT_REASONS)[number];

export interface HookAbort {
  readonly reason: AbortReason;
  /** One sentence for whoever asked for the operation. */
  readonly message: string;
}

/** What a chain comes to: the context of the last executor that returned one, or the first abort. */
export type HookResult<Context> = { readonly context: Context } | { readonly abort: HookAbort };

/** The point of an operation and a phase of it that fires. */
export type PointOf<
  Operation extends HookOperation,
  Phase extends HookPhase,
> = `${Operation}.${Phase}` extends infer Point extends FiredPoint ? Point : never;

/**
 * Guarantees:
 * 1. Executors run one after the other, by ascending priority and then in the order of registration; the first abort ends the chain.
 * 2. A context that an executor returns replaces the one that is passed on; one that returns nothing passes it through.
 * 3. An `in` chain ends with the first context that has a `result`; without one the caller's default body decides. Only
 *    executors with a priority below `DEFAULT_BODY_PRIORITY` run: behind it the default body would already have decided.
 * 4. Every executor sees the context redacted.
 * 5. With no executor at the point the context comes back as it is, at no cost.
 */
export interface HookRunner {
  /** Whether an executor stands at the point: a host need not ask for an effect that nobody listens to. */
  has(operation: HookOperation, phase: HookPhase): boolean;
  /**
   * @throws {HookError} when an executor fails: never passed over, the operation fails through its retry policy.
   * @throws the signal's reason when it aborts.
   */
  run<Operation extends HookOperation, Phase extends FiredPhase<Operation>>(
    operation: Operation,
    phase: Phase,
    context: HookContext<PointOf<Operation, Phase>>,
    options: { readonly signal: AbortSignal },
  ): Promise<HookResult<HookContext<PointOf<Operation, Phase>>>>;
}

/** Where the default bodies stand in an `in` chain. */
export const DEFAULT_BODY_PRIORITY = 1_000;

/** A hook executor has failed; its operation has not been decided. */
export class HookError extends Error {
  /** `hook.transport`: a remote executor is unreachable or its answer malformed. `hook.failed`: an executor of this process threw or returned another type. */
  readonly code: 'hook.transport' | 'hook.failed';
  /** Whether another attempt may succeed: not when the executor itself is wrong. */
  readonly retryable: boolean;

  constructor(
    code: HookError['code'],
    message: string,
    { retryable, cause }: { readonly retryable: boolean; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HookError';
    this.code = code;
    this.retryable = retryable;
  }
}
