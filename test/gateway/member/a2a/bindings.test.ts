/** The operations on the wire, over both bindings (A2A §§ 5.4, 9 and 11). */
import { describe, expect, test } from 'vitest';
import type { A2AOperation } from '../../../../gateway/member/a2a/A2ABinding.ts';
import { A2AError, toFlotillaError } from '../../../../gateway/member/a2a/A2AError.ts';
import { createA2ABinding } from '../../../../gateway/member/a2a/createA2ABinding.ts';
import { CallFailed } from '../../../../gateway/member/CallFailed.ts';

const rpc = createA2ABinding({ binding: 'JSONRPC', path: '/rpc/', tenant: undefined });
const http = createA2ABinding({ binding: 'HTTP+JSON', path: '/v1/', tenant: undefined });

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('It was expected to throw');
}

function answer(status: number, body?: unknown) {
  return { status, isJson: body !== undefined, body };
}

const GET: A2AOperation = { name: 'GetTask', params: { id: 'a/b:cancel', historyLength: 0 } };

describe('requests', () => {
  test('JSON-RPC has one path, as the card has it, and the operation in the body', () => {
    const { method, path, body } = rpc.toRequest(GET);
    expect({ method, path, body: JSON.parse(String(body)) }).toEqual({
      method: 'POST',
      path: '/rpc/',
      body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'a/b:cancel', historyLength: 0 } },
    });
  });

  test.each([
    [GET, { method: 'GET', path: '/v1/tasks/a%2Fb%3Acancel?historyLength=0' }],
    [
      { name: 'ListTasks', params: { pageSize: 100, pageToken: 'a b' } },
      { method: 'GET', path: '/v1/tasks?pageSize=100&pageToken=a+b' },
    ],
    [
      { name: 'SendMessage', params: { message: { messageId: 'm' } } },
      { method: 'POST', path: '/v1/message:send', body: '{"message":{"messageId":"m"}}' },
    ],
    [
      { name: 'CancelTask', params: { id: 'x', metadata: { reason: 'no' } } },
      { method: 'POST', path: '/v1/tasks/x:cancel', body: '{"metadata":{"reason":"no"}}' },
    ],
    [
      { name: 'SubscribeToTask', params: { id: 'x' } },
      { method: 'POST', path: '/v1/tasks/x:subscribe', body: '{}' },
    ],
  ] as const)('HTTP and JSON have a path for $name', (operation, request) => {
    expect(http.toRequest(operation)).toEqual(request);
  });

  test('a tenant is said with every operation', () => {
    const tenant = 'a/b';
    const { body } = createA2ABinding({ binding: 'JSONRPC', path: '/', tenant }).toRequest(GET);
    expect(JSON.parse(String(body)).params.tenant).toBe(tenant);
    const overHttp = createA2ABinding({ binding: 'HTTP+JSON', path: '/', tenant });
    expect(overHttp.toRequest({ name: 'CancelTask', params: { id: 'x' } }).path).toBe(
      '/a%2Fb/tasks/x:cancel',
    );
  });
});

describe('answers', () => {
  test('a result is what JSON-RPC wraps, and the whole body over HTTP', () => {
    expect(rpc.readResult(answer(200, { jsonrpc: '2.0', id: 1, result: { tasks: [] } }))).toEqual({
      tasks: [],
    });
    expect(http.readResult(answer(200, { tasks: [] }))).toEqual({ tasks: [] });
    expect(rpc.readStreamed({ jsonrpc: '2.0', id: 1, result: { task: 1 } })).toEqual({ task: 1 });
    expect(http.readStreamed({ task: 1 })).toEqual({ task: 1 });
  });

  test.each([
    ['no JSON', answer(200)],
    ['a list', answer(200, [])],
    ['without a version', answer(200, { result: 1 })],
    ['neither result nor error', answer(200, { jsonrpc: '2.0', id: 1 })],
    ['result and error', answer(200, { jsonrpc: '2.0', id: 1, result: 1, error: {} })],
  ])('what is no JSON-RPC response (%s) is malformed', (_what, broken) => {
    expect(caught(() => rpc.readResult(broken))).toMatchObject({
      failure: { kind: 'malformed', reason: 'the answer is no JSON-RPC response' },
    });
  });

  test.each([
    { id: 2, result: 1 },
    { id: '1', result: 1 },
    { id: null, result: 1 },
    { result: 1 },
    { id: 'zzz', error: { code: -32001 } },
  ])('the answer %j is that of another request, and malformed', (broken) => {
    const response = { jsonrpc: '2.0', ...broken };
    for (const read of [() => rpc.readResult(answer(200, response)), () => rpc.readStreamed(response)]) {
      expect(caught(read)).toMatchObject({
        failure: { kind: 'malformed', reason: 'the answer is that of another request' },
      });
    }
  });

  test('an answer over HTTP that is no JSON is malformed', () => {
    const error = caught(() => http.readResult(answer(200)));
    expect(error).toBeInstanceOf(CallFailed);
    expect(error).toMatchObject({ failure: { kind: 'malformed', reason: 'the answer is not JSON' } });
  });

  test.each([401, 403, 429, 500, 503, 302])(
    'HTTP %i without an error of the protocol is no answer',
    (status) => {
      for (const binding of [rpc, http]) {
        const error = caught(() => binding.readResult(answer(status, { detail: 'a secret' })));
        expect(error).toBeInstanceOf(CallFailed);
        expect(error).toMatchObject({ failure: { kind: 'status', status, reason: `HTTP ${status}` } });
      }
    },
  );
});

