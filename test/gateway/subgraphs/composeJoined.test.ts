/** A joined subgraph adds to the graph and takes nothing from it. */
import { buildASTSchema, buildSchema, parse, print, printSchema } from 'graphql';
import { expect, test } from 'vitest';
import { composeSupergraph } from '../../../gateway/fleet/composeSupergraph.ts';
import { createComposeJoined } from '../../../gateway/subgraphs/composeJoined.ts';
import { TYPE_DEFS } from '../../support/fakeFleet.ts';

const OWN = Object.entries(TYPE_DEFS).map(([name, typeDefs]) => ({ name, sdl: print(typeDefs) }));
const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override", "@shareable", "@inaccessible"])';
const compose = createComposeJoined(OWN);

function composeOne(sdl: string) {
  return compose([{ name: 'reviews', sdl: `${LINK}\n${sdl}` }]);
}

test('entities of the fleet are extended, and root fields added', () => {
  const composition = composeOne(`
    type Query { reviewers: [String!]! }
    type Task @key(fields: "instance ref") { instance: String! ref: ID! review: String }
    type Instance @key(fields: "name") { name: String! rack: String }
  `);
  if (composition.kind !== 'composed') throw new Error(composition.reason);
  const schema = buildSchema(composition.apiSdl);
  expect(schema.getQueryType()?.getFields()).toHaveProperty('reviewers');
  expect(schema.getType('Task')).toMatchObject({ name: 'Task' });
  expect(composition.apiSdl).toContain('review: String');
  expect(composition.apiSdl).toContain('rack: String');
});

test('a subgraph of the first version of federation is composed in as well', () => {
  const composition = compose([
    {
      name: 'reviews',
      sdl: 'extend type Task @key(fields: "instance ref") { instance: String! @external ref: ID! @external review: String }',
    },
  ]);
  expect(composition.kind).toBe('composed');
});

test('the text of the API schema is the whole of it', () => {
  const composition = compose([]);
  if (composition.kind !== 'composed') throw new Error(composition.reason);
  const whole = composeSupergraph(OWN.map(({ name, sdl }) => ({ name, typeDefs: parse(sdl) })));
  expect(composition.sdl).toBe(whole.sdl);
  expect(printSchema(buildASTSchema(parse(composition.apiSdl)))).toBe(printSchema(whole.apiSchema));
});

test('no address is in the supergraph', () => {
  const composition = composeOne('type Query { reviewers: [String!]! }');
  expect(JSON.stringify(composition)).not.toMatch(/url: \\"https?:\/\/(?!specs\.)/);
});

test.each([
  ['text that is no GraphQL', 'type {', 'Syntax Error'],
  ['a root field of ours', 'type Query { tasks: Int }', 'Query.tasks'],
  ['another type for a key', 'type Task @key(fields: "ref") { ref: Int! }', 'Task.ref'],
  [
    'a field that is taken over',
    'type Task @key(fields: "instance ref") { instance: String! ref: ID! goal: String! @override(from: "instance") }',
    'Task.goal is taken over, which is not allowed',
  ],
  [
    'a root field that is taken over',
    'type Mutation { registerInstance(name: String!, url: String!): ConfigUpdate! @override(from: "fleet") } type ConfigUpdate { x: Int }',
    'registerInstance',
  ],
  [
    'a type that is hidden',
    'type Task @key(fields: "instance ref") @inaccessible { instance: String! ref: ID! }',
    'Task',
  ],
])('%s is refused, and why', (_title, sdl, reason) => {
  const composition = composeOne(sdl);
  expect(composition).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
});

test('a refusal names a few reasons, whatever their number', () => {
  const fields = Array.from({ length: 50 }, (_, index) => `f${index}: Unknown${index}`).join(' ');
  const composition = composeOne(`type Query { ${fields} }`);
  if (composition.kind !== 'refused') throw new Error('A refusal was expected');
  expect(composition.reason.length).toBeLessThan(1000);
});
