import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type TaskPage, toTaskPage } from '../../../../gateway/member/rest/readTasks.ts';
import { taskState } from '../../../../gateway/member/rest/taskFields.ts';
import { FlotillaError } from '../../../../schema/errors.ts';

const ORDERS = ['CREATED_AT_ASC', 'CREATED_AT_DESC', 'UPDATED_AT_ASC', 'UPDATED_AT_DESC', 'REF_ASC'] as const;

describe('taskState()', () => {
  test.each([
    [{}, 'SUBMITTED'],
    [{ control: null, ended: null }, 'SUBMITTED'],
    [{ control: { command: 'start' } }, 'WORKING'],
    [{ control: { command: 'pause' } }, 'WORKING'],
    [{ control: { command: 'stop' } }, 'INPUT_REQUIRED'],
    [{ control: { command: 'start' }, ended: { state: 'closed', outcome: 'completed' } }, 'COMPLETED'],
    [{ ended: { state: 'merged' } }, 'COMPLETED'],
    [{ ended: { outcome: 'cancelled' } }, 'CANCELED'],
    [{ ended: { outcome: 'closed-externally' } }, 'CANCELED'],
    [{ ended: { outcome: 'unknown', reason: 'pr-closed' } }, 'CANCELED'],
    [{ ended: { outcome: 'unknown', reason: 'task-failed' } }, 'FAILED'],
  ])('of %j is %s', (row, state) => {
    expect(taskState(row)).toBe(state);
  });
});

describe('toTaskPage()', () => {
  const rows = [
    {
      ref: 'o/r#2',
      control: { command: 'start', requestedAt: '2026-01-02T00:00:00Z' },
      poll: { title: 'Teapot' },
    },
    { ref: 'o/r#1', control: { command: 'stop', requestedAt: '2026-01-03T00:00:00Z' } },
    { ref: 'o/r#3', ended: { outcome: 'completed', at: '2026-01-01T00:00:00Z' } },
    { ref: 'o/r#4', collaborators: { users: [{ login: 'mo' }, { login: 7 }] } },
    { title: 'a row without a ref' },
  ];
  const refs = ({ nodes }: TaskPage) => nodes.map(({ ref }) => ref);

  test('is in the order that was asked for', () => {
    expect(refs(toTaskPage(rows, { orderBy: 'REF_ASC' }))).toEqual(['o/r#1', 'o/r#2', 'o/r#3', 'o/r#4']);
    expect(refs(toTaskPage(rows, {}))).toEqual(['o/r#1', 'o/r#2', 'o/r#3', 'o/r#4']);
    expect(refs(toTaskPage(rows, { orderBy: 'UPDATED_AT_ASC' }))).toEqual([
      'o/r#4',
      'o/r#3',
      'o/r#2',
      'o/r#1',
    ]);
  });

  test('holds what matches every filter', () => {
    expect(
      refs(toTaskPage(rows, { filter: { states: ['COMPLETED', 'WORKING'] }, orderBy: 'REF_ASC' })),
    ).toEqual(['o/r#2', 'o/r#3']);
    expect(refs(toTaskPage(rows, { filter: { subStates: ['AWAITING_MESSAGE'] } }))).toEqual(['o/r#1']);
    expect(refs(toTaskPage(rows, { filter: { text: 'TEAPOT' } }))).toEqual(['o/r#2']);
    expect(refs(toTaskPage(rows, { filter: { participant: 'mo' } }))).toEqual(['o/r#4']);
    expect(refs(toTaskPage(rows, { filter: { lifecycles: ['DELEGATED'] } }))).toEqual([]);
    const between = { createdSince: '2026-01-02T00:00:00Z', createdBefore: '2026-01-03T00:00:00Z' };
    expect(refs(toTaskPage(rows, { filter: between }))).toEqual(['o/r#2']);
    expect(refs(toTaskPage(rows, { filter: { updatedSince: '2026-01-03T00:00:00Z' } }))).toEqual(['o/r#1']);
  });

  test.each([{ first: -1 }, { first: 1001 }, { after: 'nonsense' }, { filter: { text: '' } }])(
    'refuses %j',
    (args) => {
      expect(() => toTaskPage(rows, args)).toThrow(FlotillaError);
    },
  );

  test('pages of any size give every row once and in order', () => {
    const arbitraryRow = fc.record({
      ref: fc.integer({ min: 1, max: 40 }).map((number) => `o/r#${number}`),
      control: fc.option(
        fc.record({ requestedAt: fc.integer({ min: 1, max: 9 }).map((day) => `2026-01-0${day}T00:00:00Z`) }),
      ),
    });
    const list = fc.uniqueArray(arbitraryRow, { selector: ({ ref }) => ref, maxLength: 30 });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 7 }), fc.constantFrom(...ORDERS), (all, first, orderBy) => {
        const whole = refs(toTaskPage(all, { first: 1000, orderBy }));
        const paged: unknown[] = [];
        for (let after: string | null = null; ; ) {
          const page: TaskPage = toTaskPage(all, { first, orderBy, after });
          paged.push(...refs(page));
          if (!page.pageInfo.hasNextPage) break;
          after = page.pageInfo.endCursor;
        }
        expect(paged).toEqual(whole);
        expect(new Set(whole).size).toBe(all.length);
      }),
    );
  });
});
