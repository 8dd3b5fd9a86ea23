/** A task as a list shows it. */
import type { TaskState } from '../task/index.ts';
import type { TaskRow } from './TaskEngine.ts';

/** Message ids in a row (spec/rest-on-tasks.md, Rows). */
const RECENT_MESSAGE_IDS = 50;

export function toTaskRow(state: TaskState): TaskRow {
  const { history: _history, mailbox, commands: _commands, seenMessageIds, run: _run, ...row } = state;
  return {
    ...row,
    queuedMessages: mailbox.length,
    recentMessageIds: seenMessageIds.slice(-RECENT_MESSAGE_IDS),
  };
}
