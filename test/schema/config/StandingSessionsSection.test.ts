import { expect, test } from 'vitest';
import { StandingSessionsSection } from '../../../schema/config/StandingSessionsSection.ts';

test('an entry needs a name and nothing else', () => {
  expect(StandingSessionsSection.parse([{ name: 'clerk' }])).toEqual([
    { name: 'clerk', description: '', prompt: '', directory: '', autoStart: true },
  ]);
});

test.each([
  ['a name twice', [{ name: 'clerk' }, { name: 'clerk' }], [1, 'name']],
  ['a name that is none', [{ name: 'The Clerk' }], [0, 'name']],
  ['no name', [{}], [0, 'name']],
  ['an unknown key', [{ name: 'clerk', model: 'm' }], [0]],
])('%s is refused where it stands', (_what, value, path) => {
  const { error } = StandingSessionsSection.safeParse(value);
  expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
});
