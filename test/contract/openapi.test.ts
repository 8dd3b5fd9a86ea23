/** schema/openapi.yaml, compared both ways: with the contract that clients know, with what serves it, and with what is answered. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { fleetTypeDefs } from '../../gateway/resolvers/fleetResolvers.ts';
import { buildRoutingTable } from '../../gateway/routing/RoutingTable.ts';
import { BINDINGS } from '../../server/rest/bindings.ts';
import type { JsonSchema, RestOperation, RestParameter } from '../../server/rest/Contract.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { instanceTypeDefs } from '../../subgraph/resolvers/index.ts';
import { fakeTask, fakeWorker } from '../server/support/FakeWorker.ts';
import { fakeManager } from '../server/support/fakeManager.ts';
import { serveFaces } from '../server/support/serveFaces.ts';
import { KNOWN_OPERATIONS, type KnownOperation } from './knownOperations.ts';

const REF = 'github:octo/repo#15';
const contract = readContract();

/** What a known field is called, is made of and falls back to. */
interface Field {
  readonly type: string;
  readonly isRequired: boolean;
  readonly default?: unknown;
}

type Fields = Readonly<Record<string, Field>>;

function parseFields(text: string | undefined): Fields {
  const parts = text === undefined ? [] : text.split(', ');
  return Object.fromEntries(
    parts.map((part) => {
      const match = /^([\w-]+)(!?)(?::([^=]+))?(?:=(.+))?$/.exec(part);
      if (!match) throw new Error(`"${part}" is no field`);
      const [, name, required, type = 'string', fallback] = match;
      const field = { type, isRequired: required === '!' };
      return [name, fallback === undefined ? field : { ...field, default: JSON.parse(fallback) }];
    }),
  );
}

function describeField({ type, ...schema }: JsonSchema, isRequired: boolean): Field {
  const names = [type].flat().map((name) => (name === 'array' ? 'string[]' : String(name)));
  return { type: names.join('|'), isRequired, ...('default' in schema && { default: schema.default }) };
}

/** A null that cannot be sent is neither a type of a parameter nor its default. */
function describeParameter({ schema, isRequired }: RestParameter): Field {
  const types = [schema.type].flat().filter((name) => name !== 'null');
  const { default: fallback, ...rest } = schema;
  const described = { ...rest, type: types.length === 1 ? types[0] : types };
  return describeField(
    fallback === null || fallback === undefined ? described : { ...described, default: fallback },
    isRequired,
  );
}

function describeParameters({ parameters }: RestOperation, place: RestParameter['place']): Fields {
  const there = parameters.filter((parameter) => parameter.place === place);
  return Object.fromEntries(there.map((parameter) => [parameter.name, describeParameter(parameter)]));
}

function describeBody({
  body,
}: RestOperation): { readonly title: unknown; readonly fields: Fields } | undefined {
  if (!body) return undefined;
  const required = (body.required ?? []) as string[];
  const properties = Object.entries(body.properties as Record<string, JsonSchema>);
  const fields = properties.map(([name, schema]) => [name, describeField(schema, required.includes(name))]);
  return { title: body.title, fields: Object.fromEntries(fields) };
}

function parseBody(text: string | undefined): ReturnType<typeof describeBody> {
  const [, title, fields] = /^(\w+)\((.*)\)$/.exec(text ?? '') ?? [];
  return title === undefined ? undefined : { title, fields: parseFields(fields) };
}

function statusesOf({ path, method }: RestOperation): string {
  const paths = contract.document.paths as Record<string, Record<string, { responses: object }>>;
  const responses = paths[path]?.[method.toLowerCase()]?.responses ?? {};
  return Object.keys(responses)
    .filter((status) => status !== 'default')
    .sort()
    .join(' ');
}

test('the document has the operations that clients know, and no others', () => {
  const described = contract.operations.map(({ operationId, method, path }) => [
    operationId,
    `${method} ${path}`,
  ]);
  const known = KNOWN_OPERATIONS.map(({ id, route }) => [id, route.replace(' ', ' /api/v1/')]);
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(known));
  expect(KNOWN_OPERATIONS).toHaveLength(54);
});

