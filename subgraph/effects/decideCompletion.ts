/** Whether a reply ends the run (spec/worker.md § 3.10). */
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { DecideCompletion } from '../task/index.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';

/** Without a result of a hook: wait for the sub-tasks that block. An abort fails the task. */
export async function decideCompletion(
  { key: effectKey, text, unresolved }: DecideCompletion,
  { state, attempt, signal }: EffectContext,
  hooks: HookRunner,
): Promise<EffectOutcome> {
  const base = { taskId: state.id, correlationId: state.id, attempt };
  const asked = await hooks.run(
    'task.complete',
    'in',
    { ...base, text, unresolved: [...unresolved] },
    { signal },
  );
  const kind = 'completionDecided';
  if ('abort' in asked) {
    const { message: reason } = asked.abort;
    return { kind: 'completed', input: { kind, effectKey, decision: 'fail', code: 'hook.abort', reason } };
  }
  const { result } = asked.context;
  if (!result) {
    const decision = unresolved.length > 0 ? 'wait' : 'complete';
    return { kind: 'completed', input: { kind, effectKey, decision } };
  }
  const { decision, reason } = result;
  return {
    kind: 'completed',
    input: { kind, effectKey, decision, ...(reason !== undefined && { reason }) },
  };
}
