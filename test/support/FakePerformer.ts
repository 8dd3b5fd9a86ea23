/** A performer that answers from functions and keeps every attempt it was asked for. */
import { cancelChild, startChild, tellParent } from '../../subgraph/effects/childTasks.ts';
import { decideCompletion } from '../../subgraph/effects/decideCompletion.ts';
import type {
  EffectContext,
  EffectOutcome,
  EffectPerformer,
  PerformableEffect,
} from '../../subgraph/effects/EffectPerformer.ts';
import { intake } from '../../subgraph/effects/intake.ts';
import { livingEntries, planCompaction } from '../../subgraph/effects/planCompaction.ts';
import { NO_HOOKS } from '../../subgraph/hooks/NO_HOOKS.ts';
import type { CommandOutcome, ToolCall } from '../../subgraph/task/index.ts';

type EffectOf<Kind extends PerformableEffect['kind']> = Extract<PerformableEffect, { kind: Kind }>;

export type FakeAnswer<Kind extends PerformableEffect['kind'] = PerformableEffect['kind']> = (
  effect: EffectOf<Kind>,
  context: EffectContext,
) => EffectOutcome | Promise<EffectOutcome>;

export interface FakeAnswers {
  /** @default a reply that counts the turns: `reply 1`, `reply 2` … */
  readonly callModel?: FakeAnswer<'callModel'>;
  /** @default the result `done` */
  readonly callTool?: FakeAnswer<'callTool'>;
  /** @default the summary `what was before` of the older half */
  readonly compact?: FakeAnswer<'compact'>;
  /** @default accepted as it is */
  readonly intake?: FakeAnswer<'intake'>;
  /** @default `wait` while a sub-task blocks, else `complete` */
  readonly decideCompletion?: FakeAnswer<'decideCompletion'>;
  /** @default the sub-task is started */
  readonly startChild?: FakeAnswer<'startChild'>;
  /** @default the reply `pong` */
  readonly runCommand?: FakeAnswer<'runCommand'>;
  /** @default none */
  readonly idempotentTools?: readonly string[];
}

export interface FakeAttempt extends EffectContext {
  readonly effect: PerformableEffect;
}

export class FakePerformer implements EffectPerformer {
  /** Every attempt so far, oldest first. */
  readonly attempts: FakeAttempt[] = [];
  readonly #answers: FakeAnswers;
  #watchers: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(answers: FakeAnswers = {}) {
    this.#answers = answers;
  }

  /** Resolves when `count` attempts have been asked for. */
  attempted(count: number): Promise<void> {
    if (this.attempts.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ count, resolve }));
  }

  /** Attempts of one kind of effect. */
  attemptsOf(kind: PerformableEffect['kind']): FakeAttempt[] {
    return this.attempts.filter(({ effect }) => effect.kind === kind);
  }

  async perform(effect: PerformableEffect, context: EffectContext): Promise<EffectOutcome> {
    this.attempts.push({ effect, ...context });
    this.#watchers = this.#watchers.filter(({ count, resolve }) => {
      if (this.attempts.length < count) return true;
      resolve();
      return false;
    });
    const { callModel = replyWithTurn, callTool = returnDone, runCommand = replyPong } = this.#answers;
    const answers = this.#answers;
    switch (effect.kind) {
      case 'callModel':
        return callModel(effect, context);
      case 'compact':
        return (answers.compact ?? summarise)(effect, context);
      case 'intake':
        return answers.intake?.(effect, context) ?? intake(effect, context, NO_HOOKS);
      case 'decideCompletion':
        return answers.decideCompletion?.(effect, context) ?? decideCompletion(effect, context, NO_HOOKS);
      case 'startChild':
        return answers.startChild?.(effect, context) ?? startChild(effect, context, NO_HOOKS);
      case 'tellParent':
        return tellParent(effect, context);
      case 'cancelChild':
        return cancelChild(effect, context);
      case 'callTool':
        return callTool(effect, context);
      case 'runCommand':
        return runCommand(effect, context);
    }
  }

  isIdempotent(effect: PerformableEffect): boolean {
    return effect.kind === 'callTool' && (this.#answers.idempotentTools ?? []).includes(effect.call.tool);
  }
}

/** A model's answer: a text, or tool calls. */
export function modelReply(
  { key }: { readonly key: string },
  { text = '', toolCalls = [] }: { readonly text?: string; readonly toolCalls?: readonly ToolCall[] },
): EffectOutcome {
  return {
    kind: 'completed',
    input: {
      kind: 'modelReplied',
      effectKey: key,
      text,
      toolCalls,
      usage: { inputTokens: 10, cachedTokens: 0, outputTokens: 5 },
      model: 'fake',
      finish: toolCalls.length > 0 ? 'toolCalls' : 'stop',
    },
  };
}

export function toolResult({ key }: { readonly key: string }, text: string): EffectOutcome {
  return { kind: 'completed', input: { kind: 'toolReturned', effectKey: key, text, isError: false } };
}

export function commandOutcome({ key }: { readonly key: string }, outcome: CommandOutcome): EffectOutcome {
  return { kind: 'completed', input: { kind: 'commandReturned', effectKey: key, outcome } };
}

export function failure(
  code: string,
  rest: { readonly retryable?: boolean; readonly retryAfterMs?: number } = {},
): EffectOutcome {
  return { kind: 'failed', code, message: 'it failed', retryable: false, ...rest };
}

/** Never answers; rejects when its signal aborts. */
export function hang(_effect: PerformableEffect, { signal }: EffectContext): Promise<EffectOutcome> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

const replyWithTurn: FakeAnswer<'callModel'> = (effect, { state }) =>
  modelReply(effect, { text: `reply ${state.turns + 1}` });

const returnDone: FakeAnswer<'callTool'> = (effect) => toolResult(effect, 'done');

const replyPong: FakeAnswer<'runCommand'> = (effect) =>
  commandOutcome(effect, { kind: 'intents', intents: [{ kind: 'reply', text: 'pong' }] });

const summarise: FakeAnswer<'compact'> = ({ key }, { state }) => {
  const removedThroughId = planCompaction(livingEntries(state)).at(-1)?.id ?? 0;
  return {
    kind: 'completed',
    input: {
      kind: 'compacted',
      effectKey: key,
      removedThroughId,
      summary: 'what was before',
      tokensBefore: 2_000,
      tokensAfter: 1_000,
    },
  };
};
