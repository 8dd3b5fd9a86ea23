import { expect, test } from 'vitest';
import { stateWord } from '../../../../web/src/features/tasks/words.ts';
import type { TaskState, TaskSubState } from '../../../../web/src/gql/graphql.ts';

test.each<[TaskState, TaskSubState | null, string]>([
  ['SUBMITTED', null, 'Submitted'],
  ['WORKING', null, 'Working'],
  ['INPUT_REQUIRED', 'AWAITING_MESSAGE', 'Waiting for your message'],
  ['INPUT_REQUIRED', 'AWAITING_ANSWER', 'Waiting for an answer'],
  ['INPUT_REQUIRED', null, 'Waiting for your message'],
  ['AUTH_REQUIRED', null, 'Waiting for a sign-in'],
  ['COMPLETED', null, 'Completed'],
  ['FAILED', null, 'Failed'],
  ['CANCELED', null, 'Cancelled'],
  ['REJECTED', null, 'Rejected'],
])('stateWord() of %s, %s is "%s"', (state, subState, word) => {
  expect(stateWord({ state, subState }).word).toBe(word);
});
