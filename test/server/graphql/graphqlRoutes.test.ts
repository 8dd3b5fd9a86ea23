import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCpuWatch } from '../../support/startCpuWatch.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { fakeTask, fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { type ServedFaces, serveFaces } from '../support/serveFaces.ts';

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly body: any;
}

async function post(
  { url }: ServedFaces,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return read(
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), headers, body: await response.json() };
}

const failing = (error: unknown) => () => {
  throw error;
};

test('a query is answered', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask('o/r#1')] }) });
  const { status, type, body } = await post(served, { query: '{ tasks { nodes { ref } } }' });
  expect({ status, type }).toEqual({ status: 200, type: 'application/json; charset=utf-8' });
  expect(body).toEqual({ data: { tasks: { nodes: [{ ref: 'o/r#1' }] } } });
});

test('a query by GET is answered to a client that a page of another site cannot be', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const url = `${served.url}/graphql?query=${encodeURIComponent('{ health { status } }')}`;
  const plain = await read(await fetch(url));
  expect(plain.status).toBe(400);
  expect(plain.body.errors[0].extensions).toEqual({ code: 'BAD_REQUEST' });
  const marked = await read(await fetch(url, { headers: { 'apollo-require-preflight': '1' } }));
  expect(marked.body).toEqual({ data: { health: { status: 'ok' } } });
});

test('a mutation by GET is refused', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker });
  const query = encodeURIComponent('mutation { closeSession(ref: "o/r#1") { closed } }');
  const response = await fetch(`${served.url}/graphql?query=${query}`, {
    headers: { 'apollo-require-preflight': '1' },
  });
  expect(response.status).toBe(405);
  expect(worker.mutations).toEqual([]);
});

test.each([[false], [true]])(
  'a subscription over HTTP is refused with what to use (manager: %s)',
  async (isManager) => {
    const worker = fakeWorker();
    await using served = await serveFaces({ worker, ...(isManager && { manager: fakeManager({ worker }) }) });
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const query = 'subscription { events { offset } }';
      const { status, body } = await post(served, { query }, { accept });
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        {
          message: expect.stringMatching(/WebSocket.*server-sent events/),
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ]);
    }
    expect(served.errors).toEqual([]);
  },
);

test.each(['PUT', 'DELETE', 'PATCH'])('%s is refused with the methods that are taken', async (method) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const answer = await read(await fetch(`${served.url}/graphql`, { method, body: '{}' }));
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
  expect(answer.body.errors).toMatchObject([{ extensions: { code: 'METHOD_NOT_ALLOWED' } }]);
});

test('a client that accepts neither form of an answer is told so', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const { status, body } = await post(served, { query: '{ __typename }' }, { accept: 'image/png' });
  expect(status).toBe(406);
  expect(body.errors).toHaveLength(1);
});

test('several operations in one body are refused', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const { status, body } = await post(served, [{ query: '{ __typename }' }, { query: '{ __typename }' }]);
  expect(status).toBe(400);
  expect(body.errors).toHaveLength(1);
});

test.each([
  ['no JSON', '{ "query', 'application/json', 400, 'BAD_USER_INPUT'],
  ['a form', 'query=%7Bhealth%7Bstatus%7D%7D', 'application/x-www-form-urlencoded', 415, 'BAD_USER_INPUT'],
  ['plain text', '{ health { status } }', 'text/plain', 415, 'BAD_USER_INPUT'],
  [
    'a prototype',
    '{"__proto__": {"query": "{ health { status } }"}}',
    'application/json',
    400,
    'BAD_USER_INPUT',
  ],
  ['a list of nothing', '[]', 'application/json', 400, 'BAD_REQUEST'],
])('a body that is %s is refused with a GraphQL error', async (_title, text, type, status, code) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const answer = await post(served, text, { 'content-type': type });
  expect(answer.status).toBe(status);
  expect(answer.body.errors).toEqual([expect.objectContaining({ extensions: { code } })]);
  expect(served.errors).toEqual([]);
});

test('a variable with a key of the prototype is refused for that key', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const text = '{"query":"{ health { status } }","variables":{"patch":{"__proto__":{"isAdmin":true}}}}';
  const { status, body } = await post(served, text);
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    {
      message:
        'Cannot read body: "__proto__" and "constructor.prototype" are reserved keys, others are expected',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

test('a body over the limit is refused with 413', async () => {
  const worker = fakeWorker({ config: { service: { maxRequestBytes: 2048 } } });
  await using served = await serveFaces({ worker });
  const { status, body } = await post(served, { query: `{ health { status } } # ${'x'.repeat(2048)}` });
  expect(status).toBe(413);
  expect(body.errors[0].extensions).toEqual({ code: 'PAYLOAD_TOO_LARGE' });
});

test.each([['application/json'], ['application/graphql-response+json']])(
  'an operation over a limit is refused with 400 before it is executed, also to a client of %s',
  async (accept) => {
    let calls = 0;
    const health = () => {
      calls += 1;
    };
    const worker = fakeWorker({ query: { health } });
    await using served = await serveFaces({ worker });
    const query = `{ ${Array.from({ length: 5_000 }, (_, n) => `a${n}: health { status }`).join(' ')} }`;
    const cpuMs = startCpuWatch();
    const { status, type, body } = await post(served, { query }, { accept });
    expect(cpuMs()).toBeLessThan(500);
    expect({ status, type, calls }).toEqual({ status: 400, type: `${accept}; charset=utf-8`, calls: 0 });
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'request.tokens' });
  },
);

