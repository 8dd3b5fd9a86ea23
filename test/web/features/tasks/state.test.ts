import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_FILTER } from '../../../../web/src/features/tasks/filter.ts';
import {
  INITIAL_TASK_LIST,
  MAX_ARRIVED,
  nextState,
  type TaskListResult,
  type TaskListState,
  type TaskPage,
} from '../../../../web/src/features/tasks/state.ts';
import type { TaskRowFragment } from '../../../../web/src/gql/graphql.ts';
import { aTaskRow, at } from '../../aTaskRow.ts';

function aPage(rows: readonly TaskRowFragment[], part: Partial<TaskPage> = {}): TaskPage {
  return { rows, endCursor: undefined, hasNextPage: false, missing: [], problem: undefined, ...part };
}

function after(...results: TaskListResult[]): TaskListState {
  return results.reduce(nextState, INITIAL_TASK_LIST);
}

function refs(rows: readonly TaskRowFragment[]): readonly string[] {
  return rows.map(({ ref }) => ref);
}

const [first, second, third] = [
  aTaskRow({ ref: 'first', updatedAt: at(30) }),
  aTaskRow({ ref: 'second', updatedAt: at(20) }),
  aTaskRow({ ref: 'third', updatedAt: at(10) }),
] as const;

test('nextState(): a change replaces its row where it stands', () => {
  const changed = { ...second, version: 2, updatedAt: at(40) };
  const state = after(
    { kind: 'firstPage', page: aPage([first, second, third]) },
    { kind: 'changed', row: changed },
  );
  expect(state.rows).toEqual([first, changed, third]);
  expect(state.arrived).toEqual([]);
});

test('nextState(): a stale change is no change', () => {
  const page: TaskListResult = { kind: 'firstPage', page: aPage([{ ...first, version: 9 }]) };
  const before = after(page);
  expect(nextState(before, { kind: 'changed', row: { ...first, version: 8 } })).toBe(before);
});

test('nextState(): the same ref on another instance is another row', () => {
  const state = after(
    { kind: 'firstPage', page: aPage([first]) },
    { kind: 'changed', row: { ...first, instance: 'beta', id: 'other' } },
  );
  expect(state.rows).toEqual([first]);
  expect(state.arrived).toHaveLength(1);
});

test('nextState(): a new task waits until the reader asks for it, and then the newest comes first', () => {
  const fresh = aTaskRow({ ref: 'fresh', updatedAt: at(50) });
  const waiting = after(
    { kind: 'firstPage', page: aPage([first, second]) },
    { kind: 'changed', row: fresh },
    { kind: 'changed', row: { ...second, version: 2, updatedAt: at(60) } },
  );
  expect(refs(waiting.rows)).toEqual(['first', 'second']);
  expect(refs(waiting.arrived)).toEqual(['fresh']);
  const shown = nextState(waiting, { kind: 'shown' });
  expect(refs(shown.rows)).toEqual(['second', 'fresh', 'first']);
  expect(shown.arrived).toEqual([]);
});

test('nextState(): a task of the reader’s own is on top at once, whether answer or event comes first', () => {
  const own = aTaskRow({ ref: 'own', updatedAt: at(50) });
  const page: TaskListResult = { kind: 'firstPage', page: aPage([first]) };
  const newer = { ...own, version: 2 };
  const eventFirst = after(page, { kind: 'changed', row: newer }, { kind: 'created', row: own });
  const answerFirst = after(page, { kind: 'created', row: own }, { kind: 'changed', row: newer });
  for (const state of [eventFirst, answerFirst]) {
    expect(state.rows).toEqual([newer, first]);
    expect(state.arrived).toEqual([]);
  }
});

test('nextState(): a waiting task is counted once, in its newest form', () => {
  const fresh = aTaskRow({ ref: 'fresh' });
  const state = after(
    { kind: 'firstPage', page: aPage([]) },
    { kind: 'changed', row: fresh },
    { kind: 'changed', row: { ...fresh, version: 3 } },
    { kind: 'changed', row: { ...fresh, version: 2 } },
  );
  expect(state.arrived.map(({ version }) => version)).toEqual([3]);
});

test('nextState(): a task that the filter leaves out does not wait, nor one that has left the filter', () => {
  const row = aTaskRow({ ref: 'fresh', state: 'WORKING' });
  const filtered = after(
    { kind: 'filtered', filter: { ...NO_FILTER, state: 'working' } },
    { kind: 'firstPage', page: aPage([]) },
  );
  expect(nextState(filtered, { kind: 'changed', row: { ...row, state: 'FAILED' } })).toBe(filtered);
  const waiting = nextState(filtered, { kind: 'changed', row });
  expect(waiting.arrived).toHaveLength(1);
  expect(
    nextState(waiting, { kind: 'changed', row: { ...row, version: 2, state: 'FAILED' } }).arrived,
  ).toEqual([]);
});

test('nextState(): a row that no longer matches the filter keeps its place', () => {
  const state = after(
    { kind: 'filtered', filter: { ...NO_FILTER, state: 'working' } },
    { kind: 'firstPage', page: aPage([first]) },
    { kind: 'changed', row: { ...first, version: 2, state: 'COMPLETED' } },
  );
  expect(state.rows.map((row) => row.state)).toEqual(['COMPLETED']);
});

