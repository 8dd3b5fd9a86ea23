/** A row of the task list as the server sends it. */
import type { TaskRowFragment } from '../../web/src/gql/graphql.ts';

export function aTaskRow(part: Partial<TaskRowFragment> = {}): TaskRowFragment {
  const { instance = 'alpha', ref = 'o/r#1' } = part;
  return {
    instance,
    ref,
    id: `${instance}:${ref}`,
    state: 'WORKING',
    subState: null,
    name: 'Mend the login',
    goal: 'People can log in',
    lastReply: null,
    statusMessage: null,
    paused: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    ...part,
  };
}

/** `minute` past midnight on the day of all fixtures. */
export function at(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
}
