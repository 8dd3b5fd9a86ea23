import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatFleetPageCursor, parseFleetPageCursor } from '../../../gateway/cursor/FleetPageCursor.ts';
import { toBase64Url } from '../../../schema/pageCursor.ts';

test('parseFleetPageCursor() reads what formatFleetPageCursor() writes', () => {
  const names = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
  const cursors = fc.uniqueArray(fc.tuple(names, fc.base64String()), {
    selector: ([name]) => name,
    maxLength: 50,
  });
  fc.assert(
    fc.property(cursors, (entries) => {
      const cursor = new Map(entries);
      expect(parseFleetPageCursor(formatFleetPageCursor(cursor))).toEqual(cursor);
      expect(formatFleetPageCursor(new Map(entries.toReversed()))).toBe(formatFleetPageCursor(cursor));
    }),
  );
});

test('a cursor over 200 members fits', () => {
  const cursor = new Map(Array.from({ length: 200 }, (_, index) => [`member-${index}`, 'x'.repeat(100)]));
  expect(parseFleetPageCursor(formatFleetPageCursor(cursor)).size).toBe(200);
});

test.each([
  ['an empty text', ''],
  ['no JSON', 'zzz'],
  ['a list', toBase64Url('["a"]')],
  ["a member's own cursor", toBase64Url('[1,"id"]')],
  ['a position that is no text', toBase64Url('{"alpha":1}')],
  ['null', toBase64Url('null')],
  ['more than 64 KiB', toBase64Url(JSON.stringify({ alpha: 'x'.repeat(65_536) }))],
])('parseFleetPageCursor() refuses %s', (_, text) => {
  expect(() => parseFleetPageCursor(text)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});
