import { expect, test } from 'vitest';
import { formatState, formatTable, toLine } from '../../cli/output.ts';

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

test.each([
  { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', words: 'input required, awaiting message' },
  { state: 'COMPLETED', subState: null, words: 'completed' },
])('formatState() says $words', ({ state, subState, words }) => {
  expect(formatState(state, subState)).toBe(words);
});
