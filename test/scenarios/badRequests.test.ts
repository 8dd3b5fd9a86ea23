/** Requests that nobody should send: each is refused at once, and costs the instance nothing. */
import { request as sendHttp } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';

/** Longest time until a refusal is there, in milliseconds. */
const REFUSAL_BOUND_MS = 250;

/** With the newer of the two types an answer without data has a status of its own. */
const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';

interface BadRequest {
  readonly what: string;
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
}

const BAD_REQUESTS: readonly BadRequest[] = [
  {
    what: 'a body over the limit',
    path: '/graphql',
    body: graphQL(`{ a${' '.repeat(2_000_000)} }`),
    status: 413,
  },
  { what: 'a body that is no JSON', path: '/graphql', body: '{ tasks', status: 400 },
  { what: 'an empty body', path: '/graphql', body: '', status: 400 },
  { what: 'a body that is JSON and no request', path: '/graphql', body: '"{ __typename }"', status: 400 },
  { what: 'a batch', path: '/graphql', body: `[${graphQL('{ __typename }')}]`, status: 400 },
  {
    what: 'a body of another type',
    path: '/graphql',
    body: 'query',
    headers: { 'content-type': 'text/plain' },
    status: 415,
  },
  {
    what: 'a form as pages of other sites send it',
    path: '/graphql',
    body: 'query={a}',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
  },
  { what: 'no GraphQL', path: '/graphql', body: graphQL('SELECT * FROM tasks'), status: 400 },
  { what: 'an unknown field', path: '/graphql', body: graphQL('{ taks { nodes { ref } } }'), status: 400 },
  {
    what: 'a deep selection',
    path: '/graphql',
    body: graphQL(nested('{ tasks { nodes { ', 'owner { ', 2_000)),
    status: 400,
  },
  {
    what: 'deep brackets',
    path: '/graphql',
    body: graphQL(`{ tasks(filter: ${'['.repeat(100_000)}`),
    status: 400,
  },
  {
    what: 'many aliases',
    path: '/graphql',
    body: graphQL(`{ ${repeat(5_000, (n) => `a${n}: __typename`)} }`),
    status: 400,
  },
  { what: 'fragments that multiply', path: '/graphql', body: graphQL(exponential(25)), status: 400 },
  {
    what: 'a fragment that spreads itself',
    path: '/graphql',
    body: graphQL('{ ...F } fragment F on Query { ...F }'),
    status: 400,
  },
  {
    what: 'deep variables',
    path: '/graphql',
    body: `{"query":"{ __typename }","variables":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    status: 400,
  },
  {
    what: 'a page that is too large',
    path: '/graphql',
    body: graphQL('{ tasks(first: 1001) { nodes { ref } } }'),
    status: 200,
  },
  {
    what: 'a mutation by GET',
    path: `/graphql?query=${encodeURIComponent('mutation { cancelTask(ref: "a") { ref } }')}`,
    method: 'GET',
    headers: { 'apollo-require-preflight': '1' },
    status: 405,
  },
  {
    what: 'a foreign host name',
    path: '/health/live',
    method: 'GET',
    headers: { host: 'evil.example' },
    status: 403,
  },
  { what: 'REST without its parameter', path: '/api/v1/work-items/one', method: 'GET', status: 422 },
  {
    what: 'REST with a ref that is none',
    path: '/api/v1/work-items/one?ref=..%2F..%2Fetc',
    method: 'GET',
    status: 400,
  },
  { what: 'REST with a body that is no JSON', path: '/api/v1/sessions/reply', body: '{', status: 422 },
  {
    what: 'REST without its body fields',
    path: '/api/v1/sessions/reply',
    body: '{"__proto__":{"ref":"a"}}',
    status: 422,
  },
  { what: 'a REST path that is none', path: '/api/v1/../v1/nothing', method: 'GET', status: 404 },
];

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: {} } });
  // The first request of each kind pays for what is made once.
  for (const { url } of fleet.instances) {
    await readGraphQL(url, '{ tasks { nodes { ref } } }');
    for (const bad of BAD_REQUESTS.slice(0, 3)) await send(url, bad);
  }
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: Hostile requests
 * Scenario: a bad request is refused at once and nothing else notices
 *   Requirement: spec/manager.md#A10
 *   Given a manager and a worker
 *   When one of them gets a request that is oversized, deep, multiplied, of another type, or no request at all
 *   Then it is refused with its status within a quarter of a second
 *   And the answer has neither a stack nor a hint at what there is
 *   And the instance still answers, and its log has no stack
 */
test.each(BAD_REQUESTS)('a bad request is refused at once and nothing else notices', async (bad) => {
  for (const { url, name } of fleet.instances) {
    const answer = await send(url, bad);

    expect(answer.status, `${bad.what} on ${name}: ${answer.text.slice(0, 300)}`).toBe(bad.status);
    expect(answer.text).not.toMatch(/\bat .*\.[jt]s:\d|node_modules|Did you mean/);
    if (bad.status === 200) expect(answer.text).toContain('BAD_USER_INPUT');
    expect(await quickest(url, bad, answer.durationMs), bad.what).toBeLessThan(REFUSAL_BOUND_MS);
    expect(await readGraphQL(url, '{ instance { name } }')).toEqual({ instance: { name } });
  }
  for (const { stderr } of fleet.instances) expect(stderr).not.toMatch(/"stack"|^\s+at /m);
});

/** The machine may be busy with other tests: the quickest of a few is what the refusal takes. */
async function quickest(url: string, bad: BadRequest, durationMs: number): Promise<number> {
  let best = durationMs;
  for (let again = 0; again < 9 && best >= REFUSAL_BOUND_MS; again += 1) {
    best = Math.min(best, (await send(url, bad)).durationMs);
  }
  return best;
}

interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly durationMs: number;
}

/** By hand, so that the path, the host and the body go out as they are. */
function send(url: string, { path, method = 'POST', body, headers }: BadRequest): Promise<RawAnswer> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = sendHttp(
      {
        host: '127.0.0.1',
        port: new URL(url).port,
        path,
        method,
        headers: { accept: ACCEPT, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, text, durationMs: performance.now() - startedAt });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function graphQL(query: string): string {
  return JSON.stringify({ query });
}

function nested(head: string, level: string, depth: number): string {
  return `${head}${level.repeat(depth)}name${' }'.repeat(depth + 3)}`;
}

function repeat(count: number, item: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => item(n)).join(' ');
}

/** Each fragment spreads the next one twice: 2^levels fields out of a short text. */
function exponential(levels: number): string {
  const fragments = repeat(levels, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`);
  return `{ ...F0 } ${fragments} fragment F${levels} on Query { __typename }`;
}
