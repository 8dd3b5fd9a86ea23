import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { fleetTypeDefs } from '../../../gateway/resolvers/fleetResolvers.ts';
import { buildRoutingTable } from '../../../gateway/routing/RoutingTable.ts';
import { instanceTypeDefs } from '../../../subgraph/index.ts';

test('buildRoutingTable() reads a route for every root field of both subgraphs', () => {
  const table = buildRoutingTable([instanceTypeDefs(), fleetTypeDefs()]);
  expect(Object.fromEntries(table.query)).toMatchObject({
    tasks: 'UNION',
    task: 'BY_REF',
    config: 'SELF_OR_INSTANCE',
    instances: 'SELF',
  });
  expect(Object.fromEntries(table.mutation)).toMatchObject({
    createTask: 'BY_INSTANCE',
    sendMessage: 'BY_REF',
  });
  expect(Object.fromEntries(table.subscription)).toEqual({ taskEvents: 'FAN_IN', events: 'FAN_IN' });
});

test.each([
  ['a field without a route', 'type Query { a: Int }', 'Query.a has no @fleet(route:) of UNION'],
  [
    'a route that is unknown',
    'type Query { a: Int @fleet(route: NOWHERE) }',
    'Query.a has no @fleet(route:)',
  ],
  [
    'a route without its argument',
    'type Query { a: Int @fleet(route: BY_REF) }',
    'Query.a has the route BY_REF and no argument "ref"',
  ],
  [
    'a field with two routes',
    'type Query { a: Int @fleet(route: SELF) } extend type Query { a: Int @fleet(route: UNION) }',
    'Query.a has the routes SELF and UNION',
  ],
])('buildRoutingTable() refuses %s', (_, sdl, complaint) => {
  expect(() => buildRoutingTable([parse(sdl)])).toThrow(complaint);
});

test('buildRoutingTable() names every fault at once', () => {
  const sdl = parse('type Query { a: Int } type Mutation { b: Int } type Other { c: Int }');
  expect(() => buildRoutingTable([sdl])).toThrow(/Query\.a .*; Mutation\.b /);
});
