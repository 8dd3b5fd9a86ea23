import { parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { fleetTypeDefs } from '../../../gateway/resolvers/fleetResolvers.ts';
import { buildMemberDocument } from '../../../gateway/routing/MemberDocument.ts';
import { type MemberPlan, planOperation, planRequest } from '../../../gateway/routing/planRequest.ts';
import { buildRoutingTable } from '../../../gateway/routing/RoutingTable.ts';
import { instanceTypeDefs } from '../../../subgraph/index.ts';
import { buildFakeInstanceSchema } from '../../support/fakeInstance.ts';

const CONTEXT = {
  schema: buildFakeInstanceSchema({ name: 'hq' }),
  table: buildRoutingTable([instanceTypeDefs(), fleetTypeDefs()]),
};

function plan(text: string, conditions: Record<string, boolean> = {}) {
  const planned = planOperation(parse(text), undefined);
  return planRequest(planned, new Map(Object.entries(conditions)), CONTEXT).fields;
}

/** Key, route and document of each root field, on one line each. */
function documentsOf(text: string, conditions?: Record<string, boolean>): string[] {
  return plan(text, conditions).map((field) =>
    field.kind === 'typename'
      ? `${field.field.key}: ${field.field.parent}`
      : `${field.route} ${field.request.text.replaceAll(/\s+/g, ' ')}`,
  );
}

test.each([
  [
    'a page asks for cursors beside what the client wants, and for a position of its own',
    '{ tasks(first: 2, after: "c") { nodes { ref } } }',
    [
      'UNION query tasks($fleet_hidden_after: String, $fleet_hidden_filter: TaskFilter) { tasks(first: 2, after: $fleet_hidden_after, filter: $fleet_hidden_filter) ' +
        '{ nodes { ref } fleet_hidden_edges: edges { cursor } fleet_hidden_pageInfo: pageInfo { hasNextPage } } }',
    ],
  ],
  [
    'rows that hold their own places, under whatever names, need no cursors',
    '{ tasks { rows: nodes { id at: createdAt } } }',
    [
      'UNION query tasks($fleet_hidden_after: String, $fleet_hidden_filter: TaskFilter) { tasks(after: $fleet_hidden_after, filter: $fleet_hidden_filter) ' +
        '{ rows: nodes { id at: createdAt } fleet_hidden_pageInfo: pageInfo { hasNextPage } } }',
    ],
  ],
  [
    "an order that a variable names is nobody's to guess",
    'query ($by: TaskOrder) { tasks(orderBy: $by) { nodes { id createdAt updatedAt ref } } }',
    [
      'UNION query tasks($by: TaskOrder, $fleet_hidden_after: String, $fleet_hidden_filter: TaskFilter) { tasks(orderBy: $by, after: $fleet_hidden_after, filter: $fleet_hidden_filter) ' +
        '{ nodes { id createdAt updatedAt ref } fleet_hidden_edges: edges { cursor } fleet_hidden_pageInfo: pageInfo { hasNextPage } } }',
    ],
  ],
  [
    'a page of the log asks for times as well',
    '{ events(last: 5) { edges { node { type } } } }',
    [
      'UNION query events($fleet_hidden_after: String, $fleet_hidden_filter: EventFilter) { events(last: 5, after: $fleet_hidden_after, filter: $fleet_hidden_filter) ' +
        '{ edges { node { type } } fleet_hidden_edges: edges { cursor node { at } } fleet_hidden_pageInfo: pageInfo { hasNextPage } } }',
    ],
  ],
  [
    'rows that no instance owns are asked for their identity',
    '{ eventTypes { meaning } commands { usage } }',
    [
      'UNION query eventTypes { eventTypes { meaning fleet_hidden_identity: name } }',
      'UNION query commands { commands { usage } }',
    ],
  ],
  [
    'the instance is never forwarded, whatever it is written as',
    'query ($where: String, $ref: ID!) { task(ref: $ref, instance: $where) { name } config(instance: "beta") { path } }',
    [
      'BY_REF query task($ref: ID!) { task(ref: $ref) { name } }',
      'SELF_OR_INSTANCE query config { config { path } }',
    ],
  ],
  [
    'each document has the variables that it uses',
    'query ($a: ID!, $b: Int, $c: ID!) { x: task(ref: $a) { history(first: $b) { nodes { __typename } } } y: task(ref: $c) { ref } }',
    [
      'BY_REF query task($a: ID!, $b: Int) { x: task(ref: $a) { history(first: $b) { nodes { fleet_hidden_typename: __typename ... on HistoryMessage { __typename } ... on HistoryToolCall { __typename } ... on HistoryToolResult { __typename } } } } }',
      'BY_REF query task($c: ID!) { y: task(ref: $c) { ref } }',
    ],
  ],
  [
    'fragments are inlined and fields of one name merged',
    '{ ...Q } fragment Q on Query { task(ref: "r") { ...T plan { steps { id } } } } fragment T on Task { ref plan { steps { name } } }',
    ['BY_REF query task { task(ref: "r") { ref plan { steps { name id } } } }'],
  ],
  [
    'an abstract value tells its type, and each type what is wanted of it',
    '{ task(ref: "r") { history { nodes { ... on HistoryMessage { text } ... on HistoryToolCall { tool } } } } }',
    [
      'BY_REF query task { task(ref: "r") { history { nodes { fleet_hidden_typename: __typename ... on HistoryMessage { text } ... on HistoryToolCall { tool } } } } }',
    ],
  ],
  ['__typename of the root is nobody else’s business', '{ t: __typename }', ['t: Query']],
])('planRequest(): %s', (_, text, expected) => {
  expect(documentsOf(text)).toEqual(expected);
});

test('planRequest() decides @skip and @include by the values of their variables', () => {
  const text =
    'query ($x: Boolean!) { tasks @include(if: $x) { nodes { ref } } commands { name usage @skip(if: $x) } }';
  expect(planOperation(parse(text), undefined).conditionVariables).toEqual(['x']);
  expect(documentsOf(text, { x: false })).toEqual(['UNION query commands { commands { name usage } }']);
  expect(documentsOf(text, { x: true })[1]).toBe('UNION query commands { commands { name } }');
});

test('planRequest() keeps an object of which everything is skipped', () => {
  expect(documentsOf('{ task(ref: "r") { plan { steps @skip(if: true) { id } } } }')).toEqual([
    'BY_REF query task { task(ref: "r") { plan { fleet_hidden_typename: __typename } } }',
  ]);
});

test('planRequest() chooses hidden names that no name of the client starts with', () => {
  const [text] = documentsOf('{ tasks { fleet_hidden_edges: nodes { fleet_hidden__x: ref } } }');
  expect(text).toContain('fleet_hidden___edges: edges { cursor }');
});

test('planRequest() plans the operation of the given name', () => {
  const planned = planOperation(parse('query A { commands { name } } query B { eventTypes { name } }'), 'B');
  expect(planRequest(planned, new Map(), CONTEXT).fields.map(({ field }) => field.name)).toEqual([
    'eventTypes',
  ]);
});

test('buildMemberDocument() joins root fields of one request in one document', () => {
  const fields = plan(
    'query ($a: ID!, $b: ID!) { x: task(ref: $a) { ref } y: task(ref: $b) { name } }',
  ) as MemberPlan[];
  const [first, second] = fields.map(({ source }) => source);
  const { document, variables } = buildMemberDocument(first!, second!);
  expect(print(document).replaceAll(/\s+/g, ' ')).toBe(
    'query task($a: ID!, $b: ID!) { x: task(ref: $a) { ref } y: task(ref: $b) { name } }',
  );
  expect(variables).toEqual(['a', 'b']);
});
