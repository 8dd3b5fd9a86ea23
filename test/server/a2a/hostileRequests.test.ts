/** Requests of the A2A face as no well-behaved client makes them. */
import { type OutgoingHttpHeaders, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { A2AClient, completion, messageOf, statesOf } from '../../support/A2AClient.ts';
import { RunningInstance } from '../../support/RunningInstance.ts';

const HEADERS = { 'a2a-version': '1.0', 'content-type': 'application/json', 'x-participant-id': 'alice' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
type Answer = { readonly status: number | undefined; readonly body: any };

let instance: RunningInstance;
beforeAll(async () => {
  instance = await RunningInstance.start('{}');
});
afterAll(() => instance?.[Symbol.asyncDispose]());

/** Sends headers and path as they are. */
async function send(
  method: string,
  path: string,
  {
    headers = HEADERS,
    body,
  }: { readonly headers?: OutgoingHttpHeaders; readonly body?: object | string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(instance.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) =>
      json(response).then((read) => resolve({ status: response.statusCode, body: read }), reject),
    );
    sent.on('error', reject);
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    // A string would be joined to the headers, and both be written as UTF-8.
    sent.end(Buffer.from(text ?? ''));
  });
}

test.each([
  ['x-participant-id', ['alice', 'mallory']],
  ['a2a-version', ['1.0', '1.0']],
])('a request that says %s twice is refused', async (name, values) => {
  const headers = { ...HEADERS, [name]: values };
  const rpc = await send('POST', '/a2a', { headers, body: LIST });
  expect(rpc.body).toMatchObject({ id: 1, error: { code: -32602 } });
  const http = await send('GET', '/a2a/tasks', { headers });
  expect(http).toMatchObject({ status: 400, body: { error: { details: [{ reason: 'INVALID_PARAMS' }] } } });
});

test('a name that is not ASCII is the same participant in the header and in the message', async () => {
  const metadata = { participant_id: 'Zoë 李' };
  const { id } = await new A2AClient(instance.url).startTask('Hello', { metadata });
  const name = Buffer.from('Zoë 李').toString('latin1');
  const headers = { ...HEADERS, 'x-participant-id': name };
  expect((await send('GET', `/a2a/tasks/${id}`, { headers })).body).toMatchObject({ id });
  const body = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: messageOf('And?', { metadata }) };
  expect((await send('POST', '/a2a', { headers, body })).body).toHaveProperty('result.task');
});

test.each<[string, string, unknown]>([
  ['no method', '{"jsonrpc":"2.0","id":"x"}', 'x'],
  ['no version', '{"id":0,"method":"ListTasks"}', 0],
  ['an id that is infinite', '{"jsonrpc":"2.0","id":1e999,"method":"ListTasks"}', null],
  ['an id that has no exact number', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ListTasks"}', null],
  ['an id that is none', '{"jsonrpc":"2.0","id":{"a":1},"method":"ListTasks"}', null],
])('a JSON-RPC request with %s is invalid, and told its id where it has one', async (_, body, id) => {
  const answer = await send('POST', '/a2a', { body });
  expect(answer).toMatchObject({ status: 200, body: { id, error: { code: -32600 } } });
});

test.each<[string, object]>([
  ['a role of an agent', { role: 'ROLE_AGENT' }],
  ['a context with control characters', { contextId: 'a\nb' }],
  ['an id with control characters', { messageId: 'a\u0000' }],
])('a message with %s is refused by its field', async (_, fields) => {
  const [name = ''] = Object.keys(fields);
  const alice = new A2AClient(instance.url, { participant: 'alice' });
  expect(await alice.refusal('SendMessage', messageOf('Hello', fields))).toMatchObject({
    code: -32602,
    message: expect.stringContaining(`"message.${name}"`),
  });
});

test('a file is a type of content that is not supported, over both bindings', async () => {
  const alice = new A2AClient(instance.url, { participant: 'alice' });
  const file = messageOf([{ text: 'Read this' }, { url: 'http://example.com/a.pdf' }]);
  expect(await alice.refusal('SendMessage', file)).toMatchObject({ code: -32005 });
  const { status, body } = await alice.http('POST', '/message:send', file);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    status: 'INVALID_ARGUMENT',
    details: [{ reason: 'CONTENT_TYPE_NOT_SUPPORTED' }],
  });
});

test.each([
  ['PATCH', '/a2a/tasks', 405, 'METHOD_NOT_ALLOWED'],
  ['PUT', '/a2a/tasks/t', 405, 'METHOD_NOT_ALLOWED'],
  ['GET', '/a2a/tasks/%zz', 400, 'INVALID_PARAMS'],
])('%s %s is answered in the form of the binding', async (method, path, status, reason) => {
  const answer = await send(method, path);
  expect(answer).toMatchObject({ status, body: { error: { code: status, details: [{ reason }] } } });
});

test.each(['alice@127.0.0.1:PORT', '127.0.0.1:PORT/evil', '127.0.0.1:PORT#', '127.0.0.1:PORT?x=1'])(
  'the card tells no Host that is more than a name: %s',
  async (host) => {
    const headers = { host: host.replace('PORT', new URL(instance.url).port) };
    const answer = await send('GET', '/.well-known/agent-card.json', { headers });
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('Host') } });
  },
);

test('a message that comes too late is not told behind the end of the task', async () => {
  const alice = new A2AClient(instance.url, { participant: 'alice' });
  const { id } = await alice.startTask('Hello');
  await alice.call('SendMessage', messageOf(completion('Thanks'), { taskId: id }));
  expect(await alice.refusal('SendMessage', messageOf('And?', { taskId: id }))).toMatchObject({
    code: -32004,
  });

  using stream = await alice.stream('SubscribeToTask', { id });
  expect(statesOf(await stream.rest()).at(-1)).toBe('COMPLETED Thanks');
});

test('one participant cannot take the places of all', async () => {
  const alice = new A2AClient(instance.url, { participant: 'alice' });
  const { id } = await alice.startTask('Hello', { metadata: {} });
  const streams = await Promise.all(
    Array.from({ length: 100 }, () => alice.stream('SubscribeToTask', { id })),
  );
  using stack = new DisposableStack();
  for (const stream of streams) stack.use(stream);
  expect(await alice.refusal('SubscribeToTask', { id })).toMatchObject({
    code: -32000,
    message: expect.stringContaining('100'),
  });
  const bob = new A2AClient(instance.url, { participant: 'bob' });
  expect(await bob.startTask('Hello')).toMatchObject({ status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
});