test('nextState(): no more than the limit wait, and the state says that there are more', () => {
  const results = Array.from(
    { length: MAX_ARRIVED + 5 },
    (_, index): TaskListResult => ({ kind: 'changed', row: aTaskRow({ ref: `o/r#${index}` }) }),
  );
  const state = after({ kind: 'firstPage', page: aPage([]) }, ...results);
  expect(state.arrived).toHaveLength(MAX_ARRIVED);
  expect(state.isArrivedFull).toBe(true);
});

test('nextState(): a page that is older than an event does not undo it', () => {
  const newer = { ...first, version: 5, updatedAt: at(40) };
  const state = after(
    { kind: 'changed', row: newer },
    { kind: 'firstPage', page: aPage([{ ...first, version: 4 }, second]) },
  );
  expect(state.rows).toEqual([newer, second]);
  expect(state.arrived).toEqual([]);
});

test('nextState(): a first page drops from the waiting tasks what is on a later page', () => {
  const state = after(
    { kind: 'changed', row: aTaskRow({ ref: 'old', updatedAt: at(5) }) },
    { kind: 'changed', row: aTaskRow({ ref: 'new', updatedAt: at(50) }) },
    { kind: 'firstPage', page: aPage([first, second], { hasNextPage: true, endCursor: 'c' }) },
  );
  expect(refs(state.arrived)).toEqual(['new']);
});

test('nextState(): a next page comes after the rows and repeats none', () => {
  const state = after(
    { kind: 'firstPage', page: aPage([first, second], { hasNextPage: true, endCursor: 'c' }) },
    { kind: 'loadingMore' },
    { kind: 'nextPage', page: aPage([second, third]) },
  );
  expect(refs(state.rows)).toEqual(['first', 'second', 'third']);
  expect(state).toMatchObject({ hasNextPage: false, isLoadingMore: false, endCursor: undefined });
});

test('nextState(): a refresh after a gap moves no row and goes on from the same page', () => {
  const fresh = aTaskRow({ ref: 'fresh', updatedAt: at(50) });
  const changed = { ...second, version: 2, updatedAt: at(60) };
  const state = after(
    { kind: 'firstPage', page: aPage([first, second], { hasNextPage: true, endCursor: 'c' }) },
    { kind: 'refreshed', page: aPage([changed, fresh, first], { hasNextPage: false, endCursor: 'd' }) },
  );
  expect(state.rows).toEqual([first, changed]);
  expect(refs(state.arrived)).toEqual(['fresh']);
  expect(state).toMatchObject({ hasNextPage: true, endCursor: 'c' });
});

test('nextState(): a list that had ended goes on when a refresh finds more', () => {
  const state = after(
    { kind: 'firstPage', page: aPage([first]) },
    { kind: 'refreshed', page: aPage([first, second], { hasNextPage: true, endCursor: 'd' }) },
  );
  expect(state).toMatchObject({ hasNextPage: true, endCursor: 'd' });
});

test('nextState(): another filter keeps the rows that match it and waits for its page', () => {
  const state = after(
    { kind: 'firstPage', page: aPage([first, { ...second, state: 'FAILED' }], { hasNextPage: true }) },
    { kind: 'filtered', filter: { ...NO_FILTER, state: 'failed' } },
  );
  expect(refs(state.rows)).toEqual(['second']);
  expect(state).toMatchObject({ phase: 'loading', hasNextPage: false });
});

test('nextState(): a partial page says who is missing; a whole one clears it', () => {
  const missing = [{ instance: 'beta', state: 'unreachable', detail: 'connection refused' }];
  const partial = after({ kind: 'firstPage', page: aPage([first], { missing }) });
  expect(partial).toMatchObject({ phase: 'ready', missing });
  expect(nextState(partial, { kind: 'firstPage', page: aPage([first, second]) }).missing).toEqual([]);
});

test('nextState(): a failure keeps the rows and the next page clears it', () => {
  const failed = after({ kind: 'firstPage', page: aPage([first]) }, { kind: 'failed', problem: 'gone' });
  expect(failed).toMatchObject({ phase: 'failed', problem: 'gone', rows: [first] });
  expect(nextState(failed, { kind: 'firstPage', page: aPage([first]) })).toMatchObject({
    phase: 'ready',
    problem: undefined,
  });
});

test('nextState(): whatever the order of page and events, each task is shown in its newest form', () => {
  const versions = fc.array(
    fc.record({ ref: fc.constantFrom('a', 'b', 'c'), version: fc.integer({ min: 1, max: 9 }) }),
  );
  fc.assert(
    fc.property(versions, fc.nat(), (events, position) => {
      const rows = ['a', 'b', 'c'].map((ref) => aTaskRow({ ref, version: 3 }));
      const results: TaskListResult[] = events.map((part) => ({ kind: 'changed', row: aTaskRow(part) }));
      results.splice(position % (results.length + 1), 0, { kind: 'firstPage', page: aPage(rows) });
      const state = after(...results);
      for (const { ref, version } of state.rows) {
        const newest = Math.max(3, ...events.filter((part) => part.ref === ref).map((part) => part.version));
        expect(version).toBe(newest);
      }
      expect(refs(state.rows)).toEqual(['a', 'b', 'c']);
      expect(state.arrived).toEqual([]);
    }),
  );
});
