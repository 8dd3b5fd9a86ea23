import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../../lib/Clock.ts';
import { silentLogger } from '../../../../lib/Logger.ts';
import { createRedactor } from '../../../../lib/redact.ts';
import { createTracer } from '../../../../server/telemetry/createTracer.ts';
import { createMcpToolSource } from '../../../../subgraph/tools/mcp/createMcpToolSource.ts';
import { createTransport } from '../../../../subgraph/tools/mcp/createTransport.ts';
import { McpConnection } from '../../../../subgraph/tools/mcp/McpConnection.ts';
import { createToolRegistry, type ToolRegistry } from '../../../../subgraph/tools/ToolRegistry.ts';
import { createOrdersServer } from '../../../fixtures/ordersServer.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { SpanRecorder } from '../../../support/SpanRecorder.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';
import { recordingLogger } from '../../config/configDirectory.ts';

const SERVER = join(import.meta.dirname, '../../../fixtures/ordersServer.ts');
/** A process takes its time on a busy machine. */
const SOON = { timeout: 10_000 };
const signal = new AbortController().signal;

describe('a stdio server', () => {
  test('has its tools with schemas, idempotent where the server says so', async () => {
    await using orders = await openOrders();
    const tools = await orders.registry.list({});
    expect(tools.map(({ name }) => name)).toEqual(
      ['cwd', 'die', 'env', 'evolve', 'fail', 'gate', 'get_order', 'hang', 'pid', 'refund'].map(
        (name) => `orders.${name}`,
      ),
    );
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('orders.get_order')).toMatchObject({
      description: 'Finds an order.',
      isIdempotent: true,
      inputSchema: { properties: { order_id: { type: 'string' } } },
      outputSchema: { properties: { state: { type: 'string' } } },
    });
    expect(byName.get('orders.refund')).toMatchObject({
      description: 'Pays an order back',
      isIdempotent: false,
    });
    expect(orders.registry.isIdempotent('orders.get_order')).toBe(true);
    expect(orders.registry.isIdempotent('orders.refund')).toBe(false);
  });

  test('answers with text and structured content', async () => {
    await using orders = await openOrders();
    const definition = (await orders.registry.list({})).find(({ name }) => name === 'orders.get_order')!;
    const run = { arguments: { order_id: 'a1' }, ref: 'o/r#1', effectKey: 'k', signal };
    expect(await definition.run(run)).toEqual({
      text: 'Order a1 is paid',
      data: { id: 'a1', state: 'paid' },
      isError: false,
    });
    expect(await orders.call('get_order', { order_id: 'a1' })).toEqual({
      text: 'Order a1 is paid\n{"id":"a1","state":"paid"}',
      isError: false,
    });
  });

  test('is not called with arguments that do not fit', async () => {
    await using orders = await openOrders();
    const result = await orders.call('get_order', { order: 'a1' });
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/^tool.invalid_arguments: /) });
    expect(existsSync(orders.log)).toBe(false);
  });

  test('keeps its own error flag', async () => {
    await using orders = await openOrders();
    expect(await orders.call('fail')).toEqual({ text: 'the shop is closed', isError: true });
  });

  test('gets a minimal environment, its own, and nothing of ours', async () => {
    process.env.FLOTILLA_TEST_SECRET = 'a secret';
    try {
      await using orders = await openOrders();
      const { text } = await orders.call('env');
      expect(text.split(' ')).toContain('ORDERS_LOG');
      expect(text.split(' ')).toContain('PATH');
      expect(text).not.toContain('FLOTILLA_TEST_SECRET');
    } finally {
      delete process.env.FLOTILLA_TEST_SECRET;
    }
  });

  test('that dies fails the call as retryable, and is started again by the next one', async () => {
    await using orders = await openOrders();
    await orders.registry.list({});
    await expect(orders.call('die', {}, 1)).rejects.toMatchObject({ code: 'provider.retryable' });
    expect(await orders.call('refund', { order_id: 'a1' }, 2)).toMatchObject({
      text: 'Order a1 is refunded',
    });
    expect(readFileSync(orders.log, 'utf8')).toBe('refund a1\n');
  });

  test('that sends more than 4 MiB at once fails the call by that name, and the next one works again', async () => {
    await using orders = await openOrders();
    await orders.registry.list({});
    // The answer repeats the id twice.
    const large = orders.call('get_order', { order_id: 'x'.repeat(2.5 * 1024 * 1024) });
    await expect(large).rejects.toMatchObject({
      code: 'provider.retryable',
      message: 'The MCP server "orders" sent a message of more than 4194304 bytes',
    });
    expect(await orders.call('get_order', { order_id: 'a1' })).toMatchObject({ isError: false });
  });

  test('ends with the connection, and what is under way fails', async () => {
    const orders = await openOrders();
    const pid = Number((await orders.call('pid')).text);
    expect(isAlive(pid)).toBe(true);
    const hanging = orders.call('hang');
    await expect.poll(() => existsSync(orders.log), SOON).toBe(true);
    const failed = expect(hanging).rejects.toMatchObject({ code: 'provider.retryable' });
    await orders[Symbol.asyncDispose]();
    await failed;
    await expect.poll(() => isAlive(pid), SOON).toBe(false);
    await expect(orders.call('refund', { order_id: 'a1' })).rejects.toMatchObject({
      code: 'provider.retryable',
    });
  });

  test('leaves a call when its signal aborts', async () => {
    await using orders = await openOrders();
    const controller = new AbortController();
    const call = { callId: 'c', tool: 'orders.hang', arguments: {} };
    const hanging = orders.registry.call(call, {
      ref: 'o/r#1',
      effectKey: 'k',
      turn: 1,
      signal: controller.signal,
    });
    const failed = expect(hanging).rejects.toThrow('abandoned');
    await expect.poll(() => existsSync(orders.log), SOON).toBe(true);
    controller.abort(new Error('abandoned'));
    await failed;
  });

  test('that is not there has no tools, and is left alone for a while', async () => {
    const clock = new FakeClock();
    const { logger, lines } = recordingLogger();
    let starts = 0;
    await using connection = new McpConnection({
      name: 'gone',
      clock,
      version: '1.0.0',
      transport: () => {
        starts += 1;
        const command = join(import.meta.dirname, 'no-such-file');
        return createTransport({ kind: 'stdio', command, args: [], env: {} });
      },
    });
    const registry = createToolRegistry([], {
      sources: [createMcpToolSource(connection, { logger })],
    });
    expect(await registry.list({})).toEqual([]);
    expect(await registry.list({})).toEqual([]);
    expect(starts).toBe(1);
    clock.advance(1_000);
    expect(await registry.list({})).toEqual([]);
    expect(starts).toBe(2);
    await expect(connection.listTools(signal)).rejects.toMatchObject({ code: 'provider.retryable' });
    clock.advance(1_999);
    await expect(connection.listTools(signal)).rejects.toThrow('The MCP server "gone" cannot be reached');
    expect(starts).toBe(2);
    clock.advance(1);
    await expect(connection.listTools(signal)).rejects.toThrow('The MCP server "gone" cannot be reached');
    expect(starts).toBe(3);
    expect(lines).toEqual([
      {
        level: 'warn',
        fields: { server: 'gone', reason: expect.stringContaining('cannot be reached') },
        message: 'The tools of an MCP server are not there',
      },
    ]);
  });
});

