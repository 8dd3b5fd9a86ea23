/** One tool call (spec/worker.md § 3.7). */
import type { CallTool } from '../task/index.ts';
import type { ToolRegistry } from '../tools/ToolRegistry.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';
import { messageOf } from './messageOf.ts';
import { type RunLimits, runWithin } from './runWithin.ts';

/** Whatever a tool throws, its own defects included, is a failed attempt; only an idempotent tool gets another. */
export async function callTool(
  { key, call }: CallTool,
  { state }: EffectContext,
  { tools, limits }: { tools: ToolRegistry; limits: RunLimits },
): Promise<EffectOutcome> {
  try {
    const output = await runWithin(limits, (signal) =>
      tools.call(call, { ref: state.ref, effectKey: key, signal }),
    );
    return { kind: 'completed', input: { kind: 'toolReturned', effectKey: key, ...output } };
  } catch (error) {
    limits.signal.throwIfAborted();
    const retryable = tools.isIdempotent(call.tool);
    return {
      kind: 'failed',
      code: retryable ? 'tool.failed' : 'tool.not_retried',
      message: messageOf(error),
      retryable,
    };
  }
}
