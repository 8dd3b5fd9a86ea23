/** What one task does to another one: it starts it, tells it, or cancels it (spec/worker.md § 3.10). All of it may be done again. */
import { FlotillaError } from '../../schema/errors.ts';
import type { HookRunner } from '../hooks/HookRunner.ts';
import type { CancelChild, StartChild, TellParent } from '../task/index.ts';
import type { EffectContext, EffectOutcome } from './EffectPerformer.ts';

/** A sub-task that exists already, from an earlier attempt, counts as started. A hook may refuse a new one. */
export async function startChild(
  { key: effectKey, child, agent }: StartChild,
  { engine, attempt, signal }: EffectContext,
  hooks: HookRunner,
): Promise<EffectOutcome> {
  if (agent !== undefined) {
    return failed('entity.not_found', `no remote agent has the id "${agent}", a registered one is expected`);
  }
  const { id: childId, name = '', goal = '', lifecycle, parent } = child;
  const context = {
    taskId: parent.id,
    correlationId: parent.id,
    attempt,
    childId,
    name,
    goal,
    lifecycle,
  };
  const before = await hooks.run('subtask.spawned', 'pre', context, { signal });
  if ('abort' in before) return failed('hook.abort', before.abort.message);
  try {
    const { state } = await engine.start(child);
    await hooks.run('subtask.spawned', 'post', context, { signal });
    return { kind: 'completed', input: { kind: 'childStarted', effectKey, ref: state.ref } };
  } catch (error) {
    return toFailure(error);
  }
}

/** A parent that is gone needs not be told. */
export async function tellParent(
  { key, parent, childId, version, state, summary }: TellParent,
  { engine }: EffectContext,
): Promise<EffectOutcome> {
  return tell(key, () =>
    engine.deliver({ id: parent.id }, { kind: 'childChanged', childId, version, state, summary }),
  );
}

export async function cancelChild(
  { key, childId, participant, reason }: CancelChild,
  { engine }: EffectContext,
): Promise<EffectOutcome> {
  return tell(key, () => engine.deliver({ id: childId }, { kind: 'cancelRequested', participant, reason }));
}

async function tell(effectKey: string, deliver: () => Promise<unknown>): Promise<EffectOutcome> {
  try {
    await deliver();
  } catch (error) {
    if (!(error instanceof FlotillaError) || error.code !== 'NOT_FOUND') return toFailure(error);
  }
  return { kind: 'completed', input: { kind: 'effectDone', effectKey } };
}

/** Only a host that is full, or cannot write, may do better later. */
function toFailure(error: unknown): EffectOutcome {
  if (!(error instanceof FlotillaError)) throw error;
  const retryable = error.code === 'UNAVAILABLE' || error.code === 'TOO_MANY_REQUESTS';
  return {
    kind: 'failed',
    code: error.details.reason ?? 'task.not_started',
    message: error.message,
    retryable,
  };
}

function failed(code: string, message: string): EffectOutcome {
  return { kind: 'failed', code, message, retryable: false };
}
