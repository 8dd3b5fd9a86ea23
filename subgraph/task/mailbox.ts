/** Messages from their delivery to the model's eyes (spec/worker.md § 3.3). */
import type { Draft } from './Draft.ts';
import type { MessageReceived } from './TaskInput.ts';
import type { TaskState } from './TaskState.ts';

/** How many messages may wait in a mailbox; one more is refused with `task.mailbox_full`. */
const MAX_QUEUED_MESSAGES = 200;

/** How many accepted message ids a task remembers, the newest; an older id is no longer known as a duplicate. */
const MAX_SEEN_MESSAGE_IDS = 1_000;

/**
 * Whether the task has accepted a message or command with this id before.
 *
 * A host asks before it delivers and answers the sender itself; `step` ignores a duplicate all the same.
 */
export function isDuplicate(state: Pick<TaskState, 'seenMessageIds'>, messageId: string): boolean {
  return state.seenMessageIds.includes(messageId);
}

/** Puts a message into the mailbox. */
export function receiveMessage(draft: Draft, input: MessageReceived): void {
  const { messageId, participant, text } = input;
  const { mailbox } = draft.state;
  if (mailbox.length >= MAX_QUEUED_MESSAGES) {
    draft.refuse(input, {
      code: 'task.mailbox_full',
      reason: `${mailbox.length} messages wait to be read, fewer than ${MAX_QUEUED_MESSAGES} are expected`,
    });
    return;
  }
  rememberMessageId(draft, messageId);
  draft.update({ mailbox: [...mailbox, { messageId, participant, text }] });
  draft.emit({ type: 'task.messageAccepted', messageId, participant });
}

/** From now on a message or command with this id is a duplicate. */
export function rememberMessageId(draft: Draft, messageId: string): void {
  const seenMessageIds = [...draft.state.seenMessageIds, messageId].slice(-MAX_SEEN_MESSAGE_IDS);
  draft.update({ seenMessageIds });
}

/** Moves every waiting message into the history, as it was written; who wrote it stands beside the text. */
export function drainMailbox(draft: Draft): void {
  for (const { participant, text } of draft.state.mailbox) {
    draft.append({ kind: 'message', role: 'USER', text, participant });
  }
  draft.update({ mailbox: [] });
}
