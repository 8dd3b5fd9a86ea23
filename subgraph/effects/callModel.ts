/** One model turn (spec/worker.md § 3.1, § 3.2): the context, a look at its size, the request, and the hooks around it. */

import type { RunLimits } from '../../lib/runWithin.ts';
import type { HookContext } from '../hooks/HookContext.ts';
import type { ModelRequest, ModelResponse } from '../models/ModelProvider.ts';
import type { CallModel, HistoryEntry } from '../task/index.ts';
import { scopeOf } from '../tools/ToolSource.ts';
import { assembleContext } from './assembleContext.ts';
import { budgetTokens, countCharacters, estimateTokens } from './contextSize.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';
import { askModel, budgetReached, chooseModel, type ModelAccess, toModelFailure } from './ModelAccess.ts';
import { livingEntries, planCompaction } from './planCompaction.ts';

/** The task's model and effort go before the provider's defaults, which are read now. */
export async function callModel(
  effect: CallModel,
  context: EffectContext,
  { limits, ...access }: ModelAccess & { readonly limits: RunLimits },
): Promise<EffectOutcome> {
  const { state, attempt, signal } = context;
  const { hooks } = access;
  const reached = access.findReachedBudget();
  if (reached !== undefined) return budgetReached(reached);
  const tools = await access.tools.list(scopeOf(state));
  const request: ModelRequest = {
    ...assembleContext(state, { ...access.context, tools }),
    ...chooseModel(effect, access.model),
  };
  const characters = countCharacters(request);
  if (!effect.compacted && (await isCompactionDue(request, characters, context, access))) {
    return { kind: 'completed', input: { kind: 'compactionDue', effectKey: effect.key } };
  }
  const base = { taskId: state.id, correlationId: state.id, attempt };
  const before = await hooks.run('llm.invoked', 'pre', { ...base, request: toHook(request) }, { signal });
  if ('abort' in before) return aborted(before.abort.message);
  const asked = hooks.has('llm.invoked', 'pre') ? fromHook(before.context.request, request) : request;
  let response: ModelResponse;
  try {
    response = await askModel(asked, access, limits);
  } catch (error) {
    return toModelFailure(error);
  }
  const after = await hooks.run(
    'llm.invoked',
    'post',
    { ...base, request: toHook(asked), response: toHookResponse(response) },
    { signal },
  );
  if ('abort' in after) return aborted(after.abort.message);
  const { text, finish, toolCalls: made } = after.context.response;
  const extracted = await hooks.run('tool_calls.extracted', 'pre', { ...base, toolCalls: made }, { signal });
  if ('abort' in extracted) return aborted(extracted.abort.message);
  return {
    kind: 'completed',
    input: {
      kind: 'modelReplied',
      effectKey: effect.key,
      text,
      toolCalls: extracted.context.toolCalls as ModelResponse['toolCalls'],
      usage: response.usage,
      model: response.model,
      finish,
      characters,
      ...(hooks.has('task.complete', 'in') && { decideCompletion: true }),
    },
  };
}

/** Whether the context is over its budget, by the hook or by the estimate, and there is something to compact. */
async function isCompactionDue(
  { model }: ModelRequest,
  characters: number,
  { state, attempt, signal }: EffectContext,
  { model: provider, hooks, contextLimits }: ModelAccess,
): Promise<boolean> {
  const estimated = estimateTokens(characters, state.lastContext);
  const budget = budgetTokens(contextLimits(), { model, defaultModel: provider.defaultModel });
  const asked = await hooks.run(
    'compaction.trigger',
    'in',
    {
      taskId: state.id,
      correlationId: state.id,
      attempt,
      estimatedTokens: estimated,
      budgetTokens: budget,
    },
    { signal },
  );
  const isDue = 'abort' in asked ? false : (asked.context.result ?? estimated > budget);
  return isDue && planCompaction(livingEntries(state)).length > 0;
}

type HookRequest = HookContext<'llm.invoked.pre'>['request'];

function toHook({ model, effort, instructions, input, tools }: ModelRequest): HookRequest {
  return {
    model,
    ...(effort !== undefined && { effort }),
    instructions,
    input: input.map(({ id: _id, atMs: _at, ...item }) => item),
    tools,
  } as HookRequest;
}

/** A hook knows no ids of entries: they are counted anew, which no provider looks at. */
function fromHook(
  { model, effort, instructions, input, tools }: HookRequest,
  sent: ModelRequest,
): ModelRequest {
  const { effort: _old, ...rest } = sent;
  return {
    ...rest,
    model,
    ...(effort !== undefined && { effort: effort as NonNullable<ModelRequest['effort']> }),
    instructions,
    input: input.map((item, id) => ({ id, atMs: 0, ...item })) as HistoryEntry[],
    tools: tools as ModelRequest['tools'],
  };
}

function toHookResponse({ text, toolCalls, usage, model, finish }: ModelResponse) {
  const { inputTokens, cachedTokens, outputTokens } = usage;
  return {
    text,
    toolCalls,
    usage: { inputTokens, cachedTokens, outputTokens },
    model,
    finish,
  } as HookContext<'llm.invoked.post'>['response'];
}

function aborted(message: string): EffectOutcome {
  return { kind: 'failed', code: 'hook.abort', message, retryable: false };
}
