/** Whether a task has a run, and what starts the next one when it has none. */
import type { TaskState } from './TaskState.ts';

/** A message may be read now. */
export function hasReadyMessage({ mailbox }: Pick<TaskState, 'mailbox'>): boolean {
  return mailbox[0] !== undefined && !mailbox[0].needsIntake;
}

/** What comes in now joins the run that is under way. */
export function isRunning({ status, run }: Pick<TaskState, 'status' | 'run'>): boolean {
  return status.state === 'WORKING' && run.phase !== 'waiting';
}

/** A message may be read, or a sub-task that the task waits for has told something (spec/worker.md § 2.4, rows 16, 30 and 31). */
export function isWoken(state: Pick<TaskState, 'mailbox' | 'notes'>): boolean {
  return hasReadyMessage(state) || (state.notes ?? []).some(({ wakes }) => wakes);
}
