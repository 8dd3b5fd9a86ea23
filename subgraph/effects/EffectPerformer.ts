/** The port through which a host does one effect of one kind. */
import type { TaskEngine } from '../engine/TaskEngine.ts';
import type { TaskEffect, TaskInput, TaskState } from '../task/index.ts';

/** An effect that has an outcome. */
export type PerformableEffect = Exclude<TaskEffect, { kind: 'abandon' }>;

/** Result of one attempt. `completed` carries the input that the core gets, less its time. */
export type EffectOutcome =
  | { readonly kind: 'completed'; readonly input: OutcomeInput }
  | {
      readonly kind: 'failed';
      /** `<area>.<what>` (spec/worker.md § 7.6). */
      readonly code: string;
      readonly message: string;
      /** Another attempt may succeed; the host's retry policy decides. */
      readonly retryable: boolean;
      /** The provider's own wish, in milliseconds (`Retry-After`). */
      readonly retryAfterMs?: number;
    };

type Outcome<Input> = Input extends TaskInput ? Omit<Input, 'atMs'> : never;
export type OutcomeInput = Outcome<
  Extract<
    TaskInput,
    {
      readonly kind:
        | 'modelReplied'
        | 'compactionDue'
        | 'compacted'
        | 'toolReturned'
        | 'completionDecided'
        | 'intakeDone'
        | 'commandReturned'
        | 'childStarted'
        | 'effectDone';
    }
  >
>;

export interface EffectContext {
  /** The state that asked for the effect, its history included; a later one when the effect had to wait or is resumed after a crash. */
  readonly state: TaskState;
  /** From 1. */
  readonly attempt: number;
  /** The engine that asks: where sub-tasks are started and told. */
  readonly engine: Pick<TaskEngine, 'start' | 'deliver'>;
  /** Aborts when the effect is abandoned or the host stops; the outcome of an aborted attempt is dropped. */
  readonly signal: AbortSignal;
}

export interface EffectPerformer {
  /** One attempt. Never throws for what can be expected; a throw is a defect and fails the effect with `internal`. */
  perform(effect: PerformableEffect, context: EffectContext): Promise<EffectOutcome>;
  /** Whether an attempt whose outcome is unknown (a crash) may be made again. */
  isIdempotent(effect: PerformableEffect): boolean;
}
