/** What can be watched of a task from outside, on every host of tasks (spec/worker.md § 9.2). */
import { join } from 'node:path';
import { expect } from 'vitest';
import { countingTool } from '../../support/countingTool.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { readSpans, type WrittenSpan } from '../../support/readSpans.ts';
import { eventsOf } from '../../support/taskAccount.ts';
import { awaitReply, awaitState, createTask } from '../../support/taskClient.ts';
import { hostedTest, openHosted } from '../../support/taskHosts.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };
const USAGE = { inputTokens: 100, cachedTokens: 20, outputTokens: 7 };
const TRACE_FILE = 'traces.jsonl';
const TRACED = { o11y: { traceFile: TRACE_FILE } };

/** What the caller has begun. */
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

const ORDERS = {
  command: process.execPath,
  args: [join(import.meta.dirname, '../../fixtures/ordersServer.ts')],
};

/*
 * Feature: Traces
 * Scenario: what a message causes is one trace, from its caller to the server of a tool
 *   Requirement: spec/worker.md#71
 *   Given a collector of spans, and an agent that calls a tool of an MCP server and then replies
 *   When a message comes with the trace of its caller
 *   Then the message is a span of the agent in that trace, and below it is one of each effect
 *   And each request to the model is one in its effect, with model, tokens and end
 *   And the tool call is one in its effect, and the call to the server one in that
 *   And every span of the task names it and its attempt, and none is without an end
 */
hostedTest('what a message causes is one trace, from its caller to the server of a tool', async (host) => {
  const model = new FakeModel(
    [
      { toolCalls: [{ tool: 'orders.get_order', arguments: { order_id: 'order nine' } }] },
      { text: 'It is paid.' },
    ],
    { usage: USAGE },
  );
  await using instance = await openHosted(host, {
    model,
    config: { ...TRACED, mcpServers: { orders: ORDERS } },
  });
  const response = await fetch(`${instance.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` },
    body: JSON.stringify({
      query: `mutation { createTask(input: { ref: "${REF}", message: "Is order nine paid?" }) { ref } }`,
    }),
  });
  expect(await response.json()).toEqual({ data: { createTask: { ref: REF } } });
  await awaitReply(instance.url, KEY, 'It is paid.');
  await instance.restart();

  const spans = readSpans(join(instance.directory, TRACE_FILE)).filter(({ traceId }) => traceId === TRACE_ID);
  const only = (name: string): WrittenSpan => {
    const named = spans.filter((span) => span.name === name);
    expect(named, name).toHaveLength(1);
    return named[0]!;
  };
  const agent = only('invoke_agent flotilla');
  expect(agent).toMatchObject({
    parentSpanId: only('POST /graphql').spanId,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'flotilla',
      'flotilla.task.ref': REF,
    },
  });

  const turns = spans.filter(({ name }) => name === 'RunActivity:callModel');
  const chats = spans.filter(({ name }) => name === 'chat d');
  expect(chats.map(({ parentSpanId }) => parentSpanId)).toEqual(turns.map(({ spanId }) => spanId));
  expect(chats).toMatchObject(
    ['tool_calls', 'stop'].map((reason) => ({
      kind: 'client',
      status: 'unset',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'fake',
        'gen_ai.request.model': 'd',
        'gen_ai.response.model': 'd',
        'gen_ai.response.finish_reasons': [reason],
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.cache_read.input_tokens': 20,
        'gen_ai.usage.output_tokens': 7,
      },
    })),
  );

  const activity = only('RunActivity:callTool');
  const tool = only('execute_tool orders.get_order');
  expect(tool).toMatchObject({
    kind: 'internal',
    parentSpanId: activity.spanId,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'orders.get_order',
      'flotilla.tool.is_error': false,
    },
  });
  expect(only('tools/call get_order')).toMatchObject({ kind: 'client', parentSpanId: tool.spanId });

  for (const effect of [...turns, activity]) expect(effect.parentSpanId).toBe(agent.spanId);
  for (const span of [...turns, ...chats, activity, tool]) {
    expect(span.attributes).toMatchObject({ 'flotilla.task.ref': REF, 'flotilla.attempt': 1 });
  }
  const all = new Set(spans.map(({ spanId }) => spanId));
  const orphans = spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !all.has(parentSpanId));
  expect(orphans.map(({ name }) => name)).toEqual(['POST /graphql']);
  expect(JSON.stringify(spans)).not.toMatch(/nine|paid/);
});

