import { expect, test } from 'vitest';
import { relativeTime } from '../../../web/src/ui/relativeTime.ts';

const AT = '2026-03-09T12:00:00.000Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  ['now', -5 * MINUTE],
  ['now', 0],
  ['now', 9_999],
  ['10 s', 10_000],
  ['50 s', 59_999],
  ['1 min', MINUTE],
  ['59 min', HOUR - 1],
  ['1 h', HOUR],
  ['23 h', 24 * HOUR - 1],
  ['1 d', 24 * HOUR],
  ['6 d', 7 * 24 * HOUR - 1],
  ['2026-03-09', 7 * 24 * HOUR],
])('relativeTime() says "%s" %i ms later', (text, laterMs) => {
  expect(relativeTime(AT, Date.parse(AT) + laterMs)).toBe(text);
});
