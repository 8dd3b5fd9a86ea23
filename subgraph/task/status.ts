/** Where a task's status changes: every change of state or sub-state is made and told by `changeStatus` (spec/worker.md § 2.3). */
import { type A2AState, isTerminalState } from './A2AState.ts';
import { agentIdOf } from './agentIdOf.ts';
import { cutText } from './cutText.ts';
import type { Draft } from './Draft.ts';
import type { Run, TaskStatus } from './TaskState.ts';

/** Nothing is under way. */
export const IDLE: Run = { phase: 'idle' };

/** Longest summary that a parent is told, in characters. */
export const MAX_SUMMARY_LENGTH = 500;

/** What a status says beside the state. */
export interface StatusText {
  /** Empty counts as none. */
  readonly message?: string;
  readonly errorCode?: string;
}

/** Sets the status and tells it; what the status before said is gone. */
export function changeStatus(
  draft: Draft,
  { state, subState, message, errorCode }: Omit<TaskStatus, 'atMs'>,
): void {
  const status = {
    state,
    ...(subState !== undefined && { subState }),
    ...(message !== undefined && message !== '' && { message }),
    ...(errorCode !== undefined && { errorCode }),
  };
  draft.update({ status: { ...status, atMs: draft.atMs } });
  draft.emit({ type: 'task.status', ...status });
}

/** The task waits: for the answer while a question is open, else for the next message. */
export function park(draft: Draft, text: StatusText = {}): void {
  const subState = draft.state.question ? 'AWAITING_ANSWER' : 'AWAITING_MESSAGE';
  changeStatus(draft, { state: 'INPUT_REQUIRED', subState, ...text });
}

/**
 * The task is over: what runs is abandoned, what waits is dropped, the parent is told (spec/worker.md § 5.5).
 *
 * Open sub-tasks live on, unless the task was cancelled or nobody knows whether they started.
 */
export function endTask(
  draft: Draft,
  state: Extract<A2AState, 'COMPLETED' | 'FAILED' | 'CANCELED'>,
  text: StatusText,
): void {
  const { run, commands, mailbox } = draft.state;
  if ('effectKey' in run) draft.abandon(run.effectKey);
  for (const { effectKey } of [...commands, ...mailbox]) {
    if (effectKey !== undefined) draft.abandon(effectKey);
  }
  draft.update({ run: IDLE, mailbox: [], commands: [] });
  draft.clear('question');
  draft.clear('notes');
  draft.clear('heldBy');
  changeStatus(draft, { state, ...text });
  cancelChildren(draft);
  tellParent(draft);
}

function cancelChildren(draft: Draft): void {
  const { children = [], status } = draft.state;
  for (const { id, ref, state } of children) {
    if (isTerminalState(state) || (status.state !== 'CANCELED' && ref !== undefined)) continue;
    cancelChild(draft, id, status.message ?? '');
  }
}

export function cancelChild(draft: Draft, childId: string, reason: string): void {
  draft.request({ kind: 'cancelChild', childId, participant: agentIdOf(draft.state), reason });
}

function tellParent(draft: Draft): void {
  const { parent, id: childId, version, status, lastReply } = draft.state;
  if (!parent) return;
  const summary = cutText(status.message ?? lastReply ?? '', MAX_SUMMARY_LENGTH);
  draft.request({ kind: 'tellParent', parent, childId, version, state: status.state, summary });
}
