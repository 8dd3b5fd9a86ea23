/** schema/openapi.yaml, compared both ways: with the contract that clients know, with what serves it, and with what is answered. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { BINDINGS } from '../../server/rest/bindings.ts';
import { readContract } from '../../server/rest/readContract.ts';
import { fakeTask, fakeWorker } from '../server/support/FakeWorker.ts';
import { fakeManager } from '../server/support/fakeManager.ts';
import { serveFaces } from '../server/support/serveFaces.ts';

const REF = 'github:octo/repo#15';
const contract = readContract();

interface Known {
  readonly route: string;
  /** Names of parameters; a required one ends in `!`. */
  readonly parameters?: readonly string[];
  readonly fields?: readonly string[];
}

/** What existing clients of the contract send. */
const KNOWN: Readonly<Record<string, Known>> = {
  health: { route: 'GET /api/v1/health', parameters: ['instance'] },
  getInstance: { route: 'GET /api/v1/instance', parameters: ['instance'] },
  listInstances: { route: 'GET /api/v1/instances' },
  registerInstance: { route: 'POST /api/v1/instances/register', fields: ['name!', 'url!'] },
  unregisterInstance: { route: 'POST /api/v1/instances/unregister', fields: ['name!'] },
  listWorkItems: { route: 'GET /api/v1/work-items' },
  getWorkItem: { route: 'GET /api/v1/work-items/one', parameters: ['ref!', 'instance'] },
  listSessions: { route: 'GET /api/v1/sessions', parameters: ['status'] },
  getSession: { route: 'GET /api/v1/sessions/one', parameters: ['ref!', 'instance'] },
  replySession: {
    route: 'POST /api/v1/sessions/reply',
    fields: ['instance', 'ref!', 'text!', 'actor', 'comment'],
  },
  controlSession: {
    route: 'POST /api/v1/sessions/control',
    fields: ['instance', 'ref!', 'verb!', 'comment'],
  },
  closeSession: { route: 'POST /api/v1/sessions/close', fields: ['instance', 'ref!', 'keepTmux'] },
  queryEvents: {
    route: 'GET /api/v1/events',
    parameters: ['type', 'workItem', 'deliveryId', 'source', 'level', 'since', 'limit'],
  },
  eventTypes: { route: 'GET /api/v1/events/types' },
  streamEvents: { route: 'GET /api/v1/stream', parameters: ['workItem', 'transcript', 'Last-Event-ID'] },
};

test('the operations, their parameters and their fields are those that clients know', () => {
  const described = contract.operations.map(({ operationId, method, path, parameters, body }) => {
    const names = parameters.map(({ name, isRequired }) => `${name}${isRequired ? '!' : ''}`);
    const required = (body?.required ?? []) as string[];
    const fields = Object.keys((body?.properties ?? {}) as object);
    const known: Known = {
      route: `${method} ${path}`,
      ...(names.length > 0 && { parameters: names }),
      ...(body && { fields: fields.map((name) => `${name}${required.includes(name) ? '!' : ''}`) }),
    };
    return [operationId, known];
  });
  expect(Object.fromEntries(described)).toEqual(KNOWN);
});

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
