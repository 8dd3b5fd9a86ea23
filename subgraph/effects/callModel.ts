/** One model turn (spec/worker.md § 3.2, § 6.4). */
import { DeadlineExceeded } from '../../lib/Deadline.ts';
import { ModelError, type ModelProvider } from '../models/ModelProvider.ts';
import type { CallModel } from '../task/index.ts';
import type { ToolRegistry } from '../tools/ToolRegistry.ts';
import { assembleContext } from './assembleContext.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';
import { type RunLimits, runWithin } from './runWithin.ts';

/** The task's model and effort go before the provider's defaults, which are read now. */
export async function callModel(
  { key, model: wanted, effort: wantedEffort }: CallModel,
  { state }: EffectContext,
  { model, tools, limits }: { model: ModelProvider; tools: ToolRegistry; limits: RunLimits },
): Promise<EffectOutcome> {
  const effort = wantedEffort ?? model.defaultEffort;
  const request = {
    ...assembleContext(state, tools.definitions),
    model: wanted ?? model.defaultModel,
    ...(effort !== undefined && { effort }),
  };
  try {
    const response = await runWithin(limits, (signal) => model.respond(request, { signal }));
    return { kind: 'completed', input: { kind: 'modelReplied', effectKey: key, ...response } };
  } catch (error) {
    if (error instanceof ModelError) return toFailure(error);
    if (error instanceof DeadlineExceeded) {
      return toFailure(new ModelError('provider.retryable', `Cannot call the model: ${error.message}`));
    }
    throw error;
  }
}

function toFailure({ code, message, retryAfterMs }: ModelError): EffectOutcome {
  return {
    kind: 'failed',
    code,
    message,
    retryable: code === 'provider.retryable',
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
