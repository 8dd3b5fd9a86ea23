import { expect, test } from 'vitest';
import {
  byActivity,
  isByActivity,
  isNewer,
  newestOfEach,
  rowKey,
  rowSummary,
} from '../../../../web/src/features/tasks/rows.ts';
import { aTaskRow, at } from '../../aTaskRow.ts';

test('rowKey() tells the same ref on two instances apart', () => {
  expect(rowKey({ instance: 'alpha', ref: 'o/r#1' })).toBe('alpha@o/r#1');
  expect(rowKey({ instance: 'beta', ref: 'o/r#1' })).toBe('beta@o/r#1');
  expect(rowKey({ instance: '', ref: 'o/r#1' })).toBe('o/r#1');
});

test('isNewer() goes by the version, whatever the times say', () => {
  const held = aTaskRow({ version: 5, updatedAt: at(1) });
  expect(isNewer(aTaskRow({ version: 6, updatedAt: at(0) }), held)).toBe(true);
  expect(isNewer(aTaskRow({ version: 4, updatedAt: at(9) }), held)).toBe(false);
  expect(isNewer(held, held)).toBe(false);
});

test('isNewer() goes by the time where a member counts no versions', () => {
  expect(isNewer(aTaskRow({ updatedAt: at(2) }), aTaskRow({ updatedAt: at(1) }))).toBe(true);
});

test('isNewer() prefers the later task when a ref was used again', () => {
  const ended = aTaskRow({ id: 'first', version: 30, createdAt: at(0) });
  const fresh = aTaskRow({ id: 'second', version: 1, createdAt: at(5) });
  expect(isNewer(fresh, ended)).toBe(true);
  expect(isNewer(ended, fresh)).toBe(false);
});

test('newestOfEach() keeps one row per key where it first stood', () => {
  const rows = [
    aTaskRow({ ref: 'a', version: 1 }),
    aTaskRow({ ref: 'b', version: 1 }),
    aTaskRow({ ref: 'a', version: 2 }),
  ];
  expect(newestOfEach(rows).map(({ ref, version }) => [ref, version])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

test('byActivity() puts the newest activity first', () => {
  const rows = [aTaskRow({ ref: 'a', updatedAt: at(1) }), aTaskRow({ ref: 'b', updatedAt: at(2) })];
  expect(isByActivity(rows)).toBe(false);
  expect(byActivity(rows).map(({ ref }) => ref)).toEqual(['b', 'a']);
  expect(isByActivity(byActivity(rows))).toBe(true);
});

test('rowSummary() shows the open question before the last reply, and the goal when nothing was said', () => {
  const said = { lastReply: 'It works', statusMessage: 'May I?' };
  expect(rowSummary(aTaskRow({ ...said, state: 'INPUT_REQUIRED', subState: 'AWAITING_ANSWER' }))).toBe(
    'May I?',
  );
  expect(rowSummary(aTaskRow({ ...said, state: 'WORKING' }))).toBe('It works');
  expect(rowSummary(aTaskRow())).toBe('People can log in');
});
