/** One exchange with a subgraph of somebody else: what is sent, what is accepted, and what is told of a failure. */
import { expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import {
  createSubgraphClient,
  type SubgraphClient,
} from '../../../gateway/subgraphs/createSubgraphClient.ts';
import { systemClock } from '../../../lib/Clock.ts';
import { MISBEHAVIOURS, redirectTo } from '../../support/MemberServer.ts';
import { answerJson, SubgraphServer } from '../../support/SubgraphServer.ts';

const ENTITIES =
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on Task { review } } }';
const KEYS = [
  { __typename: 'Task', instance: 'alpha', ref: 'o/r#1' },
  { __typename: 'Task', instance: 'alpha', ref: 'o/r#2' },
];

async function open({ path = '/graphql', token = '' } = {}) {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await SubgraphServer.start({ path }));
  const client = resources.use(
    createSubgraphClient({
      name: 'reviews',
      url: server.url,
      token: () => token || undefined,
      clock: systemClock,
      timeoutMs: () => 500,
    }),
  );
  const owned = resources.move();
  return { server, client, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** As the stock gateway asks, with a caller's request at hand. */
async function fetchEntities(client: SubgraphClient, signal = new AbortController().signal) {
  const { data, errors } = await client.process({
    kind: 'incoming operation',
    request: { query: ENTITIES, variables: { representations: KEYS } },
    context: createFleetContext(signal),
    incomingRequestContext: { request: { http: { headers: new Headers({ cookie: 'secret' }) } } },
  } as never);
  return { data, errors: JSON.parse(JSON.stringify(errors ?? [])) };
}

test('the published SDL is read', async () => {
  await using subgraph = await open();
  const answer = await subgraph.client.readSdl(new AbortController().signal);
  expect(answer).toMatchObject({ kind: 'sdl', sdl: expect.stringContaining('review: String') });
});

test('entities are asked for at the very path, with the own token and nothing of the caller', async () => {
  await using subgraph = await open({ path: '/api/graphql/', token: 'own-token' });
  const { data, errors } = await fetchEntities(subgraph.client);
  expect(errors).toEqual([]);
  expect(JSON.parse(JSON.stringify(data))).toEqual({
    _entities: [{ review: 'o/r#1 of alpha is fine' }, { review: 'o/r#2 of alpha is fine' }],
  });
  const [request] = subgraph.server.requests;
  expect(request?.path).toBe('/api/graphql/');
  expect(request?.headers).toMatchObject({ authorization: 'Bearer own-token' });
  expect(request?.headers).not.toHaveProperty('cookie');
});

test.each([
  ['hangs', MISBEHAVIOURS.hang, 'MEMBER_UNAVAILABLE', 'timed out'],
  ['resets the connection', MISBEHAVIOURS.reset, 'MEMBER_UNAVAILABLE', 'connection'],
  ['answers too much', MISBEHAVIOURS.oversized, 'MEMBER_ERROR', 'larger than'],
  ['answers a page', MISBEHAVIOURS.html, 'MEMBER_ERROR', 'not JSON'],
  ['answers another shape', MISBEHAVIOURS.wrongShape, 'MEMBER_ERROR', 'not a GraphQL response'],
  ['redirects', redirectTo('http://127.0.0.1:1/graphql'), 'MEMBER_ERROR', 'HTTP 302'],
])('a subgraph that %s is one error with a code, and no SDL', async (_title, misbehave, code, reason) => {
  await using subgraph = await open();
  subgraph.server.misbehave(misbehave);
  const { data, errors } = await fetchEntities(subgraph.client);
  expect(data).toBeNull();
  expect(errors).toMatchObject([{ extensions: { code, subgraph: 'reviews' } }]);
  expect(errors[0].message).toMatch(/^reviews: /);
  expect(errors[0].message).toContain(reason);
  expect(errors[0].message).not.toContain('127.0.0.1');
  const answer = await subgraph.client.readSdl(new AbortController().signal);
  expect(answer).toMatchObject({ kind: 'failed', reason: expect.stringContaining(reason) });
});

test('what a subgraph says of an error is told without a stack, an address or a code of its own', async () => {
  await using subgraph = await open();
  subgraph.server.misbehave((response) =>
    answerJson(response, {
      data: { _entities: [{ review: null }, { review: 'fine' }] },
      errors: [
        {
          message: 'no answer from http://10.0.0.7:9000/reviews?key=4711\nat Object.<anonymous>',
          path: ['_entities', 0, 'review'],
          extensions: { code: 'UNAUTHENTICATED', stacktrace: ['secret'], exception: { secret: true } },
        },
      ],
    }),
  );
  const { data, errors } = await fetchEntities(subgraph.client);
  expect(data).toMatchObject({ _entities: [{ review: null }, { review: 'fine' }] });
  expect(errors).toEqual([
    {
      message: 'reviews: no answer from (an address) at Object.<anonymous>',
      path: ['_entities', 0, 'review'],
      extensions: { code: 'MEMBER_ERROR', subgraph: 'reviews' },
    },
  ]);
});

test('a list of entities that is too short is filled up, with one error for each that is missing', async () => {
  await using subgraph = await open();
  subgraph.server.misbehave((response) => answerJson(response, { data: { _entities: [{ review: 'one' }] } }));
  const { data, errors } = await fetchEntities(subgraph.client);
  expect(data).toEqual({ _entities: [{ review: 'one' }, null] });
  expect(errors).toMatchObject([{ path: ['_entities', 1], extensions: { code: 'MEMBER_ERROR' } }]);
});

test('no key of an answer reaches a prototype', async () => {
  await using subgraph = await open();
  subgraph.server.misbehave((response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"data":{"_entities":[{"__proto__":{"polluted":true},"review":"one"},null]}}');
  });
  const { data } = await fetchEntities(subgraph.client);
  expect((data as { _entities: { polluted?: boolean }[] })._entities[0]?.polluted).toBeUndefined();
  expect({}).not.toHaveProperty('polluted');
});

test('an exchange ends with its caller', async () => {
  await using subgraph = await open();
  const caller = new AbortController();
  subgraph.server.misbehave(() => caller.abort(new DOMException('gone', 'AbortError')));
  const { errors } = await fetchEntities(subgraph.client, caller.signal);
  expect(errors).toMatchObject([{ message: expect.stringContaining('gave up') }]);
});

test.each([
  ['is too long', { data: { _service: { sdl: 'x'.repeat(1_048_577) } } }, 'longer than'],
  ['is missing', { data: { _service: null } }, 'no _service'],
  [
    'is refused',
    { errors: [{ message: 'not here, see https://example.org/x' }] },
    'not here, see (an address)',
  ],
])('an SDL that %s is a failure', async (_title, body, reason) => {
  await using subgraph = await open();
  subgraph.server.misbehave((response) => answerJson(response, body));
  const answer = await subgraph.client.readSdl(new AbortController().signal);
  expect(answer).toMatchObject({ kind: 'failed', reason: expect.stringContaining(reason) });
});
