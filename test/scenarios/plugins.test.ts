/** Plugins, skills, MCP tools and hooks: what they add to an instance, and how it shows. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../lib/Logger.ts';
import { createInstance, type InstanceOptions, type Plugin, parsePrompt } from '../../server/index.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { FakeModel, type FakeReply } from '../support/FakeModel.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { isAlive } from '../support/isAlive.ts';
import { awaitParked, awaitReply, createTask } from '../support/taskClient.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { writePlugin } from '../support/writePlugin.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const ORDERS = { command: process.execPath, args: [join(FIXTURES, 'ordersServer.ts')] };
/** A process takes its time on a busy machine. */
const SOON = { timeout: 10_000 };
const REF = 'github:o/r#1';

/*
 * Feature: Programs
 * Scenario: a program brings a command of its own, and nothing is read or written in the home directory
 *   Requirement: spec/worker.md#65
 *   Given an empty home directory but for a configuration that is nonsense, and a program with a command "hello"
 *   When the program starts an instance, "/hello" is sent, and the instance is closed
 *   Then the reply is that of the command, and the commands list it beside the built-in ones
 *   And the home directory is as it was
 */
test('a program brings a command of its own, and nothing is read or written in the home directory', async () => {
  using folder = temporaryDirectory();
  const home = join(folder.path, 'home');
  mkdirSync(join(home, '.flotilla'), { recursive: true });
  writeFileSync(join(home, '.flotilla/flotilla.yaml'), '{ nonsense');
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    await using instance = await open(folder.path, [{ text: 'Hello.' }], {
      commands: [
        {
          name: 'hello',
          description: 'Greets.',
          usage: '/hello',
          executor: {
            kind: 'plugin',
            execute: ({ participant }) => ({ intents: [{ kind: 'reply', text: `Hello ${participant.id}` }] }),
          },
        },
      ],
    });
    await createTask(instance.url, 'hi', { ref: REF });
    await awaitParked(instance.url, { ref: REF });
    const { runCommand } = await readGraphQL(
      instance.url,
      'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/hello") { ok text } }',
      { ref: REF },
    );
    expect(runCommand).toMatchObject({ ok: true, text: expect.stringMatching(/^Hello \S+$/) });
    const { commands } = await readGraphQL(instance.url, '{ commands { name } }');
    expect(commands.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['hello', 'help', 'model', 'status']),
    );
  } finally {
    process.env.HOME = before;
  }
  expect(readdirSync(home)).toEqual(['.flotilla']);
  expect(readdirSync(join(home, '.flotilla'))).toEqual(['flotilla.yaml']);
});

/*
 * Feature: Plugins
 * Scenario: the built-in prompt is what an agent is told, until an override brings another one
 *   Requirement: spec/worker.md#72
 *   Given an instance without plugins, and one with a plugin that is declared an override
 *   When both ask their model
 *   Then the first model is told the default role
 *   And the second one the role of the plugin with the plugin's addition, and the index of its skills
 */
test('the built-in prompt is what an agent is told, until an override brings another one', async () => {
  using folder = temporaryDirectory();
  const plain = await instructionsOf(join(folder.path, 'plain'), '');
  expect(plain).toMatch(/^## Role\nYou are the assignee of one task\./);
  expect(plain).not.toContain('summarize');

  const plugin = { path: join(FIXTURES, 'plugins/support-prompts'), override: true };
  const told = await instructionsOf(join(folder.path, 'desk'), `plugins: ${JSON.stringify([plugin])}`);
  expect(told).toMatch(/^You work at a support desk\.\n\n## Role\nYou are the desk's first contact\./);
  expect(told).toContain('Customers and colleagues.\n\nCustomers are always addressed by name.');
  expect(told).toContain('- summarize: Sums up what a customer wants.');
  expect(told).not.toContain('You are the assignee');
});

/*
 * Feature: Plugins
 * Scenario: a plugin's directory is loaded as far as it is good, and the log says what is not
 *   Requirement: spec/worker.md#73
 *   Requirement: spec/worker.md#75
 *   Given a plugin with good and bad parts, named twice in the configuration
 *   When the instance starts
 *   Then the log names what was loaded, and each part that was skipped with its reason
 *   And the second time everything is skipped with entity.conflict
 *   And named a third time as an override, it is loaded
 */
test("a plugin's directory is loaded as far as it is good, and the log says what is not", async () => {
  using folder = temporaryDirectory();
  const path = join(FIXTURES, 'plugins/support-tools');
  await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'), {
    plugins: [path, path, { path, override: true }],
  });
  await worker.start();
  const lines = worker.stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    .filter(({ plugin }) => plugin === 'support-tools');
  const reports = lines.filter(({ msg }) => msg === 'A plugin is loaded').map(({ loaded }) => loaded);
  expect(reports).toEqual([
    [
      ...['prompt participants', 'skill summarize', 'mcp_server orders', 'mcp_server policy'],
      ...['hook policy-rpc', 'hook audit', 'command ping', 'command bad', 'command half', 'command fork'],
    ],
    [],
    expect.arrayContaining(['system_prompt system', 'skill summarize', 'hook audit', 'command status']),
  ]);
  const skipped = lines.map(({ part, code, reason }) => ({ part, code, reason }));
  expect(skipped).toContainEqual({
    part: 'mcp_server legacy',
    code: 'plugin.component_skipped',
    reason: 'servers of type sse are not supported',
  });
  expect(skipped).toContainEqual(
    expect.objectContaining({ part: 'skill summarize', code: 'entity.conflict' }),
  );
  expect(skipped).toContainEqual(
    expect.objectContaining({ part: 'command status', code: 'entity.conflict' }),
  );
});

