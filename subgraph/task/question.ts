/** The one question that a task may have open (spec/worker.md §§ 3.1, 5.4). */
import type { Draft } from './Draft.ts';
import { changeStatus } from './status.ts';
import type { Question, TaskState } from './TaskState.ts';

/**
 * Opens a question and sends it. One of an earlier turn that is still open is replaced: without an answer
 * the agent could else never ask anybody again.
 */
export function openQuestion(
  draft: Draft,
  { participant, text, options }: Pick<Question, 'participant' | 'text' | 'options'>,
): void {
  const { id, version, turns } = draft.state;
  const messageId = `${id}:help:${version}`;
  draft.update({
    question: { participant, text, options, messageId, askedAtMs: draft.atMs, turn: turns },
  });
  draft.emit({ type: 'task.question', messageId, channelId: id, participant, text, options });
}

/** The current turn has asked already. */
export function hasAsked({ question, turns }: TaskState): boolean {
  return question?.turn === turns;
}

/** Parks the task with its question (spec/worker.md § 2.4, row 12). */
export function awaitAnswer(draft: Draft, { text, options }: Question): void {
  const message = options.length === 0 ? text : `${text}\nOptions: ${options.join(', ')}`;
  changeStatus(draft, { state: 'INPUT_REQUIRED', subState: 'AWAITING_ANSWER', message });
}

/** Closes the question with this message and returns the line that quotes both. */
export function answerQuestion(
  draft: Draft,
  question: Question,
  { messageId, text }: { readonly messageId: string; readonly text: string },
): string {
  draft.clear('question');
  const { participant, messageId: questionId } = question;
  draft.emit({ type: 'task.answered', questionId, messageId, participant });
  return `Question: ${question.text}\nAnswer: ${text}`;
}