test('a server that a program cannot make has no tools, then and later, and holds nobody up', async () => {
  const clock = new FakeClock();
  const { logger, lines } = recordingLogger();
  let starts = 0;
  await using connection = new McpConnection({
    name: 'own',
    clock,
    version: '1.0.0',
    transport: () =>
      createTransport({
        kind: 'inProcess',
        open: () => {
          starts += 1;
          throw new Error('the shop is closed');
        },
      }),
  });
  const registry = createToolRegistry([], { sources: [createMcpToolSource(connection, { logger })] });
  expect(await registry.list({})).toEqual([]);
  clock.advance(1_000);
  expect(await registry.list({})).toEqual([]);
  expect(starts).toBe(2);
  await expect(connection.listTools(signal)).rejects.toMatchObject({ code: 'provider.retryable' });
  expect(lines).toEqual([
    {
      level: 'warn',
      fields: { server: 'own', reason: expect.stringContaining('the shop is closed') },
      message: 'The tools of an MCP server are not there',
    },
  ]);
});

test('a tool whose schema has changed refuses every call from the next turn on', async () => {
  await using orders = await openOrders();
  const get = (turn: number) => orders.call('get_order', { order_id: 'a1' }, turn);
  expect(await get(1)).toMatchObject({ isError: false });
  expect(await orders.call('evolve', {}, 1)).toMatchObject({ text: 'evolved' });
  expect(await get(1)).toMatchObject({ isError: false });
  for (const turn of [2, 2, 3]) {
    expect(await get(turn)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^tool.schema_changed: /),
    });
  }
  expect(await orders.call('refund', { order_id: 'a1' }, 3)).toMatchObject({ isError: false });
  await orders.source.register(signal);
  expect(await get(3)).toMatchObject({ isError: false });
});

