import { expect, test } from 'vitest';
import { formatState, formatTable, toLine, toPrintable } from '../../cli/output.ts';

test('formatTable() pads each column to its widest cell and leaves no blanks at the end of a line', () => {
  expect(
    formatTable([
      ['name', 'state', ''],
      ['hq', 'live', '(this instance)'],
      ['laptop-a', 'unreachable'],
    ]),
  ).toBe('name      state\nhq        live         (this instance)\nlaptop-a  unreachable');
});

test('formatTable() of nothing is nothing', () => {
  expect(formatTable([])).toBe('');
});

test.each([
  { text: ' one\n two\t three ', width: 20, line: 'one two three' },
  { text: 'exactly ten', width: 11, line: 'exactly ten' },
  { text: 'a little too long', width: 10, line: 'a little …' },
  { text: null, width: 10, line: '' },
])('toLine() makes $line of $text', ({ text, width, line }) => {
  expect(toLine(text, width)).toBe(line);
});

test('toPrintable() shows what a terminal would obey, and keeps lines, tabs and the meaning of JSON', () => {
  expect(toPrintable('one\r\n\ttwo \u001b[2J\rthree \u009b1m')).toBe(
    'one\r\n\ttwo \\u001b[2J\\u000dthree \\u009b1m',
  );
  const value = { text: 'a\u007f\u0085\u001bé🙂' };
  expect(JSON.parse(toPrintable(JSON.stringify(value)))).toEqual(value);
});

test.each([
  { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', words: 'input required, awaiting message' },
  { state: 'COMPLETED', subState: null, words: 'completed' },
])('formatState() says $words', ({ state, subState, words }) => {
  expect(formatState(state, subState)).toBe(words);
});
