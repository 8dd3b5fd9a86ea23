/** What a plugin's directory brings to tasks, on every host of tasks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { type McpServerDefinition, type Plugin, parsePrompt, type Skill } from '../../../server/index.ts';
import { createOrdersServer } from '../../fixtures/ordersServer.ts';
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

/*
 * Feature: Plugins
 * Scenario: the built-in plugin is the first, and an override registers its parts under its own version
 *   Requirement: spec/worker.md#72
 *   Given an instance with a plugin on disk of version 1.2.0 that is declared an override
 *   When it starts
 *   Then the first report is that of the built-in plugin: a system prompt, and nothing skipped
 *   And the second one is that of the plugin in its version: its system prompt, its prompt, its skill and its servers
 */
hostedTest(
  'the built-in plugin is the first, and an override registers its parts under its own version',
  async (host) => {
    await using instance = await openHosted(host, {
      config: { plugins: [{ path: join(FIXTURES, 'plugins/support-tools'), override: true }] },
    });
    const reports = reportsOf(instance.log);
    expect(reports.map(({ plugin, version }) => `${plugin} ${version}`)).toEqual([
      'flotilla undefined',
      'support-tools 1.2.0',
    ]);
    expect(reports[0]?.loaded).toEqual(['system_prompt system']);
    expect(reports[1]?.loaded).toEqual(
      expect.arrayContaining([
        'system_prompt system',
        'prompt participants',
        'skill summarize',
        'mcp_server orders',
        'mcp_server policy',
      ]),
    );
    expect(skippedOf(instance.log, 'flotilla')).toEqual([]);
  },
);

/*
 * Feature: Plugins
 * Scenario: a plugin that is built in code is loaded whole, and a server of the program's own process serves its skill
 *   Requirement: spec/worker.md#74
 *   Requirement: spec/worker.md#79
 *   Given a program whose plugin has a skill, a server in the same process, a hook, a prompt and a system prompt
 *   When the instance starts, and an agent loads the skill and calls "refund" of the plugin's server and of the skill's
 *   Then the report names each part, and nothing is skipped
 *   And the model is told the prompts and the body of the skill, and the hook has seen both calls
 *   And the text of the results is exact, marked as untrusted, and between the marks in the next request
 */
hostedTest(
  "a plugin that is built in code is loaded whole, and a server of the program's own process serves its skill",
  async (host) => {
    const served: string[] = [];
    const seen: string[] = [];
    const refund = (server: string) => ({
      toolCalls: [{ tool: `${server}.refund`, arguments: { order_id: 'a1' } }],
    });
    const model = new FakeModel([
      refund('desk/orders'),
      { toolCalls: [{ tool: 'load_skill', arguments: { name: 'summarize' } }] },
      refund('summarize.orders'),
      { text: 'Done.' },
    ]);
    const plugin: Plugin = {
      ...buildPlugin((call) => served.push(call)),
      hooks: [
        {
          name: 'audit',
          points: ['tool.invoked.post'],
          execute: (context) => {
            seen.push((context as unknown as { readonly tool: string }).tool);
            return undefined;
          },
        },
      ],
    };
    await using instance = await openHosted(host, { model, plugins: [plugin] });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'Done.');

    expect(reportsOf(instance.log).at(-1)).toMatchObject({
      plugin: 'desk',
      version: '1.2.0',
      loaded: [
        ...['system_prompt system', 'prompt participants', 'skill summarize', 'mcp_server orders'],
        'hook audit',
      ],
    });
    expect(skippedOf(instance.log, 'desk')).toEqual([]);
    expect(model.requests[0]?.instructions).toMatch(/You are of the desk\..*Address them by name\./s);
    const results = model.requests.at(-1)?.input.filter((entry) => entry.kind === 'toolResult') ?? [];
    const texts = results.map((entry) => ('text' in entry ? entry.text : ''));
    expect(texts[1]).toContain('Write one sentence.');
    expect(texts[0]).toMatch(
      /^<untrusted source="tool desk\/orders\.refund">\n.*\nOrder a1 is refunded\n<\/untrusted>$/,
    );
    expect(texts[2]).toMatch(
      /^<untrusted source="tool summarize\.orders\.refund">\n.*\nOrder a1 is refunded\n<\/untrusted>$/,
    );
    expect(served).toEqual(['refund a1', 'refund a1']);
    expect(seen).toEqual(expect.arrayContaining(['desk/orders.refund', 'summarize.orders.refund']));
    const { task } = await readGraphQL(
      instance.url,
      'query ($ref: ID!) { task(ref: $ref) { history(first: 100) { nodes { ... on HistoryToolResult { tool text } } } } }',
      KEY,
    );
    const exact = (
      task.history.nodes as readonly { readonly tool?: string; readonly text?: string }[]
    ).filter(({ tool }) => tool?.endsWith('.refund'));
    expect(exact.map(({ text }) => text)).toEqual(['Order a1 is refunded', 'Order a1 is refunded']);
  },
);

/** What a directory would bring, built in code. @param note is told each call of a tool. */
function buildPlugin(note: (call: string) => void): Plugin {
  const version = '1.2.0';
  const orders: McpServerDefinition = {
    name: 'orders',
    kind: 'inProcess',
    open() {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      void createOrdersServer(note).connect(theirs);
      return ours;
    },
  };
  const skill: Skill = {
    name: 'summarize',
    version,
    description: 'Sums up.',
    body: 'Write one sentence.',
    servers: [orders],
    resources: { scripts: [], references: [], assets: [] },
    readResource: async () => undefined,
  };
  const promptOf = (text: string, id: string) => {
    const read = parsePrompt(text, { id });
    if (!('value' in read)) throw new Error(`The prompt "${id}" cannot be read`);
    return { ...read.value, version };
  };
  return {
    name: 'desk',
    version,
    skills: [skill],
    servers: [orders],
    prompts: [promptOf('---\nextends: participants\n---\nAddress them by name.', 'participants')],
    systemPrompt: promptOf('## Role\nYou are of the desk.\n\n## Participants\nCustomers.', 'system'),
  };
}

interface LoggedReport {
  readonly msg: string;
  readonly plugin?: string;
  readonly version?: string;
  readonly loaded?: readonly string[];
  readonly part?: string;
}

function reportsOf(log: string): readonly LoggedReport[] {
  return linesOf(log).filter(({ msg }) => msg === 'A plugin is loaded');
}

/** Parts of the plugin that are not loaded. */
function skippedOf(log: string, name: string): readonly (string | undefined)[] {
  return linesOf(log).flatMap(({ msg, plugin, part }) =>
    msg === 'A part of a plugin is not loaded' && plugin === name ? [part] : [],
  );
}

function linesOf(log: string): readonly LoggedReport[] {
  return log.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as LoggedReport)));
}

/** As the files of a plugin write it. */
function variable(name: string): string {
  return ['$', '{', name, '}'].join('');
}
