import { expect, test } from 'vitest';
import { splitArguments } from '../../../subgraph/commands/splitArguments.ts';

test.each([
  ['', []],
  ['a', ['a']],
  [' a  b\t\nc ', ['a', 'b', 'c']],
  ['"a b" c', ['a b', 'c']],
  ['a"b c"d', ['ab cd']],
  ['"" x', ['', 'x']],
  ['"open end', ['open end']],
  ['a\\" b"', ['a\\ b']],
  ["'a b'", ["'a", "b'"]],
])('splitArguments() splits %j into %j', (args, expected) => {
  expect(splitArguments(args)).toEqual(expected);
});
