/** A task as a list shows it. */
import type { TaskState } from '../task/index.ts';
import type { TaskRow } from './TaskEngine.ts';

/**
 * Message ids are not taken from the state, which may have those of its newest step only.
 *
 * Written out, because leaving keys out of a copy costs ten times as much, and lists have a thousand rows.
 */
export function toTaskRow(state: TaskState, recentMessageIds?: readonly string[]): TaskRow {
  return {
    rules: state.rules,
    version: state.version,
    ref: state.ref,
    id: state.id,
    contextId: state.contextId,
    lifecycle: state.lifecycle,
    status: state.status,
    name: state.name,
    goal: state.goal,
    description: state.description,
    acceptanceCriteria: state.acceptanceCriteria,
    participants: state.participants,
    agentId: state.agentId,
    actor: state.actor,
    settings: state.settings,
    plan: state.plan,
    repositories: state.repositories,
    parent: state.parent,
    depth: state.depth,
    origin: state.origin,
    children: state.children,
    question: state.question,
    compactedThroughId: state.compactedThroughId,
    lastEntryId: state.lastEntryId,
    paused: state.paused,
    turns: state.turns,
    turnsInRun: state.turnsInRun,
    maxTurns: state.maxTurns,
    usage: state.usage,
    usageByModel: state.usageByModel,
    budget: state.budget,
    heldBy: state.heldBy,
    lastReply: state.lastReply,
    createdAtMs: state.createdAtMs,
    updatedAtMs: state.updatedAtMs,
    queuedMessages: state.mailbox.length,
    skills: state.loadedSkills?.map(({ name }) => name) ?? [],
    recentMessageIds,
  };
}
