/** Which road an operation takes (design § 3 "Two roads, one result"). */

import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import { fleetOf, SUPERGRAPH } from '../../support/fakeFleet.ts';
import { fakeTasks } from '../../support/fakeInstance.ts';

test('load() tells the schema and the supergraph, and answers with the executor of both roads', async () => {
  const { gateway } = fleetOf([{ name: 'hq' }]);
  const told: unknown[] = [];
  const unsubscribe = gateway.onSchemaLoadOrUpdate((schema) => told.push(schema));
  const { executor } = await gateway.load();
  expect(told).toEqual([{ apiSchema: SUPERGRAPH.apiSchema, coreSupergraphSdl: SUPERGRAPH.sdl }]);
  expect(executor).toBeTypeOf('function');
  unsubscribe();
  await gateway.load();
  expect(told).toHaveLength(1);
});

test('one text is planned once, whatever the values of its variables', async () => {
  const fleet = fleetOf([{ name: 'hq', tasks: fakeTasks('hq', 2) }]);
  const text = 'query ($ref: ID!, $with: Boolean!) { task(ref: $ref) { name goal @include(if: $with) } }';
  const answers = [];
  for (const [ref, isWith] of [
    ['o/hq#0', true],
    ['o/hq#1', true],
    ['o/hq#0', false],
  ] as const) {
    answers.push((await fleet.ask(text, { variables: { ref, with: isWith } })).data.task);
  }
  expect(answers).toEqual([
    { name: 'hq 0', goal: 'do hq 0' },
    { name: 'hq 1', goal: 'do hq 1' },
    { name: 'hq 0' },
  ]);
  const [first, second, third] = fleet.member('hq').requests.map(({ document }) => document);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test('a variable that does not fit its type is refused before anybody is asked', async () => {
  const fleet = fleetOf([{ name: 'hq' }]);
  const { data, errors } = await fleet.ask('query ($first: Int) { tasks(first: $first) { nodes { ref } } }', {
    variables: { first: 'many' },
  });
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([{ message: expect.stringContaining('$first') }]);
  expect(fleet.member('hq').requests).toEqual([]);
});

test('a defect is one masked error at its field and takes nothing else with it', async () => {
  const fleet = fleetOf([{ name: 'hq', tasks: fakeTasks('hq', 1) }]);
  fleet.member('hq').answer = () => {
    throw new TypeError('broken');
  };
  const { data, errors } = await fleet.ask('{ __typename task(ref: "o/hq#0") { ref } }');
  expect(data).toEqual({ __typename: 'Query', task: null });
  expect(errors).toMatchObject([{ path: ['task'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }]);
});

test('introspection asks nobody', async () => {
  const fleet = fleetOf([{ name: 'hq' }]);
  const { data } = await fleet.ask('{ __type(name: "Task") { name } __typename }');
  expect(data).toEqual({ __type: { name: 'Task' }, __typename: 'Query' });
  expect(fleet.member('hq').requests).toEqual([]);
});

test('stopping twice is fine', async () => {
  const { gateway } = fleetOf([{ name: 'hq' }]);
  const context = createFleetContext(new AbortController().signal);
  await gateway.executeWithPlanner({ document: parse('{ tasks { nodes { ref } } }'), context });
  await gateway.stop();
  await gateway.stop();
});

test.each([
  ['query A { __typename }', 'B', 'Unknown operation named "B".'],
  ['query A { __typename } query B { __typename }', undefined, 'Must provide operation name'],
])('%s as %s is the mistake of the client', async (text, operationName, message) => {
  const { gateway } = fleetOf([{ name: 'hq' }]);
  const context = createFleetContext(new AbortController().signal);
  const { data, errors } = await gateway.execute({ document: parse(text), text, operationName, context });
  expect(data).toBeUndefined();
  expect(errors).toMatchObject([
    { message: expect.stringContaining(message), extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } },
  ]);
});
