/** Whether one message is taken: what the hooks of `request.received` say (spec/worker.md § 5.3). */
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { Intake } from '../task/index.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';

/** Membership and envelope are judged by the core, before and after. */
export async function intake(
  { key: effectKey, message }: Intake,
  { state, attempt, signal }: EffectContext,
  hooks: HookRunner,
): Promise<EffectOutcome> {
  const base = { taskId: state.id, correlationId: state.id, attempt };
  const { messageId, participant, text } = message;
  const before = await hooks.run(
    'request.received',
    'pre',
    { ...base, message: { messageId, participant, text } },
    { signal },
  );
  if ('abort' in before) {
    const { message: reason } = before.abort;
    await hooks.run(
      'request.received',
      'post',
      { ...base, message: { messageId, participant, text }, accepted: false, reason },
      { signal },
    );
    return {
      kind: 'completed',
      input: { kind: 'intakeDone', effectKey, accepted: false, code: 'hook.abort', reason },
    };
  }
  const { text: rewritten } = before.context.message;
  await hooks.run(
    'request.received',
    'post',
    { ...base, message: { messageId, participant, text: rewritten }, accepted: true },
    { signal },
  );
  return {
    kind: 'completed',
    input: {
      kind: 'intakeDone',
      effectKey,
      accepted: true,
      ...(rewritten !== text && { text: rewritten }),
    },
  };
}
