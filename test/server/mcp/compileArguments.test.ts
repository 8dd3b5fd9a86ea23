import { expect, test } from 'vitest';
import { compileArguments } from '../../../server/mcp/compileArguments.ts';

const read = compileArguments({
  name: 'example',
  inputSchema: {
    type: 'object',
    properties: {
      ref: { type: 'string' },
      limit: { type: 'integer', minimum: 0, default: 50 },
      types: { type: 'array', items: { type: 'string' }, default: [] },
      level: { type: 'string', enum: ['info', 'error'] },
      keep: { type: ['boolean', 'null'], default: null },
      instance: { type: 'string', default: '' },
    },
    required: ['ref'],
    additionalProperties: false,
  },
});

const DEFAULTS = { limit: 50, types: [], keep: null, instance: '' };

function messageOf(args: Readonly<Record<string, unknown>>): string {
  try {
    read(args);
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_USER_INPUT' });
    return (error as Error).message;
  }
  throw new Error('The arguments were taken');
}

test('defaults are filled in, and the arguments stay as they were', () => {
  const args = { ref: 'o/r#1' };
  expect(read(args)).toEqual({ ref: 'o/r#1', ...DEFAULTS });
  expect(args).toEqual({ ref: 'o/r#1' });
});

test.each([[null], ['']])('an optional argument that is %j is none', (none) => {
  const args = { ref: 'o/r#1', limit: none, types: none, level: none, keep: none, instance: none };
  expect(read(args)).toEqual({ ref: 'o/r#1', ...DEFAULTS });
});

test('0, false and an empty list are values', () => {
  const args = { ref: 'o/r#1', limit: 0, keep: false, types: [] };
  expect(read(args)).toEqual({ ...DEFAULTS, ...args });
});

test.each([
  ['a missing argument', {}, '"ref" is missing'],
  ['null for a required argument', { ref: null }, '"ref" must be string'],
  ['a word for a number', { ref: 'o/r#1', limit: 'many' }, '"limit" must be integer'],
  ['a number below the least', { ref: 'o/r#1', limit: -1 }, '"limit" must be >= 0'],
  ['a number in a list of words', { ref: 'o/r#1', types: ['a', 1] }, '"types.1" must be string'],
  ['a word that is not offered', { ref: 'o/r#1', level: 'loud' }, '"level" must be one of info, error'],
  ['a misspelt argument', { ref: 'o/r#1', instence: 'beta' }, '"instence" is not an argument of it'],
  [
    'a misspelt argument that is empty',
    { ref: 'o/r#1', instence: '' },
    '"instence" is not an argument of it',
  ],
])('%s is a problem', (_title, args, problem) => {
  expect(messageOf(args)).toBe(`Cannot call example: ${problem}`);
});

test('all problems are told at once', () => {
  expect(messageOf({ limit: 'x', other: 1 })).toBe(
    'Cannot call example: "ref" is missing; "other" is not an argument of it; "limit" must be integer',
  );
});
