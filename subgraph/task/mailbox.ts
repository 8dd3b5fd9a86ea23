/** Messages from their delivery to the model's eyes (spec/worker.md §§ 3.3, 5.3). */
import { takeNameFrom } from './creation.ts';
import type { Draft } from './Draft.ts';
import { applyEnvelope, findEnvelopeProblem } from './envelope.ts';
import { interruptRun } from './interrupt.ts';
import type { MailboxMessage } from './MailboxMessage.ts';
import { answerQuestion } from './question.ts';
import { endTask, park } from './status.ts';
import type { IntakeDone, MessageReceived } from './TaskInput.ts';
import type { TaskState } from './TaskState.ts';
import { hasReadyMessage } from './waking.ts';

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

/** Puts a message into the mailbox, or refuses it. One that intake has to judge is not accepted yet. */
export function receiveMessage(draft: Draft, input: MessageReceived): void {
  const { messageId, participant, text, interrupt, needsIntake, envelope, channel } = input;
  const { mailbox } = draft.state;
  if (mailbox.length >= MAX_QUEUED_MESSAGES) {
    draft.refuse(input, {
      code: 'task.mailbox_full',
      reason: `${mailbox.length} messages wait to be read, fewer than ${MAX_QUEUED_MESSAGES} are expected`,
    });
    return;
  }
  const message: MailboxMessage = {
    messageId,
    participant,
    text,
    ...(envelope && { envelope }),
    ...(channel && { channel }),
    ...(interrupt && { interrupt }),
  };
  if (refuseIfImproper(draft, message)) return;
  rememberMessageId(draft, messageId);
  const waiting = needsIntake ? { ...message, needsIntake } : message;
  draft.update({ mailbox: [...mailbox, waiting] });
  if (!needsIntake) accept(draft, message);
}

/** From now on a message or command with this id is a duplicate. */
export function rememberMessageId(draft: Draft, messageId: string): void {
  const seenMessageIds = [...draft.state.seenMessageIds, messageId].slice(-MAX_SEEN_MESSAGE_IDS);
  draft.update({ seenMessageIds });
}

/** Has the first message judged that waits for it, one at a time; a pause does not hold intake back. */
export function startIntakeIfDue(draft: Draft): void {
  const message = draft.state.mailbox.find(({ needsIntake }) => needsIntake);
  if (!message || message.effectKey !== undefined) return;
  const { needsIntake: _, ...judged } = message;
  const effectKey = draft.request({ kind: 'intake', message: judged });
  replaceMessage(draft, message, { ...message, effectKey });
}

/** Takes in the verdict; the rights to an envelope are asked for again, as they may have changed. */
export function intakeDone(draft: Draft, input: IntakeDone): void {
  const waiting = draft.state.mailbox.find(({ effectKey }) => effectKey === input.effectKey);
  if (!waiting) return;
  const { needsIntake: _, effectKey: __, ...message } = waiting;
  if (!input.accepted) {
    replaceMessage(draft, waiting);
    draft.refuse({ ...message, kind: 'messageReceived' }, input);
  } else if (refuseIfImproper(draft, message)) {
    replaceMessage(draft, waiting);
  } else {
    const accepted = { ...message, text: input.text ?? message.text };
    if (draft.state.status.state === 'SUBMITTED') takeNameFrom(draft, accepted.text);
    replaceMessage(draft, waiting, accepted);
    accept(draft, accepted);
  }
  const { status, mailbox } = draft.state;
  if (status.state === 'SUBMITTED' && mailbox.length === 0) park(draft);
}

/** Moves what waits into the history: the notes, then the messages up to the first one that intake has not judged. */
export function drainMailbox(draft: Draft): void {
  for (const { text } of draft.state.notes ?? []) draft.append({ kind: 'message', role: 'NOTE', text });
  draft.clear('notes');
  const { mailbox } = draft.state;
  const end = mailbox.findIndex(({ needsIntake }) => needsIntake);
  const ready = end === -1 ? mailbox : mailbox.slice(0, end);
  for (const message of ready) readMessage(draft, message);
  draft.update({ mailbox: mailbox.slice(ready.length) });
}

/** The answer of the assignee ends the task of a participant (spec/worker.md § 2.4, row 21). */
export function takeAnswerIfDue(draft: Draft): void {
  const { lifecycle, paused, mailbox } = draft.state;
  const [answer] = mailbox;
  if (lifecycle !== 'PARTICIPANT' || paused || !answer || !hasReadyMessage(draft.state)) return;
  readMessage(draft, answer);
  endTask(draft, 'COMPLETED', { message: answer.text });
}

/** Whose answer the task of a participant waits for. */
export function assigneeOf({ participants }: Pick<TaskState, 'participants'>): string | undefined {
  return (participants.find(({ role }) => role === 'ASSIGNEE') ?? participants[0])?.id;
}

function accept(
  draft: Draft,
  { messageId, participant, envelope, channel, interrupt }: MailboxMessage,
): void {
  if (envelope?.kind === 'task') applyEnvelope(draft, envelope);
  draft.emit({ type: 'task.messageAccepted', messageId, participant, ...(channel && { channel }) });
  if (interrupt) interruptRun(draft, messageId);
}

function refuseIfImproper(draft: Draft, message: MailboxMessage): boolean {
  const { participant, envelope } = message;
  const input = { ...message, kind: 'messageReceived' };
  const assignee = draft.state.lifecycle === 'PARTICIPANT' ? assigneeOf(draft.state) : participant;
  if (participant !== assignee) {
    draft.refuse(input, {
      code: 'task.not_the_assignee',
      reason: `"${participant}" is not asked, an answer of "${assignee}" is expected`,
    });
    return true;
  }
  const problem = envelope && findEnvelopeProblem(draft.state, participant, envelope);
  if (problem === undefined) return false;
  draft.refuse(input, { code: 'task.envelope_refused', reason: problem });
  return true;
}

/** As it was written; who wrote it stands beside the text. */
function readMessage(draft: Draft, message: MailboxMessage): void {
  const { participant, envelope } = message;
  const { question, rules } = draft.state;
  if (envelope && envelope.kind !== 'task') {
    const text = `${envelope.kind} of ${participant}: ${JSON.stringify(envelope.payload)}`;
    draft.append({ kind: 'message', role: 'NOTE', text, participant });
  }
  if (question?.participant === participant) {
    const text = answerQuestion(draft, question, message);
    draft.append({ kind: 'message', role: 'USER', text, participant });
  } else if (!envelope || message.text !== '') {
    draft.append({ kind: 'message', role: 'USER', text: message.text, participant });
  }
  if (rules >= 3) draft.update({ actor: participant });
}

function replaceMessage(draft: Draft, old: MailboxMessage, ...replacement: readonly MailboxMessage[]): void {
  draft.update({
    mailbox: draft.state.mailbox.flatMap((message) => (message === old ? replacement : [message])),
  });
}
