/** Random lives of a task on an engine: what people do to it, and a model that does what it is told. */
import fc from 'fast-check';
import type { EffectOutcome } from '../../subgraph/effects/EffectPerformer.ts';
import type { TaskEngine } from '../../subgraph/engine/TaskEngine.ts';
import type { TaskState } from '../../subgraph/task/index.ts';
import { commandOutcome, FakePerformer, modelReply } from './FakePerformer.ts';
import { aCommand, aNewTask } from './tasks.ts';

/** The task whose life it is; its sub-tasks have refs of the instance. */
export const REF = 'github:o/r#1';

const PLAIN = [
  { do: 'say', text: 'hello' },
  { do: 'say', text: 'look it up' },
  { do: 'say', text: 'ask me' },
  { do: 'say', text: 'hand it on' },
  { do: 'settings', model: 'm2' },
  { do: 'settings', model: 'm3' },
  { do: 'pause' },
  { do: 'resume' },
  { do: 'complete' },
] as const;

export type LifeMove = (typeof PLAIN)[number] | { readonly do: 'command' } | { readonly do: 'cancel' };

/** Ends are rare, so that most lives are long. */
const weighted = (extra: readonly LifeMove[]) =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom<LifeMove>(...PLAIN.filter((move) => move.do !== 'complete'), ...extra),
    },
    { weight: 1, arbitrary: fc.constantFrom<LifeMove>({ do: 'complete' }, { do: 'cancel' }) },
  );

/** Moves that may be made again when it is not known whether they were made. */
export const repeatableLife = fc.array(weighted([]), { minLength: 1, maxLength: 6 });

export const anyLife = fc.array(weighted([{ do: 'command' }]), { minLength: 1, maxLength: 10 });

export function begin(engine: TaskEngine): Promise<unknown> {
  return engine.start(aNewTask({ ref: REF, creationId: 'creation-1', settings: { model: 'm1' } }));
}

/** @param number of the move; it is the id of what has one. */
export function make(engine: TaskEngine, move: LifeMove, number: number): Promise<unknown> {
  const participant = 'alice';
  switch (move.do) {
    case 'say':
      return engine.deliver(REF, {
        kind: 'messageReceived',
        messageId: `say-${number}`,
        participant,
        text: move.text,
      });
    case 'command':
      return engine.deliver(REF, aCommand(`command-${number}`));
    case 'settings':
      return engine.deliver(REF, { kind: 'settingsChanged', participant, model: move.model });
    case 'pause':
      return engine.deliver(REF, { kind: 'pauseRequested', participant });
    case 'resume':
      return engine.deliver(REF, { kind: 'resumeRequested', participant });
    case 'complete':
      return engine.deliver(REF, { kind: 'completeRequested', participant });
    case 'cancel':
      return engine.deliver(REF, { kind: 'cancelRequested', participant });
  }
}

/** Its answers are functions of the state alone. */
export function createObedientPerformer(): FakePerformer {
  return new FakePerformer({
    callModel: (effect, { state }) => answer(effect, state),
    runCommand: (effect) =>
      commandOutcome(effect, {
        kind: 'intents',
        intents: [{ kind: 'settings', model: 'm4' }, { kind: 'spawn' }],
      }),
    idempotentTools: ['get_order'],
  });
}

function answer(effect: { readonly key: string }, state: TaskState): EffectOutcome {
  const last = state.history.at(-1);
  const told = last?.kind === 'message' && last.role === 'USER' && !state.parent ? last.text : '';
  const call = (tool: string, args: Readonly<Record<string, string>>) =>
    modelReply(effect, { toolCalls: [{ callId: `call-${state.turns}`, tool, arguments: args }] });
  switch (told) {
    case 'look it up':
      return call('get_order', {});
    case 'ask me':
      return call('ask_participant', { participant_id: 'alice', question: 'Which one?' });
    case 'hand it on':
      return call('spawn_subtask', { name: 'Order', goal: 'Find the order' });
    default:
      return modelReply(effect, { text: 'Done.' });
  }
}
