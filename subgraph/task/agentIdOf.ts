import type { TaskState } from './TaskState.ts';

/** The instance's own participant id on this task: as it was created with, else the assigned agent, else any agent. */
export function agentIdOf({ agentId, participants }: Pick<TaskState, 'agentId' | 'participants'>): string {
  const agents = participants.filter(({ kind }) => kind === 'AGENT');
  const agent = agents.find(({ role }) => role === 'ASSIGNEE') ?? agents[0];
  return agentId ?? agent?.id ?? 'flotilla';
}
