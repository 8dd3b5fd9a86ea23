import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import type { CommandInvocation } from '../../../subgraph/commands/CommandDefinition.ts';
import { createRemoteExecutor } from '../../../subgraph/commands/createRemoteExecutor.ts';
import { createHookRunner } from '../../../subgraph/hooks/createHookRunner.ts';
import { createRemoteHook } from '../../../subgraph/hooks/createRemoteHook.ts';
import { createJsonRpcCall } from '../../../subgraph/remote/createJsonRpcCall.ts';
import { RemoteCallError } from '../../../subgraph/remote/RemoteCall.ts';
import { fromWireNames, toWireNames } from '../../../subgraph/remote/wireNames.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { type JsonRpcAnswer, startJsonRpcServer } from '../../support/JsonRpcServer.ts';

const signal = new AbortController().signal;

const BROKEN: readonly [string, JsonRpcAnswer][] = [
  ['answers 500', (response) => response.writeHead(500).end('{"jsonrpc":"2.0","id":1,"result":null}')],
  ['redirects', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  ['answers no JSON', (response) => response.end('pong')],
  ['answers JSON that is no response', (response) => response.end('{"result":1}')],
  ['answers an error', { error: { code: -32000, message: 'closed' } }],
  ['answers more than 256 KiB', { result: 'x'.repeat(256 * 1024) }],
  [
    'breaks off',
    (response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
  ],
];

describe('createJsonRpcCall()', () => {
  test('asks once and gives the result', async () => {
    await using server = await startJsonRpcServer(() => ({ result: { intents: [] } }));
    expect(await createJsonRpcCall(server.url)('commands.book', { a: 1 }, { signal })).toEqual({
      intents: [],
    });
    expect(server.requests).toEqual([{ method: 'commands.book', params: { a: 1 } }]);
  });

  test.each(BROKEN)('an executor that %s was asked once and has given no answer', async (_title, answer) => {
    await using server = await startJsonRpcServer(() => answer);
    await expect(createJsonRpcCall(server.url)('m', {}, { signal })).rejects.toBeInstanceOf(RemoteCallError);
    expect(server.requests).toHaveLength(1);
  });

  test('an executor that is not there has given no answer, and its address is not told', async () => {
    const { url } = await startAndStop();
    const failed = await createJsonRpcCall(url)('m', {}, { signal }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(RemoteCallError);
    expect(String(failed)).not.toContain('127.0.0.1');
  });

  test('leaves with the reason of its signal', async () => {
    await using server = await startJsonRpcServer(() => () => {});
    const controller = new AbortController();
    const call = createJsonRpcCall(server.url)('m', {}, { signal: controller.signal });
    const failed = expect(call).rejects.toThrow('abandoned');
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error('abandoned'));
    await failed;
  });
});

describe('a remote command', () => {
  const invocation = {
    taskId: 't',
    subState: 'AWAITING_MESSAGE',
    queuedMessages: 0,
  } as unknown as CommandInvocation;

  test('is asked by its name, with the invocation in the names of the wire', async () => {
    const result = { intents: [{ kind: 'spawn', acceptance_criteria: ['done'] }] };
    await using server = await startJsonRpcServer(() => ({ result }));
    const { kind, execute } = createRemoteExecutor('book', createJsonRpcCall(server.url));
    expect(kind).toBe('remote');
    expect(await execute(invocation, { signal })).toEqual(result);
    expect(server.requests).toEqual([
      {
        method: 'commands.book',
        params: { invocation: { task_id: 't', sub_state: 'AWAITING_MESSAGE', queued_messages: 0 } },
      },
    ]);
  });

  test('that has given no answer is a transport failure', async () => {
    await using server = await startJsonRpcServer(() => BROKEN[0]![1]);
    const { execute } = createRemoteExecutor('book', createJsonRpcCall(server.url));
    await expect(execute(invocation, { signal })).rejects.toBeInstanceOf(RemoteCallError);
  });
});

describe('a remote hook', () => {
  const context = {
    taskId: 't',
    attempt: 1,
    callId: 'c',
    tool: 'get_order',
    arguments: { orderId: 'a', order_id: 'b' },
  };

  test('is asked by its point; names of ours change on the wire, those of a tool do not', async () => {
    const rewritten = {
      task_id: 't',
      attempt: 1,
      call_id: 'c',
      tool: 'refund',
      arguments: { orderId: 'x', order_id: 'y' },
    };
    await using server = await startJsonRpcServer(() => ({ result: { context: rewritten } }));
    expect(await run(server.url)).toEqual({
      context: { ...context, tool: 'refund', arguments: { orderId: 'x', order_id: 'y' } },
    });
    expect(server.requests).toEqual([
      {
        method: 'tool.invoked.pre',
        params: {
          context: {
            task_id: 't',
            attempt: 1,
            call_id: 'c',
            tool: 'get_order',
            arguments: { orderId: 'a', order_id: 'b' },
          },
        },
      },
    ]);
  });

  test.each([
    ['null', null, { context }],
    [
      'an abort',
      { abort: { reason: 'refused', message: 'no' } },
      { abort: { reason: 'refused', message: 'no' } },
    ],
    [
      'an abort without a message',
      { abort: { reason: 'invalid' } },
      { abort: { reason: 'invalid', message: 'The hook "policy" refused it' } },
    ],
  ])('may answer %s', async (_title, result, expected) => {
    await using server = await startJsonRpcServer(() => ({ result }));
    expect(await run(server.url)).toEqual(expected);
  });

  test.each<[string, JsonRpcAnswer]>([
    ...BROKEN,
    ['answers something else', { result: { verdict: 'fine' } }],
    ['goes on and aborts at once', { result: { context, abort: { reason: 'refused' } } }],
    ['has an unknown reason', { result: { abort: { reason: 'mood' } } }],
    ['has a context of another type', { result: { context: { attempt: 'one' } } }],
  ])('that %s fails the operation as hook.transport, and may be asked again', async (_title, answer) => {
    await using server = await startJsonRpcServer(() => answer);
    await expect(run(server.url)).rejects.toMatchObject({ code: 'hook.transport', retryable: true });
    expect(server.requests).toHaveLength(1);
  });

  function run(url: string) {
    const execute = createRemoteHook(createJsonRpcCall(url), (point) => point);
    const hooks = createHookRunner([{ name: 'policy', isRemote: true, execute }], {
      clock: new FakeClock(),
      redact: createRedactor(),
    });
    return hooks.run('tool.invoked', 'pre', context, { signal });
  }
});

test.each([
  [
    { taskId: 1, subTasks: [{ taskId: 'a' }] },
    { task_id: 1, sub_tasks: [{ task_id: 'a' }] },
  ],
  [{ inputSchema: { aB: 1 } }, { input_schema: { aB: 1 } }],
  [
    { result: { intents: [{ aB: 1, data: { c_d: 1 } }] } },
    { result: { intents: [{ aB: 1, data: { c_d: 1 } }] } },
  ],
  [
    ['a', null, 1],
    ['a', null, 1],
  ],
])('%j is %j on the wire, and comes back', (inside, wire) => {
  expect(toWireNames(inside)).toEqual(wire);
  expect(fromWireNames(wire)).toEqual(inside);
});

async function startAndStop(): Promise<{ readonly url: string }> {
  await using server = await startJsonRpcServer(() => ({ result: null }));
  return { url: server.url };
}
