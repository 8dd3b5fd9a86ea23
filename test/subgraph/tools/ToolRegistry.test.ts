import { expect, test } from 'vitest';
import type { ToolDefinition } from '../../../subgraph/tools/ToolDefinition.ts';
import { createToolRegistry } from '../../../subgraph/tools/ToolRegistry.ts';

const options = { ref: 'o/r#1', effectKey: 'k', signal: new AbortController().signal };

test('list() gives the definitions by name', async () => {
  const tools = createToolRegistry([tool({ name: 'refund' }), tool({ name: 'get_order' })]);
  expect((await tools.list({})).map(({ name }) => name)).toEqual(['get_order', 'refund']);
});

test.each([['get_order'], ['create_plan']])('createToolRegistry() refuses the taken name %s', (name) => {
  expect(() => createToolRegistry([tool({ name: 'get_order' }), tool({ name })])).toThrow(
    expect.objectContaining({ code: 'CONFLICT', details: { reason: 'entity.conflict' } }),
  );
});

test('createToolRegistry() refuses an input schema that is none', () => {
  expect(() => createToolRegistry([tool({ inputSchema: { type: 'thing' } })])).toThrow(
    'Cannot register tool: the input schema of "get_order" is invalid',
  );
});

test.each([
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }],
  [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }],
  [{ $id: 'https://example.com/args' }],
  [{ 'x-made-up': true }],
])('createToolRegistry() takes schemas of every origin, twice: %j', async (extra) => {
  const inputSchema = { type: 'object', required: ['id'], ...extra };
  const tools = createToolRegistry([tool({ name: 'a', inputSchema }), tool({ name: 'b', inputSchema })]);
  const result = await tools.call({ callId: 'c', tool: 'b', arguments: {} }, options);
  expect(result.text).toMatch(/^tool.invalid_arguments: /);
});

test('call() passes arguments, ref, key and signal to the tool', async () => {
  const calls: unknown[] = [];
  const tools = createToolRegistry([
    tool({
      async run(call) {
        calls.push(call);
        return { text: 'sent', isError: false };
      },
    }),
  ]);
  const output = await tools.call({ callId: 'c', tool: 'get_order', arguments: { id: 'a' } }, options);
  expect(output).toEqual({ text: 'sent', isError: false });
  expect(calls).toEqual([{ arguments: { id: 'a' }, ...options }]);
});

test('call() answers an unknown tool with an error result', async () => {
  const output = await createToolRegistry([]).call({ callId: 'c', tool: 'gone', arguments: {} }, options);
  expect(output).toEqual({ text: 'tool.not_found: no tool has the name "gone"', isError: true });
});

test.each([
  [{}, "tool.invalid_arguments: arguments must have required property 'id'"],
  [{ id: 1 }, 'tool.invalid_arguments: arguments.id must be string'],
  [{ id: 'a', more: 1 }, 'tool.invalid_arguments: arguments must NOT have additional properties ("more")'],
  [
    { id: 'a', size: 'x' },
    'tool.invalid_arguments: arguments.size must be equal to one of the allowed values: s, m',
  ],
])('call() answers the arguments %j with an error result, and nothing runs', async (args, text) => {
  const tools = createToolRegistry([
    tool({
      run() {
        throw new Error('it ran');
      },
    }),
  ]);
  const output = await tools.call({ callId: 'c', tool: 'get_order', arguments: args }, options);
  expect(output).toEqual({ text, isError: true });
});

test('call() cuts a result above 256 KiB, between two characters, and says so', async () => {
  const text = `x${'ü'.repeat(200_000)}`;
  const tools = createToolRegistry([tool({ run: async () => ({ text, isError: false }) })]);
  const output = await tools.call({ callId: 'c', tool: 'get_order', arguments: { id: 'a' } }, options);
  const [kept, sentence] = output.text.split('\n');
  expect(text.startsWith(kept!)).toBe(true);
  expect(Buffer.byteLength(kept!)).toBe(256 * 1024 - 1);
  expect(sentence).toBe('[The result is cut here: it has 400001 bytes, 262144 are kept.]');
});

test('call() lets through what the tool throws', async () => {
  const tools = createToolRegistry([tool({ run: () => Promise.reject(new Error('down')) })]);
  await expect(
    tools.call({ callId: 'c', tool: 'get_order', arguments: { id: 'a' } }, options),
  ).rejects.toThrow('down');
});

test('isIdempotent() is what the definition says, and false for an unknown tool', () => {
  const tools = createToolRegistry([
    tool({ name: 'get_order', isIdempotent: true }),
    tool({ name: 'refund', isIdempotent: false }),
  ]);
  expect(['get_order', 'refund', 'gone'].map((name) => tools.isIdempotent(name))).toEqual([
    true,
    false,
    false,
  ]);
});

function tool(change: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name: 'get_order',
    description: 'Finds an order.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, size: { enum: ['s', 'm'] } },
      required: ['id'],
      additionalProperties: false,
    },
    isIdempotent: true,
    run: async () => ({ text: 'found', isError: false }),
    ...change,
  };
}
