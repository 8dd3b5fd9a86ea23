import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EVENT_LEVELS } from '../../../schema/events.ts';
import { createEventLog } from '../../../subgraph/log/createEventLog.ts';
import { toPredicate } from '../../../subgraph/log/eventFilter.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { openStateFile } from '../../support/openStateFile.ts';

const types = fc.constantFrom('task.status', 'task.created', 'config.updated', 'a?b', '[x]', 'a.b');
const globs = fc.constantFrom(
  '*',
  'task.*',
  '*.created',
  'task.status',
  'a?b',
  'a.b',
  '[x]',
  '[*',
  '*?*',
  '',
);
const event = fc.record({
  type: types,
  level: fc.constantFrom(...EVENT_LEVELS),
  source: fc.constantFrom('tasks', 'service'),
  ref: fc.option(fc.constantFrom('github:o/r#1', 'github:o/r#2'), { nil: undefined }),
  data: fc.constant({}),
});
const filter = fc.record(
  {
    types: fc.array(globs, { maxLength: 3 }),
    ref: fc.constantFrom('github:o/r#1', 'github:o/r#2', 'github:o/r#3'),
    minLevel: fc.constantFrom(...EVENT_LEVELS),
    source: fc.constantFrom('tasks', 'service', 'config'),
    sinceMs: fc.constantFrom(0, 1_005, 2_000),
  },
  { requiredKeys: [] },
);

test('a filter lets the same records through in SQL and as a predicate', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), filter, (events, chosen) => {
      using state = openStateFile();
      const clock = new FakeClock(1_000);
      const log = createEventLog({ database: state.database, clock, pid: 1 });
      for (const one of events) {
        log.append([one]);
        clock.advance(1);
      }
      const all = log.read({ limit: 1_001 });
      expect(log.read({ limit: 1_001, filter: chosen })).toEqual(all.filter(toPredicate(chosen)));
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['task.status', 'task.status', true],
  ['task.*', 'task.status', true],
  ['task.*', 'tasks.status', false],
  ['*.status', 'task.status', true],
  ['task.status', 'taskXstatus', false],
  ['TASK.*', 'task.status', false],
])('the glob %s on the type %s: %s', (glob, type, expected) => {
  const record = { offset: 1, atMs: 0, pid: 1, type, level: 'INFO', source: 'tasks', data: {} } as const;
  expect(toPredicate({ types: [glob] })(record)).toBe(expected);
});
