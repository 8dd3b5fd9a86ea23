/** What the core gets when an effect has no result. */
import { unreachable } from '../../lib/invariant.ts';
import type { PerformableEffect } from '../effects/EffectPerformer.ts';
import type { CommandReturned, ModelFailed, ToolFailed } from '../task/index.ts';
import type { NewInput } from './TaskEngine.ts';

export type FailureInput = NewInput<ModelFailed | ToolFailed | CommandReturned>;

export interface EffectFailure {
  /** `<area>.<what>` (spec/worker.md § 7.6). */
  readonly code: string;
  readonly message: string;
  /** How many attempts were made. */
  readonly attempts: number;
}

/** The input that tells the core that an effect has failed for good. */
export function toFailureInput(effect: PerformableEffect, failure: EffectFailure): FailureInput {
  const { key: effectKey, kind } = effect;
  const { code, message } = failure;
  switch (kind) {
    case 'callModel':
      return { kind: 'modelFailed', effectKey, ...failure };
    case 'callTool':
      return { kind: 'toolFailed', effectKey, ...failure };
    case 'runCommand':
      return { kind: 'commandReturned', effectKey, outcome: { kind: 'error', code, message } };
    default:
      return unreachable(kind);
  }
}

/** The failure of an effect that may not be done again and was in flight when the process ended (design § 6). */
export function toUnknownOutcome(effect: PerformableEffect): FailureInput {
  const message = 'The process ended during the call; whether it took effect is not known';
  return toFailureInput(effect, { code: `${AREAS[effect.kind]}.outcome_unknown`, message, attempts: 1 });
}

const AREAS = { callModel: 'provider', callTool: 'tool', runCommand: 'command' } as const;
