/** Where a task's status changes: every change of state or sub-state is made and told by `changeStatus` (spec/worker.md § 2.3). */
import type { Draft } from './Draft.ts';
import type { A2AState, Run, TaskStatus } from './TaskState.ts';

/** Nothing is under way. */
export const IDLE: Run = { phase: 'idle' };

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

/** The task waits for the next message. */
export function park(draft: Draft, text: StatusText = {}): void {
  changeStatus(draft, { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', ...text });
}

/** The task is over: what runs is abandoned, what waits is dropped (spec/worker.md § 5.5). */
export function endTask(
  draft: Draft,
  state: Extract<A2AState, 'COMPLETED' | 'FAILED' | 'CANCELED'>,
  text: StatusText,
): void {
  const { run, commands } = draft.state;
  if (run.phase !== 'idle') draft.abandon(run.effectKey);
  for (const { effectKey } of commands) if (effectKey !== undefined) draft.abandon(effectKey);
  draft.update({ run: IDLE, mailbox: [], commands: [] });
  changeStatus(draft, { state, ...text });
}
