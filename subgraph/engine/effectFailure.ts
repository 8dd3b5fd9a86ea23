/** What the core gets when an effect has no result. */
import { unreachable } from '../../lib/invariant.ts';
import type { PerformableEffect } from '../effects/EffectPerformer.ts';
import type {
  ChildFailed,
  CommandReturned,
  CompactFailed,
  CompletionDecided,
  EffectDone,
  IntakeDone,
  ModelFailed,
  ToolFailed,
} from '../task/index.ts';
import type { NewInput } from './TaskEngine.ts';

export type FailureInput = NewInput<
  | ModelFailed
  | ToolFailed
  | CommandReturned
  | CompactFailed
  | CompletionDecided
  | IntakeDone
  | ChildFailed
  | EffectDone
>;

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
    case 'compact':
      return { kind: 'compactFailed', effectKey, ...failure };
    case 'callTool':
      return { kind: 'toolFailed', effectKey, ...failure };
    case 'decideCompletion':
      return { kind: 'completionDecided', effectKey, decision: 'fail', reason: message, code };
    case 'intake':
      return { kind: 'intakeDone', effectKey, accepted: false, code, reason: message };
    case 'runCommand':
      return { kind: 'commandReturned', effectKey, outcome: { kind: 'error', code, message } };
    case 'startChild':
      return { kind: 'childFailed', effectKey, ...failure };
    case 'tellParent':
    case 'cancelChild':
      return { kind: 'effectDone', effectKey };
    default:
      return unreachable(kind);
  }
}

/** The failure of an effect that was in flight when a process ended and is not done again (design § 6). */
export function toUnknownOutcome(effect: PerformableEffect, attempts: number): FailureInput {
  const message = 'The process ended during the call; whether it took effect is not known';
  return toFailureInput(effect, { code: `${AREAS[effect.kind]}.outcome_unknown`, message, attempts });
}

const AREAS: Readonly<Record<PerformableEffect['kind'], string>> = {
  callModel: 'provider',
  compact: 'provider',
  callTool: 'tool',
  decideCompletion: 'task',
  intake: 'task',
  runCommand: 'command',
  startChild: 'task',
  tellParent: 'task',
  cancelChild: 'task',
};
