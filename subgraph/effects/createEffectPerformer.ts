/** The worker's hands: does what the task core asks for, one file per kind of effect (spec/worker.md § 3.2). */
import type { Clock } from '../../lib/Clock.ts';
import { noTracer, type Tracer } from '../../lib/Tracer.ts';
import type { CommandRunner } from '../commands/createCommandRunner.ts';
import { HookError, type HookRunner } from '../hooks/HookRunner.ts';
import { NO_HOOKS } from '../hooks/NO_HOOKS.ts';
import type { ModelProvider } from '../models/ModelProvider.ts';
import type { ToolRegistry } from '../tools/ToolRegistry.ts';
import type { ContextParts } from './assembleContext.ts';
import { callModel } from './callModel.ts';
import { callTool } from './callTool.ts';
import { cancelChild, startChild, tellParent } from './childTasks.ts';
import { compact } from './compact.ts';
import type { ContextLimits } from './contextSize.ts';
import { decideCompletion } from './decideCompletion.ts';
import type { EffectContext, EffectOutcome, EffectPerformer, PerformableEffect } from './EffectPerformer.ts';
import { intake } from './intake.ts';
import { labelSpans } from './labelSpans.ts';
import type { Price } from './prices.ts';
import { runCommand } from './runCommand.ts';
import { attemptAttributes } from './spanAttributes.ts';

/** How long one attempt may take, in milliseconds. */
const TIMEOUTS_MS: Readonly<Record<PerformableEffect['kind'], number>> = {
  callModel: 120_000,
  compact: 120_000,
  callTool: 300_000,
  decideCompletion: 60_000,
  intake: 60_000,
  runCommand: 30_000,
  startChild: 60_000,
  tellParent: 60_000,
  cancelChild: 60_000,
};

export interface EffectPerformerOptions {
  readonly model: ModelProvider;
  readonly tools: ToolRegistry;
  readonly commands: CommandRunner;
  readonly clock: Clock;
  /** @default none */
  readonly hooks?: HookRunner;
  /** What stands before every task. @default the own system prompt, no skills */
  readonly context?: Omit<ContextParts, 'tools'>;
  /** Asked at every model turn. @default those of the specification */
  readonly contextLimits?: () => ContextLimits;
  /** Asked at every model turn. @default none: nothing has a cost */
  readonly prices?: () => readonly Price[];
  /** Why no model may be asked now; asked before every request. @default never */
  readonly findReachedBudget?: () => string | undefined;
  /** @default nothing is recorded */
  readonly tracer?: Tracer;
}

/** Limits of the specification (spec/worker.md § 11). */
const DEFAULT_CONTEXT_LIMITS: ContextLimits = {
  turnBudgetTokens: 12_000,
  compactionFraction: 0.75,
  modelWindows: [],
};

/** An attempt whose signal aborts rejects with the signal's reason at once, even when the work goes on. */
export function createEffectPerformer(options: EffectPerformerOptions): EffectPerformer {
  const { model, tools, commands, clock, hooks = NO_HOOKS, tracer = noTracer } = options;
  const access = {
    model,
    tools,
    hooks,
    context: options.context ?? {},
    contextLimits: options.contextLimits ?? (() => DEFAULT_CONTEXT_LIMITS),
    prices: options.prices ?? (() => []),
    findReachedBudget: options.findReachedBudget ?? (() => undefined),
  };

  async function perform(effect: PerformableEffect, context: EffectContext): Promise<EffectOutcome> {
    const limits = { clock, timeoutMs: TIMEOUTS_MS[effect.kind], signal: context.signal };
    const labelled = labelSpans(tracer, attemptAttributes(effect, context));
    switch (effect.kind) {
      case 'callModel':
        return callModel(effect, context, { ...access, tracer: labelled, limits });
      case 'compact':
        return compact(effect, context, { ...access, tracer: labelled, limits });
      case 'callTool':
        return callTool(effect, context, { tools, hooks, tracer: labelled, limits });
      case 'decideCompletion':
        return decideCompletion(effect, context, hooks);
      case 'intake':
        return intake(effect, context, hooks);
      case 'runCommand':
        return runCommand(effect, context, commands);
      case 'startChild':
        return startChild(effect, context, hooks);
      case 'tellParent':
        return tellParent(effect, context);
      case 'cancelChild':
        return cancelChild(effect, context);
    }
  }

  return {
    async perform(effect, context) {
      try {
        return await perform(effect, context);
      } catch (error) {
        if (!(error instanceof HookError) || context.signal.aborted) throw error;
        return { kind: 'failed', code: error.code, message: error.message, retryable: error.retryable };
      }
    },
    isIdempotent: (effect) =>
      effect.kind === 'callTool' ? tools.isIdempotent(effect.call.tool) : effect.kind !== 'runCommand',
  };
}
