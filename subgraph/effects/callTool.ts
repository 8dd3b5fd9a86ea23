/** One tool call, with the hooks around it (spec/worker.md § 3.7). */

import { DeadlineExceeded } from '../../lib/Deadline.ts';
import { messageOf } from '../../lib/messageOf.ts';
import { type RunLimits, runWithin } from '../../lib/runWithin.ts';
import type { Tracer } from '../../lib/Tracer.ts';
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { CallTool, JsonObject, ToolCall } from '../task/index.ts';
import { ToolError } from '../tools/ToolDefinition.ts';
import type { ToolRegistry, ToolResult } from '../tools/ToolRegistry.ts';
import { scopeOf } from '../tools/ToolSource.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';
import { markAsFailed } from './markAsFailed.ts';
import { toolAttributes } from './spanAttributes.ts';

export interface ToolAccess {
  readonly tools: ToolRegistry;
  readonly hooks: HookRunner;
  readonly tracer: Tracer;
}

/** Whatever a tool throws, its own defects included, is a failed attempt; by the policy only an idempotent tool gets another. */
export async function callTool(
  { key, call }: CallTool,
  context: EffectContext,
  { tools, hooks, tracer, limits }: ToolAccess & { readonly limits: RunLimits },
): Promise<EffectOutcome> {
  const { state, attempt, signal } = context;
  const base = { taskId: state.id, correlationId: state.id, attempt };
  const asked = await hooks.run('tool.invoked', 'pre', { ...base, ...call }, { signal });
  if ('abort' in asked) return returned(key, refusal(asked.abort.message));
  const args = asked.context.arguments as JsonObject;
  const scope = { taskId: state.id, ref: state.ref, turn: state.turns, ...scopeOf(state), effectKey: key };
  const toolCall = { ...call, arguments: args };
  let output: ToolResult;
  try {
    output = await callTraced(toolCall, { tracer, signal }, () =>
      runWithin(limits, (limited) => tools.call(toolCall, { ...scope, signal: limited })),
    );
  } catch (error) {
    limits.signal.throwIfAborted();
    return { kind: 'failed', code: codeOf(error), message: messageOf(error), retryable: true };
  }
  if (!hooks.has('tool.invoked', 'post')) return returned(key, output);
  const { text, isError } = output;
  const after = await hooks.run(
    'tool.invoked',
    'post',
    { ...base, ...call, arguments: args, output: { text, isError } },
    { signal },
  );
  if ('abort' in after) return returned(key, refusal(after.abort.message));
  return returned(key, { ...output, ...after.context.output });
}

/** What a tool says stays out of the span, and the end of an abandoned call is no failure. */
function callTraced(
  call: ToolCall,
  { tracer, signal }: { readonly tracer: Tracer; readonly signal: AbortSignal },
  work: () => Promise<ToolResult>,
): Promise<ToolResult> {
  return tracer.span(`execute_tool ${call.tool}`, { attributes: toolAttributes(call) }, async (span) => {
    try {
      const result = await work();
      span.set({ 'flotilla.tool.is_error': result.isError });
      return result;
    } catch (error) {
      if (!signal.aborted) markAsFailed(span, codeOf(error));
      throw error;
    }
  });
}

function codeOf(error: unknown): string {
  if (error instanceof DeadlineExceeded) return 'tool.timed_out';
  return error instanceof ToolError ? error.code : 'tool.failed';
}

function returned(effectKey: string, { text, isError, command }: ToolResult): EffectOutcome {
  return {
    kind: 'completed',
    input: { kind: 'toolReturned', effectKey, text, isError, ...(command && { command }) },
  };
}

function refusal(message: string): ToolResult {
  return { text: `hook.abort: ${message}`, isError: true };
}
