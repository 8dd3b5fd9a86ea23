import { expect, test } from 'vitest';
import { judgeIdentity } from '../../../gateway/member/judgeIdentity.ts';

const UNNAMED = '(unnamed)';

test.each([
  ['another name', { name: 'beta' }, { reported: 'beta', role: 'worker' }],
  ['no name', {}, { reported: UNNAMED, role: 'worker' }],
  ['an empty name', { name: '' }, { reported: UNNAMED, role: 'worker' }],
  ['a name that is no text', { name: ['alpha'] }, { reported: UNNAMED, role: 'worker' }],
  ['a name outside of the grammar', { name: '<b>alpha</b>' }, { reported: UNNAMED, role: 'worker' }],
  ['the name in capitals', { name: 'ALPHA' }, { reported: UNNAMED, role: 'worker' }],
  ['the role of a manager', { name: 'alpha', role: 'manager' }, { reported: 'alpha', role: 'manager' }],
  ['an unknown role', { name: 'alpha', role: 'Worker' }, { reported: 'alpha', role: 'Worker' }],
  ['a role that is no text', { name: 'alpha', role: 1 }, { reported: 'alpha', role: '(unknown)' }],
  ['a role that may not be shown', { name: 'alpha', role: 'a b' }, { reported: 'alpha', role: '(unknown)' }],
  ['both wrong', { name: 'beta', role: 'manager' }, { reported: 'beta', role: 'manager' }],
])('judgeIdentity() refuses %s', (_, document, expected) => {
  expect(judgeIdentity('alpha', document)).toEqual({ kind: 'mismatched', ...expected });
});

test.each([[null], [[]], ['alpha'], [1], [undefined]])('judgeIdentity() calls %j malformed', (body) => {
  expect(judgeIdentity('alpha', body)).toEqual({ kind: 'malformed' });
});

test.each([
  ['worker', { role: 'worker' }],
  ['none', {}],
  ['an empty one', { role: '' }],
  ['null', { role: null }],
])('judgeIdentity() accepts the exact name with the role: %s', (_, role) => {
  expect(judgeIdentity('alpha', { name: 'alpha', ...role })).toEqual({
    kind: 'accepted',
    identity: { name: 'alpha', role: 'worker', mode: '', managed: [], sessionCount: 0 },
  });
});

test('judgeIdentity() takes over what the manager uses, and passes over what it cannot read', () => {
  const judgement = judgeIdentity('alpha', {
    name: 'alpha',
    scope: { mode: 'addressed' },
    managed: [{ ref: 'o/r#1', sources: ['session', 7] }, { ref: 2 }, null, { ref: 'o/r#3' }],
    sessionCount: 2,
    more: true,
  });
  expect(judgement).toEqual({
    kind: 'accepted',
    identity: {
      name: 'alpha',
      role: 'worker',
      mode: 'addressed',
      managed: [
        { ref: 'o/r#1', sources: ['session'] },
        { ref: 'o/r#3', sources: [] },
      ],
      sessionCount: 2,
    },
  });
});
