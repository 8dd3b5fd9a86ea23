import { expect, test } from 'vitest';
import { toInstanceRow } from '../../../gateway/resolvers/instanceRow.ts';
import { FakeMember, hanging } from '../../support/FakeMember.ts';
import { FakeRegistry } from '../../support/FakeRegistry.ts';

function rowOf(state: 'live' | 'unreachable' | 'mismatched') {
  const member = new FakeMember('alpha', hanging);
  const [, entry] = new FakeRegistry([
    { member },
    { member, state, detail: 'why', managed: ['o/r#1'], version: '3' },
  ]).snapshot();
  return toInstanceRow(entry!);
}

test('a live member is told as its probe found it', () => {
  expect(rowOf('live')).toEqual({
    name: 'alpha',
    url: 'http://alpha.test',
    role: 'WORKER',
    state: 'LIVE',
    version: '3',
    mode: 'open',
    managedCount: 1,
    sessionCount: 1,
    probedAt: '1970-01-01T00:00:00.000Z',
    detail: null,
  });
});

test.each(['unreachable', 'mismatched'] as const)(
  'of a member that is %s only the reason is told',
  (state) => {
    expect(rowOf(state)).toMatchObject({
      role: null,
      state: state.toUpperCase(),
      version: '',
      mode: '',
      managedCount: 0,
      sessionCount: 0,
      detail: 'why',
    });
  },
);
