import { request as httpRequest } from 'node:http';
import { ProtocolError } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { FleetContext } from '../../../gateway/index.ts';
import { notSupported } from '../../../schema/errors.ts';
import { NEVER_TOOLS, TOOLS } from '../../../server/mcp/TOOLS.ts';
import { openMcpClient } from '../../support/openMcpClient.ts';
import { until } from '../../support/until.ts';
import { fakeTask, fakeWorker } from '../support/FakeWorker.ts';
import { fakeManager } from '../support/fakeManager.ts';
import { serveFaces } from '../support/serveFaces.ts';

const REF = 'github:octo/repo#15';
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A request that is no library's. */
function post(
  url: string,
  { body = JSON.stringify(PING), headers = {} }: { body?: string; headers?: object } = {},
) {
  return fetch(`${url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
}

describe.each([['older'], ['newer']] as const)('the %s revision', (revision) => {
  test.each([['worker'], ['manager']])(
    'a %s lists every tool in order, and none that is never one',
    async (role) => {
      const worker = fakeWorker();
      const manager = role === 'manager' ? fakeManager({ worker }) : undefined;
      await using served = await serveFaces({ worker, manager });
      await using agent = await openMcpClient(served.url, { revision });
      const { tools } = await agent.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
      const names = tools.map(({ name }) => name.replaceAll('_', ''));
      for (const never of NEVER_TOOLS) expect(names).not.toContain(never.toLowerCase());
    },
  );

  test('a result is the document of the route, as text and as it is', async () => {
    await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
    await using agent = await openMcpClient(served.url, { revision });
    const route = await fetch(`${served.url}/api/v1/work-items/one?ref=${encodeURIComponent(REF)}`);
    const document = await route.json();
    const result = await agent.client.callTool({ name: 'get_work_item', arguments: { ref: REF } });
    expect(document).toMatchObject({ ref: REF });
    expect(result).toMatchObject({ structuredContent: document });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(document) }]);
  });

  test('a list is a list, in an object where the revision has no lists there', async () => {
    await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)] }) });
    await using agent = await openMcpClient(served.url, { revision });
    const document = await (await fetch(`${served.url}/api/v1/sessions`)).json();
    const result = await agent.client.callTool({ name: 'list_sessions' });
    expect(document).toHaveLength(1);
    expect(result.structuredContent).toEqual(revision === 'newer' ? document : { result: document });
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(document) }]);
  });

  test('a tool that there is not is an error of the protocol', async () => {
    await using served = await serveFaces({ worker: fakeWorker() });
    await using agent = await openMcpClient(served.url, { revision });
    const refused = await agent.client.callTool({ name: 'restart' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({
      code: -32602,
      message: expect.stringContaining('there is no "restart"'),
    });
  });

  test('a client that goes ends what was done for it', async () => {
    const contexts: FleetContext[] = [];
    const worker = fakeWorker({
      query: {
        instances: (_: unknown, __: unknown, context: FleetContext) => {
          contexts.push(context);
          return new Promise(() => {});
        },
      },
    });
    await using served = await serveFaces({ worker, quietMs: 0 });
    await using agent = await openMcpClient(served.url, { revision });
    const call = agent.client.callTool({ name: 'list_instances' });
    await until(() => contexts.length > 0);
    await agent.client.close();
    await expect(call).rejects.toThrow();
    await until(() => contexts[0]!.signal.aborted);
    expect(served.errors).toEqual([]);
  });
});

test('a list without some members says so to the model and to programs', async () => {
  const worker = fakeWorker();
  const manager = fakeManager({
    worker,
    onRequest: ({ unreachable }) =>
      unreachable.set('beta', { instance: 'beta', state: 'timeout', detail: 'late' }),
  });
  await using served = await serveFaces({ worker, manager });
  await using agent = await openMcpClient(served.url);
  const result = await agent.client.callTool({ name: 'list_work_items' });
  expect(result.structuredContent).toEqual([]);
  expect(result.content).toEqual([
    { type: 'text', text: '[]' },
    { type: 'text', text: 'Incomplete: these instances did not answer: beta' },
  ]);
  expect(result._meta).toMatchObject({ 'dev.flotilla/unreachable': ['beta'] });
});

test.each([
  ['a ref that nobody has', 'get_work_item', { ref: 'github:octo/repo#99' }, 'NOT_FOUND'],
  ['what is no ref', 'get_work_item', { ref: 'octo' }, 'BAD_USER_INPUT'],
  ['no ref', 'get_work_item', {}, 'BAD_USER_INPUT'],
  ['an argument that is misspelt', 'get_work_item', { ref: REF, instence: 'beta' }, 'BAD_USER_INPUT'],
  ['an instance that is another', 'get_work_item', { ref: REF, instance: 'beta' }, 'NOT_FOUND'],
  ['a ticket, which an instance of ours has not', 'get_ticket', { ref: REF }, 'NOT_SUPPORTED'],
])('%s is a result that says what is wrong', async (_title, name, args, code) => {
  const query = {
    ticket: () => {
      throw notSupported('ticket', 'this instance has no tracker');
    },
  };
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF)], query }) });
  await using agent = await openMcpClient(served.url);
  const result = await agent.client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toEqual({ code, detail: expect.stringMatching(/^Cannot /) });
  expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(result.structuredContent) }]);
  expect(served.errors).toEqual([]);
});

test('a key that several hold is an error with the candidates', async () => {
  await using served = await serveFaces({ worker: fakeWorker({ tasks: [fakeTask(REF), fakeTask(REF)] }) });
  await using agent = await openMcpClient(served.url);
  const result = await agent.client.callTool({ name: 'get_work_item', arguments: { ref: REF } });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: 'CONFLICT', candidates: ['a', 'b'] },
  });
});

test('a defect is masked and logged', async () => {
  const query = {
    instances: () => {
      throw new Error('secret');
    },
  };
  await using served = await serveFaces({ worker: fakeWorker({ query }) });
  await using agent = await openMcpClient(served.url);
  const result = await agent.client.callTool({ name: 'list_instances' });
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'INTERNAL_SERVER_ERROR' } });
  expect(JSON.stringify(result)).not.toContain('secret');
  expect(served.errors).toHaveLength(1);
});

test('a call is in the event log, with the instance that it named if that may be one', async () => {
  const worker = fakeWorker({ tasks: [fakeTask(REF)] });
  await using served = await serveFaces({ worker });
  await using agent = await openMcpClient(served.url);
  await agent.client.callTool({ name: 'list_sessions' });
  await agent.client.callTool({ name: 'get_work_item', arguments: { ref: REF, instance: 'beta' } });
  await agent.client.callTool({
    name: 'get_work_item',
    arguments: { ref: REF, instance: 'no name\n'.repeat(999) },
  });
  await served.faces[Symbol.asyncDispose]();
  const calls = worker.records.filter(({ type }) => type === 'mcp.call');
  expect(calls.map(({ data }) => data)).toEqual([
    { tool: 'list_sessions', ok: true },
    { tool: 'get_work_item', ok: false, instance: 'beta' },
    { tool: 'get_work_item', ok: false },
  ]);
});

test('a token is expected where the instance has one', async () => {
  await using served = await serveFaces({ worker: fakeWorker(), tokens: ['secret'] });
  const refused = await post(served.url);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: -32000, message: expect.stringContaining('bearer token') },
    id: null,
  });
  await using agent = await openMcpClient(served.url, { headers: { authorization: 'Bearer secret' } });
  expect((await agent.client.callTool({ name: 'get_instance' })).structuredContent).toMatchObject({
    name: 'alpha',
  });
});

test.each([
  ['a foreign Host', { host: 'evil.example' }],
  ['a page of another site', { origin: 'https://evil.example' }],
])('%s is refused', async (_title, headers) => {
  await using served = await serveFaces({ worker: fakeWorker() });
  // What fetch would not send.
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(`${served.url}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers } });
    request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    request.end(JSON.stringify(PING));
  });
  expect(status).toBe(403);
});

