import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFleetPageCursor, parseFleetPageCursor } from '../../../gateway/cursor/FleetPageCursor.ts';
import { parsePageCursor, toBase64Url } from '../../../schema/pageCursor.ts';

test('parseFleetPageCursor() reads what formatFleetPageCursor() writes', () => {
  const names = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
  const cursors = fc.uniqueArray(fc.tuple(names, fc.base64String()), {
    selector: ([name]) => name,
    maxLength: 50,
  });
  fc.assert(
    fc.property(cursors, (entries) => {
      const cursor = new Map(entries);
      expect(parseFleetPageCursor(formatFleetPageCursor(cursor), true)).toEqual(cursor);
      expect(formatFleetPageCursor(new Map(entries.toReversed()))).toBe(formatFleetPageCursor(cursor));
    }),
  );
});

test('a cursor over 1,000 members fits', () => {
  const cursor = new Map(Array.from({ length: 1000 }, (_, index) => [`member-${index}`, 'x'.repeat(100)]));
  expect(parseFleetPageCursor(formatFleetPageCursor(cursor), true).size).toBe(1000);
});

test('members that stand at one row are told by their names alone, in any order', () => {
  const names = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,39}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(names, { maxLength: 60 }),
      names,
      fc.boolean(),
      (all, member, isDescending) => {
        const row = { value: 7, id: 'the-id' };
        const apart = new Map([['apart_', 'x']]);
        const text = formatFleetPageCursor(apart, { row, member, names: new Set(all) });
        expect(formatFleetPageCursor(apart, { row, member, names: new Set(all.toReversed()) })).toBe(text);
        const cursor = parseFleetPageCursor(text, isDescending);
        expect([...cursor.keys()].sort()).toEqual([...new Set([...all, member, 'apart_'])].sort());
        expect(cursor.get('apart_')).toBe('x');
        expect(parsePageCursor(cursor.get(member)!)).toEqual(row);
        for (const name of all.filter((other) => other !== member)) {
          const isBehind = name < member;
          const id = isBehind === isDescending ? '' : '\uffff';
          expect(parsePageCursor(cursor.get(name)!)).toEqual({ value: 7, id });
        }
      },
    ),
  );
});

test('a cursor over 1,000 members in the middle of their lists takes some kilobytes', () => {
  const names = new Set(Array.from({ length: 1000 }, (_, index) => `worker-${index}`));
  const row = { value: Date.UTC(2026, 1), id: '00000000-0000-4000-8000-000000000000' };
  const text = formatFleetPageCursor(new Map(), { row, member: 'worker-7', names });
  expect(text.length).toBeLessThan(6000);
  expect(parseFleetPageCursor(text, false).size).toBe(1000);
});

test.each([
  ['an empty text', ''],
  ['no JSON', 'zzz'],
  ['a list', toBase64Url('["a"]')],
  ["a member's own cursor", toBase64Url('[1,"id"]')],
  ['a position that is no text', toBase64Url('{"alpha":1}')],
  ['null', toBase64Url('null')],
  ['more than 256 KiB', toBase64Url(JSON.stringify({ alpha: 'x'.repeat(262_144) }))],
  ['a front without names', toBase64Url('[[1,"id"],"alpha",7,{}]')],
  ['a front whose names share more than there is', toBase64Url('[[1,"id"],"alpha","3x",{}]')],
  ['a front of no row', toBase64Url('[[null,"id"],"alpha","",{}]')],
])('parseFleetPageCursor() refuses %s', (_, text) => {
  expect(() => parseFleetPageCursor(text, true)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});
