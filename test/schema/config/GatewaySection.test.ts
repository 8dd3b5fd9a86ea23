/** `gateway.subgraphs`: what the schema refuses, and what is read from the environment. */
import { expect, test } from 'vitest';
import { isBootOnly } from '../../../schema/config/bootOnlyKeys.ts';
import { ConfigSchema } from '../../../schema/config/ConfigSchema.ts';
import { combinationProblems } from '../../../subgraph/config/combinationProblems.ts';

const REVIEWS = { name: 'reviews', url: 'https://reviews.example.org/graphql/' };

function parse(subgraphs: readonly object[], instance: object = { name: 'hq', role: 'manager' }) {
  return ConfigSchema.safeParse({ instance, gateway: { subgraphs } });
}

test('a subgraph keeps its URL as it is, for its path is where it answers', () => {
  expect(parse([REVIEWS]).data?.gateway.subgraphs).toEqual([REVIEWS]);
});

test.each([
  ['a name of ours', { ...REVIEWS, name: 'fleet' }],
  ['a name that no graph has', { ...REVIEWS, name: '1' }],
  ['no name', { url: REVIEWS.url }],
  ['another scheme', { ...REVIEWS, url: 'file:///etc/passwd' }],
  ['user information', { ...REVIEWS, url: 'https://me:secret@example.org/' }],
  ['a query', { ...REVIEWS, url: 'https://example.org/?key=secret' }],
  ['a token in the file', { ...REVIEWS, token: 'secret' }],
  ['a token that is no reference', { ...REVIEWS, tokenEnv: 'not a name' }],
])('%s is refused', (_title, subgraph) => {
  expect(parse([subgraph]).success).toBe(false);
});

test('two subgraphs of one name, and more than a graph should have, are refused', () => {
  expect(parse([REVIEWS, REVIEWS]).success).toBe(false);
  const many = Array.from({ length: 33 }, (_, index) => ({ ...REVIEWS, name: `s${index}` }));
  expect(parse(many).success).toBe(false);
  expect(parse(many.slice(1)).success).toBe(true);
});

test('a token that is not in the environment is found, on a manager', () => {
  const subgraph = { ...REVIEWS, tokenEnv: 'REVIEWS_TOKEN' };
  const manager = ConfigSchema.parse({
    instance: { name: 'hq', role: 'manager' },
    gateway: { subgraphs: [subgraph] },
  });
  const worker = ConfigSchema.parse({ gateway: { subgraphs: [subgraph] } });
  expect(combinationProblems(manager, {})).toMatchObject([{ path: ['gateway', 'subgraphs', 0, 'tokenEnv'] }]);
  expect(combinationProblems(manager, { REVIEWS_TOKEN: 'x' })).toEqual([]);
  expect(combinationProblems(worker, {})).toEqual([]);
});

test('subgraphs are followed without a restart', () => {
  expect(isBootOnly('gateway.subgraphs')).toBe(false);
});