test.each([
  ['what is not JSON', { body: '{' }, 400, -32700],
  ['nothing', { body: '' }, 400, -32700],
  ['JSON that is no message', { body: '{}' }, 400, -32600],
  ['a form', { headers: { 'content-type': 'text/plain' } }, 415, -32602],
  [
    'more than is taken',
    { body: JSON.stringify({ ...PING, params: { a: 'a'.repeat(5_000) } }) },
    413,
    -32600,
  ],
])('%s is refused in the form of the protocol', async (_title, request, status, code) => {
  const worker = fakeWorker({ config: { service: { maxRequestBytes: 4_096 } } });
  await using served = await serveFaces({ worker });
  const answer = await post(served.url, request);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { code }, id: null });
});

test.each([['GET'], ['DELETE'], ['PUT']])(
  'there are no sessions: %s is refused with what is taken',
  async (method) => {
    await using served = await serveFaces({ worker: fakeWorker() });
    const answer = await fetch(`${served.url}/mcp`, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  },
);

test('an instance that stops answers the calls that it has', async () => {
  const gate = Promise.withResolvers<readonly unknown[]>();
  const asked = Promise.withResolvers<void>();
  const query = {
    daemons: () => {
      asked.resolve();
      return gate.promise;
    },
  };
  await using served = await serveFaces({ worker: fakeWorker({ query }) });
  await using agent = await openMcpClient(served.url);
  const call = agent.client.callTool({ name: 'daemon_status' });
  await asked.promise;
  const stopped = served.faces[Symbol.asyncDispose]();
  await until(() => !served.faces.isReady);
  gate.resolve([]);
  expect((await call).structuredContent).toEqual([]);
  await stopped;
});

test('a subscription ends at once: the tools of an instance do not change', async () => {
  await using served = await serveFaces({ worker: fakeWorker() });
  await using agent = await openMcpClient(served.url);
  const subscription = await agent.client.listen({ toolsListChanged: true });
  expect(subscription.honoredFilter).toEqual({});
  expect(await subscription.closed).toBe('graceful');
});