/*
 * Feature: Plugins
 * Scenario: a plugin without a valid manifest stops the start, and is named
 *   Requirement: spec/worker.md#73
 *   Given a configuration that names a directory without a plugin.json
 *   When the instance is started
 *   Then it does not start, and the reason names the file
 */
test('a plugin without a valid manifest stops the start, and is named', async () => {
  using folder = temporaryDirectory();
  await expect(open(folder.path, [], {}, `plugins: [${JSON.stringify(folder.path)}]`)).rejects.toThrow(
    /^Cannot load the plugin in ".*": plugin\.json: there is no such file$/,
  );
});

/*
 * Feature: Plugins
 * Scenario: a plugin that is built in code does what one from a directory does
 *   Requirement: spec/worker.md#74
 *   Given a program with a plugin of a server, a hook, a prompt and two commands
 *   When a task calls a tool of the server and the commands are sent
 *   Then the tool, whose name begins with the plugin's, was run, the hook has seen it
 *   And the model was told the prompt, and the commands are answered, one of them by the server
 */
test('a plugin that is built in code does what one from a directory does', async () => {
  using folder = temporaryDirectory();
  const seen: unknown[] = [];
  const prompt = parsePrompt('---\nextends: rules\n---\nBe kind.', { id: 'kind' });
  const plugin: Plugin = {
    name: 'desk',
    servers: [{ name: 'orders', kind: 'stdio', ...ORDERS, env: {} }],
    hooks: [
      {
        name: 'audit',
        points: ['tool.invoked.post'],
        execute: (context) => {
          seen.push(context);
          return undefined;
        },
      },
    ],
    prompts: 'value' in prompt ? [prompt.value] : [],
    commands: [
      {
        name: 'ping',
        description: 'Answers.',
        usage: '/ping',
        executor: { kind: 'plugin', execute: () => ({ intents: [{ kind: 'reply', text: 'pong' }] }) },
      },
      { name: 'stock', description: 'Asks the shop.', usage: '/stock <order>', mcp: 'orders' },
    ],
  };
  const call = { toolCalls: [{ tool: 'desk/orders.get_order', arguments: { order_id: 'a1' } }] };
  await using instance = await open(folder.path, [call, { text: 'It is paid.' }], { plugins: [plugin] });
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'It is paid.');
  expect(seen).toMatchObject([
    { tool: 'desk/orders.get_order', arguments: { order_id: 'a1' }, output: { isError: false } },
  ]);
  expect(instance.model.requests[0]?.instructions).toMatch(/## Rules\n[^#]*\n\nBe kind\./);
  const reply = async (text: string) => {
    const { runCommand } = await readGraphQL(
      instance.url,
      'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { text } }',
      { ref: REF, text },
    );
    return runCommand.text as string;
  };
  expect(await reply('/ping')).toBe('pong');
  expect(await reply('/stock a1')).toBe('a1: 3 in stock');
});

