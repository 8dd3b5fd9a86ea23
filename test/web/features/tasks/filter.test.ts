import { expect, test } from 'vitest';
import {
  type ListFilter,
  matches,
  NO_FILTER,
  toTaskFilter,
} from '../../../../web/src/features/tasks/filter.ts';
import type { TaskRowFragment } from '../../../../web/src/gql/graphql.ts';
import { aTaskRow } from '../../aTaskRow.ts';

test('toTaskFilter() asks for nothing when nothing is filtered', () => {
  expect(toTaskFilter(NO_FILTER)).toBeUndefined();
  expect(toTaskFilter({ ...NO_FILTER, text: '  ' })).toBeUndefined();
});

test('toTaskFilter() asks for a sub-state together with its state', () => {
  expect(toTaskFilter({ instance: 'beta', state: 'awaiting-answer', text: ' login ' })).toEqual({
    instances: ['beta'],
    states: ['INPUT_REQUIRED'],
    subStates: ['AWAITING_ANSWER'],
    text: 'login',
  });
});

test('toTaskFilter() cuts the text at what the server takes', () => {
  expect(toTaskFilter({ ...NO_FILTER, text: 'x'.repeat(300) })?.text).toHaveLength(200);
});

test.each<[string, boolean, Partial<TaskRowFragment>, Partial<ListFilter>]>([
  ['everything without a filter', true, {}, {}],
  ['the instance', true, { instance: 'beta' }, { instance: 'beta' }],
  ['no other instance', false, { instance: 'alpha' }, { instance: 'beta' }],
  ['the state', true, { state: 'FAILED' }, { state: 'failed' }],
  ['no other state', false, { state: 'WORKING' }, { state: 'failed' }],
  [
    'no other sub-state',
    false,
    { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' },
    { state: 'awaiting-answer' },
  ],
  ['a part of the name in any case', true, { name: 'Mend the LOGIN' }, { text: 'login' }],
  ['a part of the last reply', true, { lastReply: 'Done: see o/r#9' }, { text: 'R#9' }],
  ['no text that is nowhere', false, {}, { text: 'payments' }],
])('matches() takes %s: %s', (_title, expected, row, filter) => {
  expect(matches(aTaskRow(row), { ...NO_FILTER, ...filter })).toBe(expected);
});
