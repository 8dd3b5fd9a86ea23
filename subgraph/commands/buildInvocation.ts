/** What an executor is told of the task that its command was sent to (spec/worker.md § 4.3). Pure. */
import type { Effort, Participant, TaskState } from '../task/index.ts';
import type { CommandInvocation } from './CommandDefinition.ts';
import { splitArguments } from './splitArguments.ts';

/** A command as it was sent, or as a hook has rewritten it. */
export interface CommandCall {
  readonly messageId: string;
  readonly participant: string;
  readonly name: string;
  readonly args: string;
}

/** Facts of the instance. */
export interface ModelFacts {
  readonly defaultModel: string;
  readonly defaultEffort?: Effort;
  readonly allowedModels: readonly string[];
}

export function buildInvocation(
  { messageId, participant, name, args }: CommandCall,
  state: TaskState,
  { defaultModel, defaultEffort, allowedModels }: ModelFacts,
): CommandInvocation {
  const { status, plan } = state;
  return {
    taskId: state.id,
    ref: state.ref,
    taskName: state.name,
    contextId: state.contextId,
    messageId,
    participant: senderOf(participant, state.participants),
    name,
    args,
    argv: splitArguments(args),
    state: status.state,
    ...(status.subState && { subState: status.subState }),
    paused: state.paused,
    lifecycle: state.lifecycle,
    settings: state.settings,
    defaults: { model: defaultModel, ...(defaultEffort && { effort: defaultEffort }) },
    models: allowedModels,
    subTasks: (state.children ?? []).map(({ id, state, lifecycle }) => ({
      taskId: id,
      state,
      kind: lifecycle,
    })),
    ...(state.question && { question: state.question.text }),
    ...(plan && { plan }),
    queuedMessages: state.mailbox.length,
    turn: state.turns,
    correlationId: state.id,
  };
}

function senderOf(id: string, participants: readonly Participant[]): CommandInvocation['participant'] {
  const sender = participants.find((participant) => participant.id === id);
  return { id, kind: sender?.kind ?? 'HUMAN', role: sender?.role ?? 'WATCHER' };
}
