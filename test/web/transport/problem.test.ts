import { expect, test } from 'vitest';
import { hasCode, missingMembers, problemText } from '../../../web/src/transport/problem.ts';

const timeout = new DOMException('signal timed out', 'TimeoutError');

test.each([
  [
    'Cannot find task: no task has the key "o/r#1"',
    { graphQLErrors: [{ message: 'Cannot find task: no task has the key "o/r#1"' }] },
  ],
  ['first (and 2 more)', { graphQLErrors: [{ message: 'first' }, { message: 'b' }, { message: 'c' }] }],
  ['The instance answered with HTTP status 503', { graphQLErrors: [], response: { status: 503 } }],
  ['The instance did not answer in time', { graphQLErrors: [], networkError: timeout }],
  ['The instance cannot be reached', { graphQLErrors: [], networkError: new TypeError('Failed to fetch') }],
])('problemText() says "%s"', (text, error) => {
  expect(problemText({ message: '', ...error })).toBe(text);
});

test('hasCode() looks at every error', () => {
  const error = {
    message: '',
    graphQLErrors: [{ message: 'a' }, { message: 'b', extensions: { code: 'NOT_FOUND' } }],
  };
  expect(hasCode(error, 'NOT_FOUND')).toBe(true);
  expect(hasCode(error, 'CONFLICT')).toBe(false);
  expect(hasCode(undefined, 'NOT_FOUND')).toBe(false);
});

test('missingMembers() names the members that are missing with their state', () => {
  const unreachable = [
    { instance: 'beta', state: 'UNREACHABLE', detail: 'connection refused' },
    { instance: 'gamma', state: 'MISMATCHED', detail: null },
  ];
  expect(missingMembers({ fleet: { unreachable } })).toEqual([
    { instance: 'beta', state: 'unreachable', detail: 'connection refused' },
    { instance: 'gamma', state: 'mismatched', detail: '' },
  ]);
});

test.each([
  [undefined],
  [null],
  [{}],
  [{ fleet: null }],
  [{ fleet: { unreachable: 'beta' } }],
  [{ fleet: { unreachable: [null, {}] } }],
])('missingMembers() finds nobody in %j', (extensions) => {
  expect(missingMembers(extensions)).toEqual([]);
});
