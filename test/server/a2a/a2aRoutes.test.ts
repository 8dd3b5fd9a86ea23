/** The face on its port: what is true for every request, whatever it asks for. */

import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../lib/Logger.ts';
import { createInstance, type Instance } from '../../../server/index.ts';
import { A2AClient, completion, messageOf } from '../../support/A2AClient.ts';
import { RunningInstance } from '../../support/RunningInstance.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const HEADERS = { 'a2a-version': '1.0', 'content-type': 'application/json', 'x-participant-id': 'alice' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };

let open: RunningInstance;
beforeAll(async () => {
  open = await RunningInstance.start('service: { stream: { keepAliveSeconds: 1 }, maxRequestBytes: 2048 }');
});
afterAll(() => open?.[Symbol.asyncDispose]());

function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = HEADERS,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('what cannot be read or is not there', () => {
  test.each<[string, unknown, number, number]>([
    ['a body that is not JSON', '{', 400, -32700],
    ['a list of requests', [LIST], 200, -32600],
    ['a request without an id', { ...LIST, id: undefined }, 200, -32600],
    ['an operation that there is not', { ...LIST, method: 'constructor' }, 200, -32601],
    ['parameters of the wrong kind', { ...LIST, params: { pageSize: 101 } }, 200, -32602],
    ['the extended card', { ...LIST, method: 'GetExtendedAgentCard' }, 200, -32007],
    ['a body that is too large', { ...LIST, params: { contextId: 'x'.repeat(4_096) } }, 413, -32600],
  ])('JSON-RPC answers %s with its own error', async (_, body, status, code) => {
    const response = await post(`${open.url}/a2a`, body);
    expect(response.status).toBe(status);
    const answer = await response.json();
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.stringMatching(/^\S/) } });
    expect(answer).not.toHaveProperty('result');
  });

  test.each([
    ['GET', '/a2a/nothing', 404, 'METHOD_NOT_FOUND'],
    ['GET', '/a2a/tasks?pageSize=many', 400, 'INVALID_PARAMS'],
    ['GET', '/a2a/tasks/none', 404, 'TASK_NOT_FOUND'],
    ['GET', '/a2a/tasks?pageToken=x', 400, 'INVALID_PARAMS'],
    ['GET', '/a2a/extendedAgentCard', 400, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
    ['POST', '/a2a/message:stream', 400, 'INVALID_PARAMS'],
    ['POST', '/a2a/tasks/none:subscribe', 404, 'TASK_NOT_FOUND'],
  ])('HTTP+JSON answers %s %s with its own error', async (method, path, status, reason) => {
    const response = await fetch(open.url + path, { method, headers: HEADERS });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code: status, status: expect.stringMatching(/^[A-Z_]+$/), details: [{ reason }] },
    });
  });

  test.each([
    ['none', {}],
    ['an older one', { 'a2a-version': '0.3' }],
  ])('a request that names as version %s is refused', async (_, version) => {
    const headers = { 'content-type': 'application/json', ...version };
    const answer = await (await post(`${open.url}/a2a`, LIST, headers)).json();
    expect(answer).toMatchObject({ error: { code: -32009, message: expect.stringContaining('0.3') } });
    const response = await fetch(`${open.url}/a2a/tasks`, { headers });
    expect(response.status).toBe(400);
  });

  test('the path of JSON-RPC says which methods it takes', async () => {
    const response = await fetch(`${open.url}/a2a`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });
});

test('clients may post with the media type of the protocol, and say the version in the query', async () => {
  const headers = { 'content-type': 'application/a2a+json', 'x-participant-id': 'alice' };
  const url = `${open.url}/a2a/message:send?A2A-Version=1.0`;
  const response = await post(url, messageOf('Hello'), headers);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } });
});