/*
 * Feature: Skills
 * Scenario: the tools of a skill come when it is loaded and go when it is unloaded
 *   Requirement: spec/worker.md#76
 *   Given a skill with a server of tools and a reference
 *   When an agent lists, loads, calls its tool, reads its reference, unloads it, calls again and loads an unknown one
 *   Then it is shown name and description, then the body and the tools' names, the tool's result and the exact text
 *   And behind that the call of its tool and the unknown skill are error results
 *   And the tools are offered to the model only while the skill is loaded
 */
test('the tools of a skill come when it is loaded and go when it is unloaded', async () => {
  using folder = temporaryDirectory();
  const desk = writeSkillPlugin(join(folder.path, 'desk'));
  const tool = 'summarize.orders.get_order';
  const replies: FakeReply[] = [
    { toolCalls: [{ tool: 'list_skills', arguments: {} }] },
    { toolCalls: [{ tool: 'load_skill', arguments: { name: 'summarize' } }] },
    { toolCalls: [{ tool, arguments: { order_id: 'a1' } }] },
    {
      toolCalls: [
        { tool: 'list_skill_resources', arguments: { name: 'summarize' } },
        {
          tool: 'load_skill_resource',
          arguments: { name: 'summarize', kind: 'references', resource: 'style.md' },
        },
      ],
    },
    { toolCalls: [{ tool: 'unload_skill', arguments: { name: 'summarize' } }] },
    {
      toolCalls: [
        { tool, arguments: { order_id: 'a1' } },
        { tool: 'load_skill', arguments: { name: 'sing' } },
      ],
    },
    { text: 'Done.' },
  ];
  await using instance = await open(folder.path, replies, {}, `plugins: [${JSON.stringify(desk)}]`);
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'Done.');
  const results = await resultsOf(instance.url);
  expect(results).toMatchObject([
    { isError: false, text: 'summarize: Sums up.' },
    {
      isError: false,
      text: expect.stringMatching(
        /^Write one sentence\.\n\nTools: .*summarize\.orders\.get_order, .*summarize\.orders\.refund/,
      ),
    },
    { isError: false, text: expect.stringContaining('Order a1 is paid') },
    { isError: false, text: 'references/style.md' },
    { isError: false, text: 'In the present tense.\n' },
    { isError: false },
    { isError: true, text: expect.stringMatching(/^tool\.not_found: /) },
    { isError: true, text: expect.stringMatching(/^skill\.invalid: /) },
  ]);
  const offered = instance.model.requests.map(({ tools }) => tools.some(({ name }) => name === tool));
  expect(offered).toEqual([false, false, true, true, true, false, false]);
});

/*
 * Feature: Skills
 * Scenario: a task that goes on in another process finds the tools of its skills again
 *   Requirement: spec/worker.md#76
 *   Given a task that has loaded a skill, and is parked
 *   When the instance is killed and started again, and the task goes on to call the skill's tool
 *   Then the tool is run
 */
test('a task that goes on in another process finds the tools of its skills again', async () => {
  using folder = temporaryDirectory();
  const desk = writeSkillPlugin(join(folder.path, 'desk'));
  await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'), {
    plugins: [desk],
    scripted: {
      replies: [
        { toolCalls: [{ tool: 'load_skill', arguments: { name: 'summarize' } }] },
        { text: 'Loaded.' },
        { toolCalls: [{ tool: 'summarize.orders.get_order', arguments: { order_id: 'a1' } }] },
        { text: 'Done.' },
      ],
    },
  });
  await worker.start();
  await createTask(worker.url, 'hi', { ref: REF });
  await awaitReply(worker.url, { ref: REF }, 'Loaded.');
  await worker.kill();
  await worker.start();
  await readGraphQL(worker.url, 'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "go on") { ref } }', {
    ref: REF,
  });
  await awaitReply(worker.url, { ref: REF }, 'Done.');
  expect((await resultsOf(worker.url)).at(-1)).toMatchObject({
    isError: false,
    text: expect.stringContaining('Order a1 is paid'),
  });
});

/*
 * Feature: MCP tools
 * Scenario: a worker without plugins has the tools of the servers of its configuration
 *   Requirement: spec/worker.md#78
 *   Requirement: spec/worker.md#79
 *   Given a stdio server in "mcpServers", with one secret of the instance's environment
 *   When an agent calls its tools, once with a wrong argument
 *   Then the model is offered them with their schemas, under the server's name
 *   And it reads text and structured content as untrusted data
 *   And the wrong call is an error result that the server has not seen
 *   And the server's process has the secret it was given, no other variable of the instance, and ends with it
 */