/*
 * Feature: Traces
 * Scenario: each attempt at a tool call is a span, and a failed one says how it failed and not what was said
 *   Requirement: spec/worker.md#71
 *   Given a tool that fails once, may be repeated, and is called by the agent
 *   When a message is sent, and the task replies
 *   Then there is a span of the first attempt that has failed, and one of the second that has not
 *   And none has the words of the tool
 */
hostedTest(
  'each attempt at a tool call is a span, and a failed one says how it failed and not what was said',
  async (host) => {
    const order = countingTool({ name: 'get_order', isIdempotent: true, failures: 1 });
    const model = new FakeModel([{ toolCalls: [{ tool: 'get_order', arguments: {} }] }, { text: 'Done.' }]);
    const config = { ...TRACED, retries: { default: { initialIntervalSeconds: 0.01 } } };
    await using instance = await openHosted(host, { model, tools: [order.tool], config });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'Done.');
    await instance.restart();

    const spans = readSpans(join(instance.directory, TRACE_FILE));
    expect(spans.filter(({ name }) => name === 'RunActivity:callTool')).toMatchObject([
      {
        status: 'error',
        reason: 'tool.failed',
        attributes: { 'flotilla.attempt': 1, 'error.type': 'tool.failed' },
      },
      { status: 'unset', attributes: { 'flotilla.attempt': 2 } },
    ]);
    expect(spans.filter(({ name }) => name === 'execute_tool get_order')).toMatchObject([
      { status: 'error', reason: 'tool.failed' },
      { status: 'unset' },
    ]);
    expect(JSON.stringify(spans)).not.toContain('not now');
  },
);

/*
 * Feature: Traces
 * Scenario: a sub-task and what its parent makes of it belong to the trace of the message that began it
 *   Requirement: spec/worker.md#71
 *   Given an agent that hands work on to a sub-task
 *   When a message is sent, the sub-task ends and the parent replies
 *   Then every effect of both is in one trace, also those of the parent behind the end of the sub-task
 */
hostedTest(
  'a sub-task and what its parent makes of it belong to the trace of the message that began it',
  async (host) => {
    const model = new FakeModel([
      { toolCalls: [{ tool: 'spawn_subtask', arguments: { name: 'Ledger', goal: 'Check it' } }] },
      { text: 'I wait.' },
      { text: 'The ledger is fine.' },
      { text: 'All is fine.' },
    ]);
    await using instance = await openHosted(host, { model, config: TRACED });
    await createTask(instance.url, 'hi', KEY);
    await awaitState(async () => {
      const types = (await eventsOf(instance.url, REF)).map(({ type }) => type);
      expect(types).toContain('task.childChanged');
    });
    await awaitState(async () => expect(model.requests).toHaveLength(4));
    await awaitState(async () => {
      expect((await eventsOf(instance.url, REF)).at(-1)).toMatchObject({ data: { state: 'INPUT_REQUIRED' } });
    });
    await instance.restart();

    const spans = readSpans(join(instance.directory, TRACE_FILE));
    const effects = spans.filter(({ name }) => name.startsWith('RunActivity:'));
    expect(new Set(effects.map(({ name }) => name.slice('RunActivity:'.length)))).toEqual(
      new Set(['callModel', 'startChild', 'tellParent']),
    );
    expect(new Set(effects.map(({ attributes }) => attributes['flotilla.task.ref']))).toHaveProperty(
      'size',
      2,
    );
    const [{ traceId }] = spans.filter(({ name }) => name.startsWith('invoke_agent')) as [WrittenSpan];
    expect(new Set(effects.map((effect) => effect.traceId))).toEqual(new Set([traceId]));
  },
);