test('the card names both bindings at the address under which it is asked for', async () => {
  const port = new URL(open.url).port;
  for (const [host, scheme] of [
    [`127.0.0.1:${port}`, 'http'],
    [`localhost:${port}`, 'https'],
  ] as const) {
    const forwarded = scheme === 'https' ? 'x-forwarded-proto: https\r\n' : '';
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(
      `GET /.well-known/agent-card.json HTTP/1.1\r\nhost: ${host}\r\n${forwarded}connection: close\r\n\r\n`,
    );
    const answer = await text(socket);
    const card = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
    expect(card.supportedInterfaces).toEqual([
      { url: `${scheme}://${host}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${scheme}://${host}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]);
    expect(card).toMatchObject({
      capabilities: { streaming: true, pushNotifications: true },
      skills: [{ id: 'tasks' }],
    });
    expect(card).not.toHaveProperty('securityRequirements');
  }
});

test('a quiet subscription says that it is there', async () => {
  const alice = new A2AClient(open.url, { participant: 'alice' });
  const { id } = await alice.startTask('Hello');
  const client = new AbortController();
  const response = await fetch(`${open.url}/a2a/tasks/${id}:subscribe`, {
    headers: HEADERS,
    signal: client.signal,
  });
  let seen = '';
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    seen += new TextDecoder().decode(chunk);
    if (seen.includes(': keep-alive')) break;
  }
  client.abort();
  expect(seen).toMatch(/^data: \{"task":/);
});

test('a message that is refused leaves no receiver behind, and changes none that was there', async () => {
  const alice = new A2AClient(open.url, { participant: 'alice' });
  const { id: taskId } = await alice.startTask('Hello');
  const url = 'http://127.0.0.1:9/nobody';
  await alice.call('CreateTaskPushNotificationConfig', { taskId, id: 'mine', url });
  await alice.call('SendMessage', messageOf(completion('Thanks'), { taskId }));
  for (const id of ['mine', 'other']) {
    const configuration = { taskPushNotificationConfig: { id, url } };
    const message = { ...messageOf('And?', { taskId }), configuration };
    expect(await alice.refusal('SendMessage', message)).toMatchObject({ code: -32004 });
  }
  const list = `/tasks/${taskId}/pushNotificationConfigs`;
  expect((await alice.http('GET', list)).body.configs).toMatchObject([{ id: 'mine' }]);
});

test('a receiver whose id has slashes is found by its path', async () => {
  const alice = new A2AClient(open.url, { participant: 'alice' });
  const { id: taskId } = await alice.startTask('Hello');
  const list = `/tasks/${taskId}/pushNotificationConfigs`;
  const id = 'https://client.example/hooks/7?x=%2F';
  await alice.http('POST', list, { id, url: 'http://127.0.0.1:9/nobody' });
  const path = `${list}/${encodeURIComponent(id)}`;
  expect((await alice.http('GET', path)).body).toMatchObject({ id, taskId });
  await alice.http('DELETE', path);
  expect((await alice.http('GET', list)).body.configs).toEqual([]);
});

test('a manager serves the tasks of its own half', async () => {
  await using hq = await RunningInstance.start('instance: { name: hq, role: manager }');
  const alice = new A2AClient(hq.url, { participant: 'alice' });
  const { id } = await alice.startTask('Hello');
  expect((await alice.card()).name).toBe('hq');
  expect(await alice.call('ListTasks', {})).toMatchObject({ tasks: [{ id }], totalSize: 1 });
});

describe('with a token and a limit', () => {
  let guarded: Instance;
  const folder = temporaryDirectory();
  beforeAll(async () => {
    const configPath = join(folder.path, 'flotilla.yaml');
    const service = { auth: { tokenEnvs: ['TOKEN'] }, rateLimitPerMinute: 6 };
    writeFileSync(configPath, JSON.stringify({ service, state: { directory: join(folder.path, 'state') } }));
    const env = { TOKEN: 'open-sesame' };
    guarded = await createInstance({ configPath, env, port: 0, logger: silentLogger });
  });
  afterAll(async () => {
    await guarded?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('the card needs no token and asks for one, and who has none or asks too often is told so in the form of the binding', async () => {
    const card = await (await fetch(`${guarded.url}/.well-known/agent-card.json`)).json();
    expect(card).toMatchObject({
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
    const refused = await post(`${guarded.url}/a2a`, LIST);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 } });
    const plain = await fetch(`${guarded.url}/a2a/tasks`, { headers: HEADERS });
    expect(plain.status).toBe(401);
    expect(await plain.json()).toMatchObject({ error: { code: 401, status: 'UNAUTHENTICATED' } });

    const headers = { ...HEADERS, authorization: 'Bearer open-sesame' };
    expect(await (await post(`${guarded.url}/a2a`, LIST, headers)).json()).toMatchObject({
      result: { tasks: [] },
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(`${guarded.url}/a2a`, LIST, headers)),
    );
    const late = answers.filter(({ status }) => status === 429);
    expect(late.length).toBeGreaterThan(0);
    expect(late[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await late[0]?.json()).toMatchObject({ error: { code: -32000 } });
  });
});
