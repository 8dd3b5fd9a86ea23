import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { FlotillaError } from '../../../schema/errors.ts';
import {
  assertWithinLimits,
  CLIENT_LIMITS,
  type DocumentLimits,
  MEMBER_LIMITS,
} from '../../../server/graphql/documentLimits.ts';
import { startCpuWatch } from '../../support/startCpuWatch.ts';

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Twenty fragments, each spreading the next one twice: a million fields in a few lines. */
const FRAGMENT_BOMB = `{ ...F0 } ${times(20, (n) => `fragment F${n} on Query { a { ...F${n + 1} } b { ...F${n + 1} } }`)}
  fragment F20 on Query { health { status } }`;

test.each<[keyof DocumentLimits, string]>([
  ['tokens', `{ ${times(4_000, () => 'a')} }`],
  ['nesting', `{ a(list: ${'['.repeat(100_000)} }`],
  ['nesting', '{ a '.repeat(100_000)],
  ['depth', `${'{ a '.repeat(25)}${'}'.repeat(25)}`],
  ['depth', `{ a { ...F0 } } ${times(24, (n) => `fragment F${n} on T { a { ...F${n + 1} } }`)}`],
  ['rootFields', `{ ${times(51, (n) => `f${n}`)} }`],
  ['aliases', `{ a { ${times(101, (n) => `a${n}: b`)} } }`],
  ['directives', `{ a ${times(51, () => '@skip(if: true)')} }`],
  ['fields', `{ a { ${times(500, (n) => `f${n}`)} } }`],
  ['fields', FRAGMENT_BOMB],
  ['rows', '{ tasks(first: 1000) { nodes { history(first: 1000) { nodes { text } } } } }'],
  ['rows', 'query ($n: Int, $m: Int) { a(first: $n) { edges { node { b(last: $m) { nodes { c } } } } } }'],
  ['rows', '{ a(first: 1000) { ...F } } fragment F on T { nodes { b { nodes { c { nodes { d } } } } } }'],
  [
    'rows',
    '{ a(first: 1000) { nodes { b { ...P c { ... on T { nodes { d } } } } } } } fragment P on T { nodes { b { ...Q } } } fragment Q on T { nodes { c } }',
  ],
  ['rows', '{ t { children { children { children { children { ref } } } } } }'],
  ['rows', '{ tasks(first: 1000) { nodes { children { list: inboxAudit { at } } } } }'],
  ['fields', `{ a } fragment Unused on T { ${times(501, (n) => `f${n}`)} }`],
])('assertWithinLimits() refuses too much %s within milliseconds', (limit, text) => {
  const cpuMs = startCpuWatch();
  expect(() => assertWithinLimits(text, CLIENT_LIMITS)).toThrow(
    expect.objectContaining({
      code: 'BAD_USER_INPUT',
      details: expect.objectContaining({ reason: `request.${limit}` }),
    }),
  );
  expect(cpuMs()).toBeLessThan(100);
});

test.each([
  [
    'what current tools ask for the schema',
    getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
  ],
  ['children of children', '{ t { children { children { children { ref } } } } }'],
  ['a large page of small pages', '{ tasks(first: 1000) { nodes { ref history { nodes { id } } } } }'],
  [
    'a small page of large pages',
    'query ($n: Int) { a(first: 200) { nodes { b(first: $n) { nodes { c } } } } }',
  ],
  ['a size that is none', '{ a(first: -7) { nodes { b(first: "all") { nodes { c } } } } }'],
  ['what is no GraphQL', '{ a(: }'],
  ['what the lexer refuses', '{ a ` }'],
  ['a fragment that spreads itself', '{ ...F } fragment F on T { a { ...F } }'],
  ['a fragment that is not there', '{ ...F }'],
  ['the same fragment many times', `{ a { ${times(50, () => '...F')} } } fragment F on T { b }`],
])('assertWithinLimits() passes %s', (_title, text) => {
  expect(() => assertWithinLimits(text, CLIENT_LIMITS)).not.toThrow();
});

test('assertWithinLimits() counts all operations of a document together', () => {
  const operation = (name: string) => `query ${name} { ${times(30, (n) => `f${n}`)} }`;
  expect(() => assertWithinLimits(operation('A'), CLIENT_LIMITS)).not.toThrow();
  expect(() => assertWithinLimits(operation('A') + operation('B'), CLIENT_LIMITS)).toThrow(FlotillaError);
});

test('a member accepts more of everything than a manager does', () => {
  for (const key of Object.keys(CLIENT_LIMITS) as (keyof DocumentLimits)[]) {
    expect(MEMBER_LIMITS[key]).toBeGreaterThan(CLIENT_LIMITS[key]);
  }
});
