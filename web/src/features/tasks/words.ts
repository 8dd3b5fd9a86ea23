/** The words of a task's state, for people. */
import type { TaskState, TaskSubState } from '../../gql/graphql.ts';
import type { Tone } from '../../ui/tone.ts';

export interface StateWord {
  readonly word: string;
  readonly tone: Tone;
}

interface StatePart {
  readonly state: TaskState;
  readonly subState?: TaskSubState | null;
}

/** One choice of the state filter: what the reader sees and what the server is asked for. */
export interface StateChoice extends StateWord {
  readonly id: string;
  readonly states: readonly TaskState[];
  readonly subStates?: readonly TaskSubState[];
}

export const STATE_CHOICES: readonly StateChoice[] = [
  { id: 'submitted', word: 'Submitted', tone: 'idle', states: ['SUBMITTED'] },
  { id: 'working', word: 'Working', tone: 'active', states: ['WORKING'] },
  {
    id: 'awaiting-message',
    word: 'Waiting for your message',
    tone: 'waiting',
    states: ['INPUT_REQUIRED'],
    subStates: ['AWAITING_MESSAGE'],
  },
  {
    id: 'awaiting-answer',
    word: 'Waiting for an answer',
    tone: 'asking',
    states: ['INPUT_REQUIRED'],
    subStates: ['AWAITING_ANSWER'],
  },
  { id: 'awaiting-sign-in', word: 'Waiting for a sign-in', tone: 'asking', states: ['AUTH_REQUIRED'] },
  { id: 'completed', word: 'Completed', tone: 'done', states: ['COMPLETED'] },
  { id: 'failed', word: 'Failed', tone: 'failed', states: ['FAILED'] },
  { id: 'cancelled', word: 'Cancelled', tone: 'ended', states: ['CANCELED'] },
  { id: 'rejected', word: 'Rejected', tone: 'ended', states: ['REJECTED'] },
];

/** A task in INPUT_REQUIRED that does not say why waits for a message. */
export function stateWord({ state, subState }: StatePart): StateWord {
  const sub = state === 'INPUT_REQUIRED' ? (subState ?? 'AWAITING_MESSAGE') : undefined;
  return STATE_CHOICES.find(
    ({ states, subStates }) =>
      states.includes(state) && (subStates === undefined || (sub !== undefined && subStates.includes(sub))),
  )!;
}

export function isTerminal(state: TaskState): boolean {
  return state === 'COMPLETED' || state === 'FAILED' || state === 'CANCELED' || state === 'REJECTED';
}
