/** What a plugin's directory brings to tasks, on every host of tasks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readGraphQL } from '../../support/askGraphQL.ts';
import { FakeModel } from '../../support/FakeModel.ts';
import { startJsonRpcServer } from '../../support/JsonRpcServer.ts';
import { eventsOf, statusesOf } from '../../support/taskAccount.ts';
import { awaitReply, awaitState, createTask, readTask } from '../../support/taskClient.ts';
import { hostedTest, openHosted } from '../../support/taskHosts.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { writePlugin } from '../../support/writePlugin.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };
const FIXTURES = join(import.meta.dirname, '../../fixtures');
const MCP_SCHEMA = 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json';

/*
 * Feature: MCP tools
 * Scenario: a call that was lost with its server is made again where the server says that it only reads, and nowhere else
 *   Requirement: spec/worker.md#78
 *   Requirement: spec/worker.md#73
 *   Given a plugin on disk with a stdio server whose process ends in the first call of each of its two tools
 *   And the server says of one of them that it only reads
 *   When an agent calls both
 *   Then the reading one was called twice and has its result
 *   And the other one was called once, and the model is told that it was not retried
 *   And the log has one failed attempt of each, and only the first was followed by another
 *   And the server was started in the directories of the plugin that its arguments name
 */
hostedTest(
  'a call that was lost with its server is made again where the server says that it only reads, and nowhere else',
  async (host) => {
    using folder = temporaryDirectory();
    const root = writePlugin(join(folder.path, 'desk'), {
      'mcp.json': {
        $schema: MCP_SCHEMA,
        mcpServers: {
          flaky: {
            type: 'stdio',
            command: 'node',
            args: [
              join(FIXTURES, 'flakyServer.ts'),
              `${variable('PLUGIN_DATA')}/flaky`,
              `${variable('PLUGIN_ROOT')}/notes`,
              variable('HOME'),
            ],
          },
        },
      },
    });
    const call = (tool: string) => ({ toolCalls: [{ tool: `desk/flaky.${tool}`, arguments: {} }] });
    const model = new FakeModel([call('read'), call('write'), { text: 'Done.' }]);
    await using instance = await openHosted(host, {
      model,
      env: { PATH: process.env.PATH },
      config: {
        plugins: [{ path: root }],
        retries: { default: { initialIntervalSeconds: 0.05 } },
      },
    });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'Done.');

    const data = join(instance.directory, 'state', 'plugin-data', 'desk', 'flaky', 'calls');
    const lines = readFileSync(data, 'utf8').trimEnd().split('\n');
    expect(lines.filter((line) => line === 'read')).toHaveLength(2);
    expect(lines.filter((line) => line === 'write')).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual([join(root, 'notes'), variable('HOME')]);

    const results = model.requests.at(-1)?.input.filter(({ kind }) => kind === 'toolResult');
    expect(results).toMatchObject([
      { isError: false, text: expect.stringContaining('read is done') },
      { isError: true, text: expect.stringContaining('tool.not_retried') },
    ]);
    const failed = (await eventsOf(instance.url, REF)).filter(({ type }) => type === 'task.attemptFailed');
    expect(failed.map(({ data: facts }) => facts)).toEqual([
      expect.objectContaining({ tool: 'desk/flaky.read', attempt: 1, retryInMs: expect.any(Number) }),
      expect.not.objectContaining({ retryInMs: expect.anything() }),
    ]);
    expect(failed[1]?.data).toMatchObject({ tool: 'desk/flaky.write', attempt: 1 });
  },
);

/*
 * Feature: Plugins
 * Scenario: the hooks of a plugin on disk are asked in the order of their priorities, and may take the place of what is built in
 *   Requirement: spec/worker.md#72
 *   Requirement: spec/worker.md#73
 *   Given a plugin on disk whose hook "late" has the priority 500 and "early" the priority 100, and a hook that judges ends
 *   When a task is created, and the hook says of its reply that the task has failed
 *   Then before the model was asked "early" was, then "late"
 *   And the task has FAILED with the reason of the hook, where the built-in judgement would have parked it
 */
