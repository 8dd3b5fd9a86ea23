/** Tasks and inputs of alice, as a test gives them to an engine. */
import type { EffectOutcome } from '../../subgraph/effects/EffectPerformer.ts';
import type { NewInput, NewTask } from '../../subgraph/engine/TaskEngine.ts';
import type { ToolCall } from '../../subgraph/task/index.ts';
import { modelReply } from './FakePerformer.ts';

/** A conversation of alice with the agent. */
export function aNewTask(change: Partial<NewTask> = {}): NewTask {
  return {
    lifecycle: 'CONVERSATION',
    message: { messageId: 'm1', participant: 'alice', text: 'Find the order' },
    participants: [
      { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    ],
    settings: {},
    maxTurns: 50,
    ...change,
  };
}

export function aMessage(messageId: string, text = 'And the next'): NewInput {
  return { kind: 'messageReceived', messageId, participant: 'alice', text };
}

export function aCommand(messageId: string, name = 'ping'): NewInput {
  return { kind: 'commandReceived', messageId, participant: 'alice', name, args: '' };
}

export const COMPLETE: NewInput = { kind: 'completeRequested', participant: 'alice' };

/** A model that calls the tools of one list in its first turn and says `all done` in the second. */
export function callToolFirst(...toolCalls: readonly ToolCall[]) {
  return (
    effect: { readonly key: string },
    { state }: { readonly state: { readonly turns: number } },
  ): EffectOutcome => modelReply(effect, state.turns === 0 ? { toolCalls } : { text: 'all done' });
}
