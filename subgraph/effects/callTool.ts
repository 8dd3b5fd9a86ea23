/** One tool call, with the hooks around it (spec/worker.md § 3.7). */

import { messageOf } from '../../lib/messageOf.ts';
import { type RunLimits, runWithin } from '../../lib/runWithin.ts';
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { CallTool, JsonObject } from '../task/index.ts';
import { ToolError } from '../tools/ToolDefinition.ts';
import type { ToolRegistry, ToolResult } from '../tools/ToolRegistry.ts';
import { scopeOf } from '../tools/ToolSource.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';

/** Whatever a tool throws, its own defects included, is a failed attempt; by the policy only an idempotent tool gets another. */
export async function callTool(
  { key, call }: CallTool,
  context: EffectContext,
  { tools, hooks, limits }: { tools: ToolRegistry; hooks: HookRunner; limits: RunLimits },
): Promise<EffectOutcome> {
  const { state, attempt, signal } = context;
  const base = { taskId: state.id, correlationId: state.id, attempt };
  const asked = await hooks.run('tool.invoked', 'pre', { ...base, ...call }, { signal });
  if ('abort' in asked) return returned(key, refusal(asked.abort.message));
  const args = asked.context.arguments as JsonObject;
  let output: ToolResult;
  try {
    output = await runWithin(limits, (limited) =>
      tools.call(
        { ...call, arguments: args },
        {
          taskId: state.id,
          ref: state.ref,
          turn: state.turns,
          ...scopeOf(state),
          effectKey: key,
          signal: limited,
        },
      ),
    );
  } catch (error) {
    limits.signal.throwIfAborted();
    const code = error instanceof ToolError ? error.code : 'tool.failed';
    return { kind: 'failed', code, message: messageOf(error), retryable: true };
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

function returned(effectKey: string, { text, isError, command }: ToolResult): EffectOutcome {
  return {
    kind: 'completed',
    input: { kind: 'toolReturned', effectKey, text, isError, ...(command && { command }) },
  };
}

function refusal(message: string): ToolResult {
  return { text: `hook.abort: ${message}`, isError: true };
}
