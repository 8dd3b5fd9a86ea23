/** Where a task can be, and what ends it (spec/worker.md §§ 1, 2.2). */

/** A2A's states; the last four are terminal (spec/worker.md § 2.2). */
export const A2A_STATES = [
  'SUBMITTED',
  'WORKING',
  'INPUT_REQUIRED',
  'AUTH_REQUIRED',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'REJECTED',
] as const;

export type A2AState = (typeof A2A_STATES)[number];

export type SubState = 'AWAITING_MESSAGE' | 'AWAITING_ANSWER';

export type Lifecycle = 'CONVERSATION' | 'DELEGATED' | 'PARTICIPANT' | 'REMOTE';

export function isTerminalState(state: A2AState): boolean {
  switch (state) {
    case 'COMPLETED':
    case 'FAILED':
    case 'CANCELED':
    case 'REJECTED':
      return true;
    default:
      return false;
  }
}
