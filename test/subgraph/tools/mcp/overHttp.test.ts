import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../../lib/Clock.ts';
import { silentLogger } from '../../../../lib/Logger.ts';
import { createRedactor } from '../../../../lib/redact.ts';
import { createRemoteExecutor } from '../../../../subgraph/commands/createRemoteExecutor.ts';
import { createHookRunner } from '../../../../subgraph/hooks/createHookRunner.ts';
import { createRemoteHook } from '../../../../subgraph/hooks/createRemoteHook.ts';
import { RemoteCallError } from '../../../../subgraph/remote/RemoteCall.ts';
import { createMcpCall } from '../../../../subgraph/tools/mcp/createMcpCall.ts';
import { createMcpToolSource } from '../../../../subgraph/tools/mcp/createMcpToolSource.ts';
import { createTransport } from '../../../../subgraph/tools/mcp/createTransport.ts';
import { McpConnection } from '../../../../subgraph/tools/mcp/McpConnection.ts';
import { createToolRegistry } from '../../../../subgraph/tools/ToolRegistry.ts';
import { createOrdersServer } from '../../../fixtures/ordersServer.ts';
import { type McpHttpServer, startMcpHttpServer } from '../../../support/McpHttpServer.ts';

const signal = new AbortController().signal;

describe('a server over streamable HTTP', () => {
  test('is called with the headers that were given, and none of ours', async () => {
    const calls: string[] = [];
    await using server = await startMcpHttpServer(() => createOrdersServer((call) => calls.push(call)));
    await using connection = connect(server, { 'x-shop': 'a token' });
    const source = createMcpToolSource(connection, { logger: silentLogger });
    const registry = createToolRegistry([], { sources: [source] });
    const call = { callId: 'c', tool: 'orders.refund', arguments: { order_id: 'a1' } };
    const options = { ref: 'o/r#1', effectKey: 'k', turn: 1, signal };
    expect(await registry.call(call, options)).toEqual({ text: 'Order a1 is refunded', isError: false });
    expect(calls).toEqual(['refund a1']);
    for (const headers of server.headers) {
      expect(headers).toMatchObject({ 'x-shop': 'a token' });
      expect(headers).not.toHaveProperty('authorization');
      expect(headers).not.toHaveProperty('cookie');
    }
  });

  test.each([
    [500, {}],
    [404, {}],
    [302, { location: 'http://127.0.0.1:9/mcp' }],
  ])('that answers %d fails the call as retryable, and the next one works again', async (status, headers) => {
    await using server = await startMcpHttpServer(() => createOrdersServer());
    await using connection = connect(server);
    await connection.listTools(signal);
    server.refuse(status, headers);
    await expect(connection.callTool('refund', { order_id: 'a1' }, { signal })).rejects.toMatchObject({
      code: 'provider.retryable',
    });
    server.refuse(undefined);
    expect(await connection.callTool('refund', { order_id: 'a1' }, { signal })).toMatchObject({
      kind: 'result',
    });
  });

  test('that answers with more than 4 MiB fails the call by that name', async () => {
    await using server = await startMcpHttpServer(() => createOrdersServer());
    await using connection = connect(server);
    // The answer repeats the id twice.
    const args = { order_id: 'x'.repeat(2.5 * 1024 * 1024) };
    await expect(connection.callTool('get_order', args, { signal })).rejects.toMatchObject({
      code: 'provider.retryable',
      message: 'The MCP server "orders" sent a message of more than 4194304 bytes',
    });
  });

  test('that refuses a call by its protocol has answered', async () => {
    await using server = await startMcpHttpServer(() => createOrdersServer());
    await using connection = connect(server);
    expect(await connection.callTool('no_such_tool', {}, { signal })).toMatchObject({ kind: 'error' });
  });
});

describe('a server that answers for hooks and commands', () => {
  test('is asked by the tool of the point; its executors are no tools for agents', async () => {
    await using server = await startMcpHttpServer(createDesk);
    await using connection = connect(server);
    const registry = createToolRegistry([], {
      sources: [createMcpToolSource(connection, { logger: silentLogger })],
    });
    expect((await registry.list({})).map(({ name }) => name)).toEqual(['orders.look']);

    const execute = createRemoteHook(createMcpCall(connection), (point) => `hooks.${point}`);
    const hooks = createHookRunner([{ name: 'desk', isRemote: true, execute }], {
      clock: systemClock,
      redact: createRedactor(),
    });
    const context = { attempt: 1, callId: 'c', tool: 'refund', arguments: { id: 'a' } };
    expect(await hooks.run('tool.invoked', 'pre', context, { signal })).toEqual({
      abort: { reason: 'policy', message: 'no refunds' },
    });
    expect(await hooks.run('tool.invoked', 'pre', { ...context, tool: 'look' }, { signal })).toEqual({
      context: { ...context, tool: 'look' },
    });
    await expect(
      hooks.run('skill.loaded', 'pre', { attempt: 1, name: 'x' }, { signal }),
    ).rejects.toMatchObject({ code: 'hook.transport' });
  });

  test('gives a command its intents', async () => {
    await using server = await startMcpHttpServer(createDesk);
    await using connection = connect(server);
    const { execute } = createRemoteExecutor('book', createMcpCall(connection));
    expect(await execute({ argv: ['x'] } as never, { signal })).toEqual({
      intents: [{ kind: 'reply', text: 'booked x' }],
    });
  });

  test.each([['text_only'], ['too_large'], ['fails'], ['gone']])('has not answered with %s', async (tool) => {
    await using server = await startMcpHttpServer(createDesk);
    await using connection = connect(server);
    await expect(createMcpCall(connection)(`commands.${tool}`, {}, { signal })).rejects.toBeInstanceOf(
      RemoteCallError,
    );
  });

  test('has not answered when it is not there', async () => {
    const server = await startMcpHttpServer(createDesk);
    await server[Symbol.asyncDispose]();
    await using connection = connect(server);
    await expect(createMcpCall(connection)('commands.book', {}, { signal })).rejects.toBeInstanceOf(
      RemoteCallError,
    );
  });
});

function connect({ url }: Pick<McpHttpServer, 'url'>, headers: Readonly<Record<string, string>> = {}) {
  return new McpConnection({
    name: 'orders',
    clock: systemClock,
    version: '1.0.0',
    transport: () => createTransport({ kind: 'http', url, headers }),
  });
}

function createDesk(): McpServer {
  const server = new McpServer({ name: 'desk', version: '1.0.0' });
  const input = z.looseObject({});
  const answer = (structuredContent: Record<string, unknown>) => ({ content: [], structuredContent });
  const text = (isError: boolean) => ({ content: [{ type: 'text' as const, text: '{}' }], isError });
  server.registerTool('look', { inputSchema: input }, () => text(false));
  server.registerTool('hooks.tool.invoked.pre', { inputSchema: input }, ({ context }) => {
    const { tool } = context as { readonly tool: string };
    return answer(tool === 'refund' ? { abort: { reason: 'policy', message: 'no refunds' } } : {});
  });
  server.registerTool('commands.book', { inputSchema: input }, ({ invocation }) => {
    const { argv } = invocation as { readonly argv: readonly string[] };
    return answer({ intents: [{ kind: 'reply', text: `booked ${argv[0]}` }] });
  });
  server.registerTool('commands.text_only', { inputSchema: input }, () => text(false));
  server.registerTool('commands.fails', { inputSchema: input }, () => text(true));
  server.registerTool('commands.too_large', { inputSchema: input }, () =>
    answer({ text: 'x'.repeat(256 * 1024) }),
  );
  return server;
}
