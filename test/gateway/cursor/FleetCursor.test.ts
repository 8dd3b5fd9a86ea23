import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  advance,
  assertCursorHolds,
  formatFleetCursor,
  parseFleetCursor,
} from '../../../gateway/cursor/FleetCursor.ts';

const names = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const cursors = fc
  .uniqueArray(fc.tuple(names, fc.maxSafeNat()), { selector: ([name]) => name, minLength: 1, maxLength: 50 })
  .map((entries) => new Map(entries));

/*
 * Feature: Cursor
 * Scenario: parseFleetCursor() reads what formatFleetCursor() writes
 *   Requirement: spec/manager.md#T1
 *   Given any positions of any members
 *   When they are written as text and read again
 *   Then they are the same positions
 */
test('parseFleetCursor() reads what formatFleetCursor() writes', () => {
  fc.assert(
    fc.property(cursors, (cursor) => {
      expect(parseFleetCursor(formatFleetCursor(cursor))).toEqual(cursor);
    }),
  );
});

test('formatFleetCursor() writes equal cursors as equal strings, names in code-point order', () => {
  const entries: [string, number][] = [
    ['beta', 2],
    ['alpha', 0],
    ['a-b', 1],
  ];
  expect(formatFleetCursor(new Map(entries))).toBe('a-b=1,alpha=0,beta=2');
  expect(formatFleetCursor(new Map(entries.toReversed()))).toBe('a-b=1,alpha=0,beta=2');
});

test.each([
  ['an empty text', ''],
  ['a bare offset', '17'],
  ['a bad name', 'Alpha=1'],
  ['a negative offset', 'alpha=-1'],
  ['a fraction', 'alpha=1.5'],
  ['an offset beyond 2^53 - 1', 'alpha=9007199254740992'],
  ['a trailing comma', 'alpha=1,'],
  ['a member named twice', 'alpha=1,alpha=2'],
  ['more than 1,024 parts', Array.from({ length: 1025 }, (_, index) => `m${index}=1`).join()],
  ['more than 64 KiB', `alpha=1,${'b'.repeat(65_536)}=1`],
])('parseFleetCursor() refuses %s', (_, text) => {
  expect(() => parseFleetCursor(text)).toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
});

test('parseFleetCursor() reads the longest cursor that is written', () => {
  const name = (index: number): string => `${index}`.padStart(40, 'm');
  const longest = new Map(
    Array.from({ length: 1024 }, (_, index) => [name(index), Number.MAX_SAFE_INTEGER] as const),
  );
  expect(parseFleetCursor(formatFleetCursor(longest))).toEqual(longest);
});

test('assertCursorHolds() refuses a fleet whose cursor could not be sent back', () => {
  expect(() => assertCursorHolds(1024, 'events')).not.toThrow();
  expect(() => assertCursorHolds(1025, 'events')).toThrow(
    expect.objectContaining({
      code: 'NOT_SUPPORTED',
      message:
        'Cannot do events: 1025 instances are in the fleet, a cursor holds the positions of at most 1024',
    }),
  );
});

test('advance() moves one member on, never back, and leaves the cursor as it was', () => {
  const cursor = parseFleetCursor('alpha=5');
  expect(formatFleetCursor(advance(cursor, 'beta', 0))).toBe('alpha=5,beta=0');
  expect(formatFleetCursor(advance(cursor, 'alpha', 3))).toBe('alpha=5');
  expect(formatFleetCursor(advance(cursor, 'alpha', 9))).toBe('alpha=9');
  expect(formatFleetCursor(cursor)).toBe('alpha=5');
});