test('a server is listed once for all the calls of a turn', async () => {
  let lists = 0;
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = createOrdersServer();
  await server.connect(serverSide);
  const passOn = serverSide.onmessage!;
  serverSide.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'tools/list') lists += 1;
    passOn(message, extra);
  };
  await using connection = new McpConnection({
    name: 'orders',
    clock: systemClock,
    version: '1.0.0',
    transport: () => clientSide,
  });
  const registry = createToolRegistry([], {
    sources: [createMcpToolSource(connection, { logger: silentLogger })],
  });
  await registry.list({});
  expect(lists).toBe(1);
  for (const turn of [1, 1, 2]) await callOrders(registry, 'refund', { order_id: 'a1' }, turn);
  expect(lists).toBe(3);
});

test('a server is told what a call is a part of', async () => {
  const told: unknown[] = [];
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await createOrdersServer().connect(serverSide);
  const passOn = serverSide.onmessage!;
  serverSide.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'tools/call') told.push(message.params?._meta);
    passOn(message, extra);
  };
  const recorder = new SpanRecorder();
  await using connection = new McpConnection({
    name: 'orders',
    clock: systemClock,
    version: '1.0.0',
    transport: () => clientSide,
    tracer: createTracer({ spans: recorder.tracer, redact: createRedactor() }),
  });
  await connection.callTool('refund', { order_id: 'a1' }, { signal });
  const { traceId, spanId } = recorder.named('tools/call refund');
  expect(told).toMatchObject([{ traceparent: `00-${traceId}-${spanId}-01` }]);
});

function callOrders(registry: ToolRegistry, tool: string, args: Record<string, string>, turn: number) {
  return registry.call(
    { callId: 'c', tool: `orders.${tool}`, arguments: args },
    { ref: 'o/r#1', effectKey: 'k', turn, signal },
  );
}

async function openOrders() {
  const directory = temporaryDirectory();
  const log = join(directory.path, 'calls');
  const connection = new McpConnection({
    name: 'orders',
    clock: systemClock,
    version: '1.0.0',
    transport: () =>
      createTransport({ kind: 'stdio', command: process.execPath, args: [SERVER], env: { ORDERS_LOG: log } }),
  });
  const source = createMcpToolSource(connection, { logger: silentLogger });
  const registry = createToolRegistry([], { sources: [source] });
  return {
    log,
    source,
    registry,
    call: (tool: string, args: Record<string, string> = {}, turn = 1) =>
      callOrders(registry, tool, args, turn),
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]();
      directory[Symbol.dispose]();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
