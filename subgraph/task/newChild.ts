/** A sub-task as its parent wants it, and as it is to be created (spec/worker.md § 3.10). */
import type { Lifecycle } from './A2AState.ts';
import { agentIdOf } from './agentIdOf.ts';
import type { Participant } from './Participant.ts';
import type { NewChild } from './TaskEffect.ts';
import type { TaskSettings } from './TaskSettings.ts';
import type { TaskState } from './TaskState.ts';

/** A sub-task that is wanted; what is absent is the parent's. */
export interface WantedChild {
  readonly lifecycle: Lifecycle;
  readonly name?: string;
  readonly goal?: string;
  readonly acceptanceCriteria?: readonly string[];
  /** Whoever sends the first message. */
  readonly message?: { readonly participant: string; readonly text: string };
  /** Becomes the assignee, in the place of another. */
  readonly assignee?: string;
  readonly agent?: string;
  /** Id of a step of the plan. */
  readonly step?: string;
  readonly settings?: TaskSettings;
  /** What it is started for; absent: what the task works on. */
  readonly trace?: string;
}

/** The sub-task with this number; whatever is not wanted otherwise is copied from the parent and independent afterwards. */
export function toNewChild(state: TaskState, wanted: WantedChild, number: number): NewChild {
  const { id: parentId, ref, contextId, settings, maxTurns, budget, depth = 0 } = state;
  const { lifecycle, goal, acceptanceCriteria = [], message } = wanted;
  const id = `${parentId}.${number}`;
  return {
    id,
    contextId,
    parent: { ref, id: parentId },
    depth: depth + 1,
    lifecycle,
    name: wanted.name || `sub-task ${number}`,
    ...(goal !== undefined && { goal }),
    ...(acceptanceCriteria.length > 0 && {
      acceptanceCriteria: acceptanceCriteria.map((text) => ({ text, met: false })),
    }),
    ...(message && {
      message: { messageId: `${id}:${lifecycle === 'DELEGATED' ? 'goal' : 'message'}`, ...message },
    }),
    participants: participantsOf(state, wanted.assignee),
    settings: wanted.settings ?? settings,
    maxTurns,
    agentId: agentIdOf(state),
    ...(budget && { budget }),
  };
}

/** The participants with the agent among them, so that its own messages are taken: as assignee where there is none. */
export function withAgent(participants: readonly Participant[], agentId: string): readonly Participant[] {
  if (participants.some(({ id }) => id === agentId)) return participants;
  const hasAssignee = participants.some(({ role }) => role === 'ASSIGNEE');
  const role = hasAssignee ? 'WATCHER' : 'ASSIGNEE';
  return [...participants, { id: agentId, kind: 'AGENT', role, displayName: '' }];
}

function participantsOf(state: TaskState, assignee: string | undefined): readonly Participant[] {
  const participants = state.participants.map((participant): Participant => {
    if (assignee === undefined) return participant;
    if (participant.id === assignee) return { ...participant, role: 'ASSIGNEE' };
    return participant.role === 'ASSIGNEE' ? { ...participant, role: 'WATCHER' } : participant;
  });
  return withAgent(participants, agentIdOf(state));
}
