import { expect, test } from 'vitest';
import { parseMemberJson } from '../../../gateway/member/parseMemberJson.ts';

const nested = (depth: number, inside = ''): string => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;

test('parseMemberJson() drops the key of the prototype, plain and escaped', () => {
  expect(parseMemberJson('{"a":{"__proto__":{"b":1}},"c":2}')).toEqual({ a: {}, c: 2 });
  const escaped = parseMemberJson('{"\\u005f_proto__":{"b":1},"c":2}');
  expect(Object.keys(escaped as object)).toEqual(['c']);
});

test.each([
  ['lists', nested(1001)],
  ['objects', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`],
  ['more than the stack has, with a key that is dropped', nested(500_000, '{"__proto__":1}')],
  ['what does not end', '['.repeat(100_000)],
])('parseMemberJson() refuses %s inside of each other', (_what, text) => {
  expect(() => parseMemberJson(text)).toThrow(SyntaxError);
});

test.each([
  ['a thousand levels', nested(1000)],
  ['many lists side by side', `[${'[[]],'.repeat(2000)}[]]`],
  ['brackets in strings', JSON.stringify(['['.repeat(5000), `\\"${'{'.repeat(5000)}`, 'x\\'])],
])('parseMemberJson() takes %s', (_what, text) => {
  expect(JSON.stringify(parseMemberJson(text))).toBe(text);
});

test('parseMemberJson() refuses a string that does not end', () => {
  expect(() => parseMemberJson(`["${'x'.repeat(3000)}\\"`)).toThrow(SyntaxError);
});