test('names of the schema are suggested in development only', async () => {
  const query = '{ helth { status } }';
  await using served = await serveFaces({ worker: fakeWorker() });
  expect((await post(served, { query })).body.errors[0].message).not.toContain('Did you mean');
  await using open = await serveFaces({ worker: fakeWorker(), isDevelopment: true });
  expect((await post(open, { query })).body.errors[0].message).toContain('Did you mean "health"');
});

test('a defect is masked, without a stack, and logged', async () => {
  const worker = fakeWorker({ query: { health: failing(new Error('password is hunter2')) } });
  await using served = await serveFaces({ worker });
  const { status, body } = await post(served, { query: '{ health { status } }' });
  expect(status).toBe(200);
  expect(JSON.stringify(body)).not.toMatch(/hunter2|stack/);
  expect(body.errors[0]).toMatchObject({
    message: 'Internal server error',
    path: ['health'],
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
  expect(served.errors).toEqual([expect.objectContaining({ err: new Error('password is hunter2') })]);
});

test('a mistake of the client is told with its code and not logged', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  const { body } = await post(served, { query: '{ task(ref: "o/r#9") { ref } }' });
  expect(body.errors[0].extensions).toEqual({ code: 'NOT_FOUND' });
  expect(served.errors).toEqual([]);
});

test('who was left out is in the extensions and in the header', async () => {
  const worker = fakeWorker();
  const manager = fakeManager({
    worker,
    onRequest: ({ unreachable, warnings }) => {
      unreachable.set('gamma', { instance: 'gamma', state: 'unreachable', detail: 'refused' });
      unreachable.set('beta', { instance: 'beta', state: 'timeout', detail: 'late' });
      warnings.push('alpha has no field "plan"');
    },
  });
  await using served = await serveFaces({ worker, manager });
  const { headers, body } = await post(served, { query: '{ tasks { nodes { ref } } }' });
  expect(headers.get('the-loop-instances-unreachable')).toBe('beta, gamma');
  expect(body.extensions).toEqual({
    fleet: {
      unreachable: [
        { instance: 'beta', state: 'timeout', detail: 'late' },
        { instance: 'gamma', state: 'unreachable', detail: 'refused' },
      ],
      warnings: ['alpha has no field "plan"'],
    },
    unreachable: ['beta', 'gamma'],
  });
});

test('credentials in what a member said are masked in what is told of who was left out', async () => {
  const worker = fakeWorker();
  const detail = 'beta: Bearer sk-live-0123456789 is refused';
  const manager = fakeManager({
    worker,
    onRequest: ({ unreachable }) => unreachable.set('beta', { instance: 'beta', state: 'error', detail }),
  });
  await using served = await serveFaces({ worker, manager });
  const { body } = await post(served, { query: '{ tasks { nodes { ref } } }' });
  expect(body.extensions.fleet.unreachable).toEqual([
    { instance: 'beta', state: 'error', detail: 'beta: Bearer [REDACTED] is refused' },
  ]);
});

test('a complete answer has neither', async () => {
  const worker = fakeWorker();
  await using served = await serveFaces({ worker, manager: fakeManager({ worker }) });
  const { headers, body } = await post(served, { query: '{ health { status } }' });
  expect(headers.has('the-loop-instances-unreachable')).toBe(false);
  expect(body).not.toHaveProperty('extensions');
});

test('a client that goes away aborts its request', async () => {
  const started = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<unknown>();
  const worker = fakeWorker({
    query: {
      health: (_: unknown, __: unknown, { signal }: { signal: AbortSignal }) => {
        started.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve(signal.reason);
            reject(signal.reason);
          });
        });
      },
    },
  });
  await using served = await serveFaces({ worker });
  const client = new AbortController();
  const request = fetch(`${served.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ health { status } }' }),
    signal: client.signal,
  });
  await started.promise;
  client.abort();
  await expect(request).rejects.toThrow();
  expect(await aborted.promise).toMatchObject({ name: 'AbortError' });
  expect(served.errors).toEqual([]);
});

test('a browser that opens the path gets a page, a client gets JSON', async () => {
  using directory = temporaryDirectory();
  mkdirSync(join(directory.path, 'assets'));
  writeFileSync(join(directory.path, 'index.html'), 'the dashboard');
  writeFileSync(join(directory.path, 'graphiql.html'), 'the explorer');
  await using served = await serveFaces({ worker: fakeWorker(), webRoot: directory.path });
  const page = await fetch(`${served.url}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toBe('the explorer');
  const answer = await read(await fetch(`${served.url}/graphql`));
  expect(answer.status).toBe(400);
});