hostedTest(
  'the hooks of a plugin on disk are asked in the order of their priorities, and may take the place of what is built in',
  async (host) => {
    using folder = temporaryDirectory();
    const asked: string[] = [];
    const judge = { decision: 'fail', reason: 'Not in our style' };
    await using early = await startJsonRpcServer((method) => {
      asked.push(`early ${method}`);
      return { result: null };
    });
    await using late = await startJsonRpcServer((method) => {
      asked.push(`late ${method}`);
      if (method !== 'task.complete.in') return { result: null };
      const { context } = late.requests.at(-1)!.params;
      return { result: { context: { ...(context as object), result: judge } } };
    });
    const root = writePlugin(join(folder.path, 'desk'), {
      'dev.flotilla/hooks.json': {
        hooks: [
          { name: 'late', points: ['llm.invoked.pre', 'task.complete.in'], url: late.url },
          { name: 'early', priority: 100, points: ['llm.invoked.pre'], url: early.url },
        ],
      },
    });
    const model = new FakeModel([{ text: 'Hello.' }]);
    await using instance = await openHosted(host, { model, config: { plugins: [{ path: root }] } });
    await createTask(instance.url, 'hi', KEY);
    await awaitState(async () => expect((await readTask(instance.url, KEY)).state).toBe('FAILED'));
    expect(asked).toEqual(['early llm.invoked.pre', 'late llm.invoked.pre', 'late task.complete.in']);
    expect((await statusesOf(instance.url, REF)).at(-1)).toMatchObject({
      state: 'FAILED',
      message: 'Not in our style',
    });
  },
);

/*
 * Feature: Plugins
 * Scenario: an override takes the places of the plugin before it, and brings its servers under its own name
 *   Requirement: spec/worker.md#72
 *   Given a plugin on disk with a prompt, a command and a server, and another one of the same name that is declared an override
 *   When a task is created, and the command is sent
 *   Then the model was told the prompt of the second one and offered the tools of its server, and the command is the second one's
 */
hostedTest(
  'an override takes the places of the plugin before it, and brings its servers under its own name',
  async (host) => {
    using folder = temporaryDirectory();
    await using desk = await startJsonRpcServer((method) => ({
      result: { intents: [{ kind: 'reply', text: `asked for ${method}` }] },
    }));
    const pluginOf = (directory: string, command: string, server?: object) =>
      writePlugin(join(folder.path, directory), {
        'dev.flotilla/systemprompt.md': `You are of ${directory}.\n`,
        'dev.flotilla/commands.json': {
          commands: [{ name: 'greet', description: `Of ${directory}.`, url: command }],
        },
        'mcp.json': server && { $schema: MCP_SCHEMA, mcpServers: { orders: server } },
      });
    const orders = { type: 'stdio', command: 'node', args: [join(FIXTURES, 'ordersServer.ts')] };
    const first = pluginOf('first', 'http://127.0.0.1:9/rpc');
    const second = pluginOf('second', desk.url, orders);
    const model = new FakeModel([{ text: 'Hello.' }]);
    await using instance = await openHosted(host, {
      model,
      config: { plugins: [{ path: first }, { path: second, override: true }] },
    });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'Hello.');
    const [request] = model.requests;
    expect(request?.instructions).toContain('You are of second.');
    expect(request?.instructions).not.toContain('You are of first.');
    expect(request?.tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['desk/orders.get_order', 'desk/orders.refund']),
    );
    const { runCommand } = await readGraphQL(
      instance.url,
      'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/greet") { ok text } }',
      KEY,
    );
    expect(runCommand).toEqual({ ok: true, text: 'asked for commands.greet' });
  },
);

/** As the files of a plugin write it. */
function variable(name: string): string {
  return ['$', '{', name, '}'].join('');
}