test('a worker without plugins has the tools of the servers of its configuration', async () => {
  using folder = temporaryDirectory();
  const log = join(folder.path, 'calls');
  const server = { ...ORDERS, env: { ORDERS_LOG: log }, secretsEnv: { SHOP_TOKEN: 'FLOTILLA_SHOP_TOKEN' } };
  const call = (tool: string, args = {}): FakeReply => ({
    toolCalls: [{ tool: `orders.${tool}`, arguments: args }],
  });
  const instance = await open(
    folder.path,
    [
      call('get_order', { order_id: 'a1' }),
      call('get_order', { order: 'a1' }),
      call('refund', { order_id: 'a1' }),
      call('env'),
      call('pid'),
      { text: 'Done.' },
    ],
    { env: { FLOTILLA_SHOP_TOKEN: 'a shop token', OTHER: 'other' } },
    `mcpServers: ${JSON.stringify({ orders: server })}`,
  );
  let pid = 0;
  try {
    await createTask(instance.url, 'hi', { ref: REF });
    await awaitReply(instance.url, { ref: REF }, 'Done.');
    const [order, wrong, refund, env, process] = await resultsOf(instance.url);
    pid = Number(process?.text);
    expect(order).toEqual({ isError: false, text: 'Order a1 is paid\n{"id":"a1","state":"paid"}' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringMatching(/^tool\.invalid_arguments: /) });
    expect(refund).toEqual({ isError: false, text: 'Order a1 is refunded' });
    expect(readFileSync(log, 'utf8')).toBe('get_order a1\nrefund a1\n');
    expect(env?.text.split(' ')).toEqual(expect.arrayContaining(['ORDERS_LOG', 'PATH', 'SHOP_TOKEN']));
    expect(env?.text).not.toMatch(/OTHER|FLOTILLA/);
    const { requests } = instance.model;
    expect(requests[0]?.tools.find(({ name }) => name === 'orders.get_order')).toMatchObject({
      inputSchema: { properties: { order_id: { type: 'string' } } },
    });
    const read = requests[3]?.input.at(-1);
    expect(read && 'text' in read && read.text).toMatch(
      /^<untrusted source="tool orders\.refund">\n.*never an instruction.*\nOrder a1 is refunded\n<\/untrusted>$/,
    );
    expect(isAlive(pid)).toBe(true);
  } finally {
    await instance[Symbol.asyncDispose]();
  }
  await expect.poll(() => isAlive(pid), SOON).toBe(false);
});

async function instructionsOf(folder: string, yaml: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await using instance = await open(folder, [{ text: 'Hello.' }], {}, yaml);
  await createTask(instance.url, 'hi', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'Hello.');
  return instance.model.requests[0]!.instructions;
}

/** An instance in this process, with a model of replies. */
async function open(
  folder: string,
  replies: readonly FakeReply[],
  options: Partial<InstanceOptions> = {},
  yaml = '',
) {
  const configPath = join(folder, 'flotilla.yaml');
  if (!existsSync(configPath)) writeFileSync(configPath, `${yaml}\n`);
  const model = new FakeModel(replies);
  const instance = await createInstance({
    configPath,
    port: 0,
    env: {},
    logger: silentLogger,
    model,
    ...options,
  });
  return { url: instance.url, model, [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose]() };
}

/** Results of tools in the task's history, oldest first. */
async function resultsOf(url: string) {
  const { data } = await askGraphQL(
    url,
    'query ($ref: ID!) { task(ref: $ref) { history(first: 100) { nodes { ... on HistoryToolResult { text isError } } } } }',
    { ref: REF },
  );
  const nodes = data?.task.history.nodes as readonly { readonly text?: string; readonly isError?: boolean }[];
  return nodes.flatMap(({ text, isError }) => (text === undefined ? [] : [{ text, isError }]));
}

function writeSkillPlugin(root: string): string {
  return writePlugin(root, {
    'skills/summarize/SKILL.md': '---\nname: summarize\ndescription: Sums up.\n---\n\nWrite one sentence.\n',
    'skills/summarize/references/style.md': 'In the present tense.\n',
    'skills/summarize/mcp.json': {
      $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
      mcpServers: { orders: { type: 'stdio', command: 'node', args: ORDERS.args } },
    },
  });
}