test.each(KNOWN_OPERATIONS)(
  '$id: parameters, body, title and statuses are those that clients know',
  (known) => {
    const operation = contract.operations.find(({ operationId }) => operationId === known.id);
    if (!operation) throw new Error(`The document has no ${known.id}`);
    expect({
      query: describeParameters(operation, 'query'),
      headers: describeParameters(operation, 'header'),
      body: describeBody(operation),
      statuses: statusesOf(operation),
    }).toEqual({
      query: parseFields(known.query),
      headers: parseFields(known.headers),
      body: parseBody(known.body),
      statuses: known.statuses,
    });
  },
);

test('every operation that answers with JSON has a binding, and every binding an operation', () => {
  const withJson = contract.operations.filter(({ answer }) => answer).map(({ operationId }) => operationId);
  expect(Object.keys(BINDINGS).sort()).toEqual(withJson.sort());
});

test('every operation has the GraphQL operation of its name, and every GraphQL operation an operation', () => {
  const text = readFileSync(new URL('../../server/rest/operations.graphql', import.meta.url), 'utf8');
  const names = parse(text).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
  );
  const expected = contract.operations.map(({ operationId: [first = '', ...rest] }) =>
    [first.toUpperCase(), ...rest].join(''),
  );
  expect(names.sort()).toEqual(expected.sort());
});

/** The route of the graph that gives each class of the contract its meaning. */
const ROUTES: Readonly<Record<KnownOperation['class'], string>> = {
  self: 'SELF',
  'self-or-instance': 'SELF_OR_INSTANCE',
  'fan-out': 'UNION',
  'by-ref': 'BY_REF',
  'by-standing-name': 'BY_STANDING_NAME',
  'by-instance': 'BY_INSTANCE',
  'acting-member': 'ACTING_MEMBER',
  'fan-in': 'FAN_IN',
};

test('the graph routes every operation as its class says', () => {
  const table = buildRoutingTable([instanceTypeDefs(), fleetTypeDefs()]);
  const text = readFileSync(new URL('../../server/rest/operations.graphql', import.meta.url), 'utf8');
  const routed = parse(text).definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    const fields = definition.selectionSet.selections.flatMap((field) =>
      field.kind === Kind.FIELD ? [table[definition.operation].get(field.name.value)] : [],
    );
    // The fleet document needs the own name beside the list.
    return [[definition.name?.value.toLowerCase(), fields.at(-1)]];
  });
  const known = KNOWN_OPERATIONS.map((operation) => [operation.id.toLowerCase(), ROUTES[operation.class]]);
  expect(Object.fromEntries(routed)).toEqual(Object.fromEntries(known));
});

test('only health is not audited', () => {
  const silent = contract.operations.filter(({ isAudited }) => !isAudited);
  expect(silent.map(({ operationId }) => operationId)).toEqual(['health']);
});

const REQUESTS: Readonly<Record<string, string | object>> = {
  health: '',
  getInstance: '',
  listInstances: '',
  registerInstance: { name: 'beta', url: 'http://beta.test' },
  unregisterInstance: { name: 'beta' },
  listWorkItems: '',
  getWorkItem: `?ref=${encodeURIComponent(REF)}`,
  listSessions: '?status=active',
  getSession: `?ref=${encodeURIComponent(REF)}`,
  replySession: { ref: REF, text: 'go on' },
  controlSession: { ref: REF, verb: 'pause' },
  closeSession: { ref: REF },
  queryEvents: '?limit=10',
  eventTypes: '',
};

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });

test.each(
  ['worker', 'manager'].flatMap((role) => Object.keys(REQUESTS).map((operationId) => [role, operationId])),
)('the answer of a %s to %s is as documented', async (role, operationId) => {
  const worker = fakeWorker({ tasks: [fakeTask(REF), fakeTask('github:octo/repo#16', { state: 'FAILED' })] });
  worker.log.append([
    { type: 'task.created', level: 'INFO', source: 'tasks', ref: REF, data: { name: 'One' } },
  ]);
  const manager = role === 'manager' ? fakeManager({ worker }) : undefined;
  await using served = await serveFaces({ worker, manager });
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const request = REQUESTS[operationId ?? ''];
  const url = `${served.url}${operation?.path}`;
  const response =
    typeof request === 'string'
      ? await fetch(`${url}${request}`)
      : await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(request),
        });
  expect(response.status).toBe(200);
  const validate = ajv.compile(operation?.answer ?? {});
  validate(await response.json());
  expect(validate.errors ?? []).toEqual([]);
});

test('the document is served as authored', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const response = await fetch(`${served.url}/api/openapi.json`);
  expect(await response.json()).toEqual(contract.document);
});
