import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../schema/events.ts';
import { FOREIGN_EVENT_TYPES } from '../../schema/foreignEvents.ts';

/** Groups of the contract's catalogue, and how many types each has. */
const GROUPS: Readonly<Record<string, number>> = {
  hooks: 5,
  webhook: 2,
  routing: 4,
  dispatch: 7,
  reaction: 2,
  control: 5,
  session: 32,
  graph: 22,
  channel: 32,
  bus: 3,
  standing: 12,
  work_item: 4,
  cleanup: 1,
  workspace: 4,
  poll: 16,
  server: 2,
  poller: 3,
  config: 2,
  api: 1,
  mcp: 1,
  instance: 6,
  aggregate: 1,
  service: 2,
  restart: 2,
  ingress: 3,
  diagnosis: 4,
};

test('every type of the catalogue is listed, by us or as one of another make, and none twice', () => {
  const names = [...Object.keys(EVENT_TYPES), ...Object.keys(FOREIGN_EVENT_TYPES)];
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  const counted = Object.keys(GROUPS).map((group) => {
    const ofGroup = names.filter((name) => name.startsWith(`${group}.`));
    return [group, ofGroup.length];
  });
  expect(Object.fromEntries(counted)).toEqual(GROUPS);
});

test('every sentence is one', () => {
  for (const [name, meaning] of Object.entries(FOREIGN_EVENT_TYPES)) {
    expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
    expect(meaning, name).toMatch(/^[A-Z].*[^.]\.$/);
  }
});
