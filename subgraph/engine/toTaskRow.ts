/** A task as a list shows it. */
import type { TaskState } from '../task/index.ts';
import type { TaskRow } from './TaskEngine.ts';

/** Message ids in a row (spec/rest-on-tasks.md, Rows). */
const RECENT_MESSAGE_IDS = 50;

/** Written out, because leaving keys out of a copy costs ten times as much, and lists have a thousand rows. */
export function toTaskRow(state: TaskState): TaskRow {
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
    participants: state.participants,
    settings: state.settings,
    plan: state.plan,
    lastEntryId: state.lastEntryId,
    paused: state.paused,
    turns: state.turns,
    turnsInRun: state.turnsInRun,
    maxTurns: state.maxTurns,
    usage: state.usage,
    lastReply: state.lastReply,
    createdAtMs: state.createdAtMs,
    updatedAtMs: state.updatedAtMs,
    queuedMessages: state.mailbox.length,
    recentMessageIds: state.seenMessageIds.slice(-RECENT_MESSAGE_IDS),
  };
}