describe('errors', () => {
  test.each([
    [-32001, 404, 'TASK_NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'],
    [-32002, 400, 'TASK_NOT_CANCELABLE', 'CONFLICT', 'CONFLICT'],
    [-32003, 400, 'PUSH_NOTIFICATION_NOT_SUPPORTED', 'MEMBER_ERROR', 'MEMBER_ERROR'],
    [-32004, 400, 'UNSUPPORTED_OPERATION', 'CONFLICT', 'NOT_SUPPORTED'],
    [-32005, 400, 'CONTENT_TYPE_NOT_SUPPORTED', 'BAD_USER_INPUT', 'BAD_USER_INPUT'],
    [-32006, 500, 'INVALID_AGENT_RESPONSE', 'MEMBER_ERROR', 'MEMBER_ERROR'],
    [-32009, 400, 'VERSION_NOT_SUPPORTED', 'MEMBER_ERROR', 'MEMBER_ERROR'],
  ] as const)(
    '%i, HTTP %i with %s is %s of a write and %s of a read',
    (code, status, reason, write, read) => {
      const message = 'because';
      const details = [{ '@type': 'x' }, { reason, domain: 'a2a-protocol.org' }];
      const errors = [
        caught(() => rpc.readResult(answer(200, { jsonrpc: '2.0', id: 1, error: { code, message } }))),
        caught(() => rpc.readStreamed({ jsonrpc: '2.0', id: 1, error: { code, message } })),
        caught(() => http.readResult(answer(status, { error: { code: status, message, details } }))),
        caught(() => http.readStreamed({ error: { code: status, message, details } })),
      ];
      for (const error of errors) {
        expect(error).toBeInstanceOf(A2AError);
        const told = error as A2AError;
        expect(toFlotillaError(told, true)).toMatchObject({ code: write, message });
        expect(toFlotillaError(told, false)).toMatchObject({ code: read, message });
      }
    },
  );

  test.each([
    [-32602, 'BAD_USER_INPUT'],
    [-32601, 'NOT_SUPPORTED'],
    [-32600, 'MEMBER_ERROR'],
    [-32099, 'MEMBER_ERROR'],
    ['-32001', 'MEMBER_ERROR'],
  ])('the JSON-RPC code %s is %s', (code, expected) => {
    const error = caught(() => rpc.readResult(answer(400, { jsonrpc: '2.0', error: { code, message: 1 } })));
    expect(toFlotillaError(error as A2AError, false)).toMatchObject({
      code: expected,
      message: 'the agent gives no reason',
    });
  });

  test.each([
    [400, 'BAD_USER_INPUT'],
    [404, 'NOT_FOUND'],
    [405, 'NOT_SUPPORTED'],
    [501, 'NOT_SUPPORTED'],
  ])('HTTP %i without a reason is %s', (status, expected) => {
    const error = caught(() => http.readResult(answer(status, { detail: 'Not Found' })));
    expect(toFlotillaError(error as A2AError, false).code).toBe(expected);
  });

  test('a text has at most 500 characters', () => {
    expect(new A2AError('INTERNAL', 'x'.repeat(1000)).message).toHaveLength(500);
  });
});
