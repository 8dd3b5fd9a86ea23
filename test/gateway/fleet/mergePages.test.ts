import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutShort, type MemberPage, mergePages, type PageOrder } from '../../../gateway/fleet/mergePages.ts';

const FORWARD: PageOrder = { isDescending: false, keep: 'first', limit: 3 };

function page(member: string, keys: readonly number[], hasNextPage = false): MemberPage<string> {
  return { member, rows: keys.map((key) => ({ key, position: `${member}@${key}` })), hasNextPage };
}

function merge(pages: readonly MemberPage<string>[], order: PageOrder, after = new Map<string, string>()) {
  const { picks, start, hasNextPage } = mergePages(pages, after, order);
  return {
    rows: picks.map((pick) => pages[pick.page]!.rows[pick.row]!.position),
    start: [...start],
    hasNextPage,
  };
}

test('rows are ordered by key, those of equal key by name', () => {
  const pages = [page('beta', [1, 3]), page('alpha', [1, 2])];
  expect(merge(pages, FORWARD)).toEqual({
    rows: ['alpha@1', 'beta@1', 'alpha@2'],
    start: [],
    hasNextPage: true,
  });
});

test('descending order, and a page of everything', () => {
  const pages = [page('alpha', [5, 1]), page('beta', [4, 2])];
  expect(merge(pages, { ...FORWARD, isDescending: true, limit: 9 })).toEqual({
    rows: ['alpha@5', 'beta@4', 'beta@2', 'alpha@1'],
    start: [],
    hasNextPage: false,
  });
});

test('a member that has more makes another page, whatever is left here', () => {
  expect(merge([page('alpha', [1], true), page('beta', [])], FORWARD).hasNextPage).toBe(true);
});

test('the newest are kept, and the positions start after those that were cut', () => {
  const pages = [page('alpha', [1, 2, 9]), page('beta', [3])];
  expect(merge(pages, { ...FORWARD, keep: 'last', limit: 2 }, new Map([['gone', 'gone@7']]))).toEqual({
    rows: ['beta@3', 'alpha@9'],
    start: [
      ['gone', 'gone@7'],
      ['alpha', 'alpha@2'],
    ],
    hasNextPage: false,
  });
});

test('a page of no rows takes nothing', () => {
  expect(merge([page('alpha', [1])], { ...FORWARD, limit: 0 })).toEqual({
    rows: [],
    start: [],
    hasNextPage: true,
  });
});

test('the page ends where a page was cut: what others have beyond it may come after rows that are not here', () => {
  const cut = { ...page('alpha', [1, 4], true), isCut: true };
  expect(merge([cut, page('beta', [2, 3, 5, 6])], { ...FORWARD, limit: 9 })).toEqual({
    rows: ['alpha@1', 'beta@2', 'beta@3', 'alpha@4'],
    start: [],
    hasNextPage: true,
  });
});

test('the newest begin where a page was cut', () => {
  const cut = { ...page('alpha', [4, 7]), isCut: true };
  expect(merge([cut, page('beta', [1, 3, 5])], { ...FORWARD, keep: 'last', limit: 9 })).toEqual({
    rows: ['alpha@4', 'beta@5', 'alpha@7'],
    start: [['beta', 'beta@3']],
    hasNextPage: false,
  });
});

test('the merge does not depend on the order in which members answered', () => {
  const pages = fc.uniqueArray(
    fc.tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.array(fc.nat(9), { maxLength: 6 }), fc.boolean()),
    { selector: ([name]) => name, maxLength: 5 },
  );
  const orders = fc.record<PageOrder>({
    isDescending: fc.boolean(),
    keep: fc.constantFrom('first', 'last'),
    limit: fc.nat(12),
  });
  fc.assert(
    fc.property(pages, orders, (entries, order) => {
      const sorted = entries.map(([name, keys, more]) =>
        page(
          name,
          keys.toSorted((a, b) => (order.isDescending ? b - a : a - b)),
          more,
        ),
      );
      const there = merge(sorted, order);
      const back = merge(sorted.toReversed(), order);
      expect({ ...back, start: back.start.toSorted() }).toEqual({ ...there, start: there.start.toSorted() });
    }),
  );
});

test('cutShort() names who was asked for too little: all of its rows have a place, and it has more', () => {
  const share = (member: string, keys: readonly number[], hasNextPage: boolean): MemberPage<string> => ({
    ...page(member, keys, hasNextPage),
    isCut: true,
  });
  const order = { ...FORWARD, limit: 5 };
  const pages = [
    share('alpha', [1, 2], true),
    share('beta', [3, 9], true),
    share('gamma', [4], false),
    page('delta', [5], true),
  ];
  expect(cutShort(pages, order)).toEqual(['alpha']);
  expect(merge(pages, order)).toMatchObject({ rows: ['alpha@1', 'alpha@2'], hasNextPage: true });
});

test('any number of pages is merged as sorting all rows would', () => {
  const keys = fc.array(fc.nat(20), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 40 }), fc.nat(50), fc.boolean(), (all, limit, isDescending) => {
      const sign = isDescending ? -1 : 1;
      const pages = all.map((own, index) =>
        page(
          `m${index}`,
          own.toSorted((a, b) => sign * (a - b)),
        ),
      );
      const sorted = pages
        .flatMap(({ member, rows }) => rows.map((row) => ({ ...row, member })))
        .toSorted((a, b) => sign * (Number(a.key) - Number(b.key)) || (a.member < b.member ? -1 : 1));
      expect(merge(pages, { isDescending, keep: 'first', limit }).rows).toEqual(
        sorted.slice(0, limit).map(({ position }) => position),
      );
    }),
  );
});
