/** What a task has used, in all and by model. */
import type { Draft } from './Draft.ts';
import type { Usage } from './TaskState.ts';

const NOTHING: Usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** Adds what one request has used; without the name of a model only to the sum. */
export function countUsage(draft: Draft, usage: Usage, model?: string): void {
  const { usage: before, usageByModel = {}, rules } = draft.state;
  draft.update({ usage: addUsage(before, usage) });
  if (rules < 3 || model === undefined) return;
  // Own entries only: a model may be called `constructor`.
  const used = Object.hasOwn(usageByModel, model) ? usageByModel[model] : undefined;
  draft.update({ usageByModel: { ...usageByModel, [model]: addUsage(used ?? NOTHING, usage) } });
}

function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    cachedTokens: left.cachedTokens + right.cachedTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...((left.costMicros !== undefined || right.costMicros !== undefined) && {
      costMicros: (left.costMicros ?? 0) + (right.costMicros ?? 0),
    }),
  };
}
