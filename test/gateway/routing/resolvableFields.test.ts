import { getOperationAST, parse } from 'graphql';
import { expect, test } from 'vitest';
import { buildResolvableFields, isResolvable } from '../../../gateway/routing/resolvableFields.ts';
import { SUPERGRAPH } from '../../support/fakeFleet.ts';

const FIELDS = buildResolvableFields(SUPERGRAPH.sdl);

test('buildResolvableFields() leaves to each subgraph what it resolves, and what another one took over to that one', () => {
  const instance = FIELDS.get('instance')!;
  const fleet = FIELDS.get('fleet')!;
  expect(instance.has('Query.tasks')).toBe(true);
  expect(instance.has('Task.owner')).toBe(true);
  expect(instance.has('Instance.name')).toBe(true);
  expect(instance.has('Instance.state')).toBe(false);
  expect(instance.has('Query.instances')).toBe(false);
  expect(fleet.has('Instance.state')).toBe(true);
  expect(fleet.has('Query.instances')).toBe(true);
  expect(fleet.has('Query.tasks')).toBe(false);
});

test.each([
  ['{ tasks { nodes { ref owner { name } } } }', true],
  ['{ tasks { nodes { ...T } } } fragment T on Task { owner { ... on Instance { name } } }', true],
  ['{ task(ref: "r") { history { nodes { __typename ... on HistoryMessage { text } } } } }', true],
  ['{ tasks { nodes { owner { state } } } }', false],
  ['{ tasks { nodes { ...T } } } fragment T on Task { owner { url } }', false],
  ['{ instances { name } }', false],
  ['{ tasks { nodes { ref } } __schema { queryType { name } } }', false],
  ['mutation { createTask(input: {}) { ref } }', true],
  ['mutation { unregisterInstance(name: "a") { written } }', false],
])('isResolvable(): %s in the subgraph of the members: %s', (text, expected) => {
  const document = parse(text);
  const fieldsOf = () => FIELDS.get('instance');
  const operation = getOperationAST(document)!;
  expect(isResolvable(document, operation, { schema: SUPERGRAPH.apiSchema, fieldsOf })).toBe(expected);
});

test('isResolvable() checks a fragment again where other fields apply', () => {
  const document = parse(
    '{ tasks { nodes { owner { ...I } } } instances { ...I } } fragment I on Instance { name url }',
  );
  const fieldsOf = (field: string) => FIELDS.get(field === 'Query.instances' ? 'fleet' : 'instance');
  const operation = getOperationAST(document)!;
  expect(isResolvable(document, operation, { schema: SUPERGRAPH.apiSchema, fieldsOf })).toBe(false);
});
