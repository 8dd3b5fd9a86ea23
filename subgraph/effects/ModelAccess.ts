/** What the effects that ask a model share. */
import { DeadlineExceeded } from '../../lib/Deadline.ts';
import { type RunLimits, runWithin } from '../../lib/runWithin.ts';
import { noTracer, type Tracer } from '../../lib/Tracer.ts';
import type { HookRunner } from '../hooks/HookRunner.ts';
import {
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
} from '../models/ModelProvider.ts';
import { type Effort, INSTANCE_BUDGET } from '../task/index.ts';
import type { ToolRegistry } from '../tools/ToolRegistry.ts';
import type { ContextParts } from './assembleContext.ts';
import type { ContextLimits } from './contextSize.ts';
import type { EffectOutcome } from './EffectPerformer.ts';
import { markAsFailed } from './markAsFailed.ts';
import { type Price, withCost } from './prices.ts';
import { answerAttributes, chatAttributes } from './spanAttributes.ts';

export interface ModelAccess {
  readonly model: ModelProvider;
  readonly tools: ToolRegistry;
  readonly hooks: HookRunner;
  readonly context: Omit<ContextParts, 'tools'>;
  /** Asked at every request. */
  readonly contextLimits: () => ContextLimits;
  /** Asked at every request. */
  readonly prices: () => readonly Price[];
  /** Why no model may be asked now: `<what is>, <what is expected>`; undefined while one may. Asked at every request. */
  readonly findReachedBudget: () => string | undefined;
  /** @default nothing is recorded */
  readonly tracer?: Tracer;
}

/** Model and effort of a task's request: the task's own, else the defaults in force now (spec/worker.md § 6.4). */
export function chooseModel(
  { model, effort }: { readonly model?: string; readonly effort?: Effort },
  provider: ModelProvider,
): Pick<ModelRequest, 'model' | 'effort'> {
  const chosen = effort ?? provider.defaultEffort;
  return { model: model ?? provider.defaultModel, ...(chosen !== undefined && { effort: chosen }) };
}

/**
 * One request, its cost with the usage.
 *
 * @throws {ModelError} also when the time is over; the signal's reason when it aborts.
 */
export async function askModel(
  request: ModelRequest,
  { model, prices, tracer = noTracer }: Pick<ModelAccess, 'model' | 'prices' | 'tracer'>,
  limits: RunLimits,
): Promise<ModelResponse> {
  const options = { kind: 'client', attributes: chatAttributes(request, model) } as const;
  const response = await tracer.span(`chat ${request.model}`, options, async (span) => {
    try {
      const answer = await respondWithin(limits, model, request);
      span.set(answerAttributes(answer));
      return answer;
    } catch (error) {
      // A provider's words may be the user's.
      if (error instanceof ModelError) markAsFailed(span, error.code);
      throw error;
    }
  });
  const usage = withCost(response.usage, [request.model, response.model], prices());
  return { ...response, usage };
}

async function respondWithin(
  limits: RunLimits,
  model: ModelProvider,
  request: ModelRequest,
): Promise<ModelResponse> {
  try {
    return await runWithin(limits, (signal) => model.respond(request, { signal }));
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    throw new ModelError('provider.retryable', `Cannot call the model: ${error.message}`);
  }
}

/** @throws what is no `ModelError`. */
export function toModelFailure(error: unknown): EffectOutcome {
  if (!(error instanceof ModelError)) throw error;
  const { code, message, retryAfterMs } = error;
  return {
    kind: 'failed',
    code,
    message,
    retryable: code === 'provider.retryable',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** The instance has used what it may; the task is held back until that is raised. */
export function budgetReached(reason: string): EffectOutcome {
  const message = `The budget of the instance is used up: ${reason}`;
  return { kind: 'failed', code: INSTANCE_BUDGET, message, retryable: false };
}
