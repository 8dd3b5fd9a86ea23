import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../lib/redact.ts';
import { createCommandRegistry } from '../../../subgraph/commands/CommandRegistry.ts';
import { createHookRunner, type HookDefinition } from '../../../subgraph/hooks/createHookRunner.ts';
import { createBuiltinPlugin } from '../../../subgraph/plugins/createBuiltinPlugin.ts';
import { createCatalog } from '../../../subgraph/plugins/createCatalog.ts';
import type { Plugin } from '../../../subgraph/plugins/Plugin.ts';
import { type PluginReading, readPlugin } from '../../../subgraph/plugins/readPlugin.ts';
import { type Prompt, renderSystemPrompt } from '../../../subgraph/prompts/Prompt.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const SUPPORT_TOOLS = join(import.meta.dirname, '../../fixtures/plugins/support-tools');

describe('the built-in plugin', () => {
  test('comes first and brings the default system prompt with its six sections', () => {
    const { catalog } = openCatalog();
    expect(catalog.add(createBuiltinPlugin())).toEqual({
      plugin: 'flotilla',
      loaded: [{ kind: 'system_prompt', id: 'system' }],
      skipped: [],
      notes: [],
    });
    expect([...catalog.systemPrompt()!.sections.keys()]).toEqual([
      'role',
      'task',
      'participants',
      'tools',
      'skills',
      'rules',
    ]);
  });

  test('is replaced where a later plugin is declared an override', async () => {
    const { catalog } = openCatalog();
    catalog.add(createBuiltinPlugin());
    const { plugin } = await readSupportTools();
    catalog.add(plugin, { override: true });
    expect(renderSystemPrompt(catalog.systemPrompt()!, catalog.prompts())).toBe(
      [
        'You work at a support desk.',
        "## Role\nYou are the desk's first contact.",
        '## Participants\nCustomers and colleagues.\n\nCustomers are always addressed by name.',
        '## Rules\nBe brief.',
      ].join('\n\n'),
    );
    expect(catalog.skills.find('summarize', '1.2.0')?.description).toBe('Sums up what a customer wants.');
    expect(catalog.servers().map(({ name }) => name)).toEqual([
      'support-tools/orders',
      'support-tools/policy',
    ]);
  });
});

describe('a plugin from a directory', () => {
  test('loads what it can and tells what it skips', async () => {
    const { catalog, commands } = openCatalog();
    const { plugin, skipped, notes } = await readSupportTools();
    const report = catalog.add(plugin);
    expect(report.loaded).toEqual([
      { kind: 'system_prompt', id: 'system' },
      { kind: 'prompt', id: 'participants' },
      { kind: 'skill', id: 'summarize' },
      { kind: 'mcp_server', id: 'orders' },
      { kind: 'mcp_server', id: 'policy' },
      { kind: 'hook', id: 'policy-rpc' },
      { kind: 'hook', id: 'audit' },
      { kind: 'command', id: 'ping' },
      { kind: 'command', id: 'bad' },
      { kind: 'command', id: 'half' },
      { kind: 'command', id: 'fork' },
    ]);
    expect(skipped).toMatchObject([
      { kind: 'skill', id: 'Broken', code: 'skill.invalid' },
      { kind: 'mcp_server', id: 'legacy', reason: 'servers of type sse are not supported' },
      { kind: 'hook', id: 'nowhere', reason: 'there is no hook point "lunch.served.pre"' },
      { kind: 'command', id: 'outside', reason: 'import_path leads out of the plugin' },
    ]);
    expect(report.skipped).toMatchObject([
      { kind: 'prompt', id: 'lost', code: 'prompt.invalid' },
      { kind: 'command', id: 'status', code: 'entity.conflict' },
    ]);
    expect(notes).toEqual(['plugin.json: the unknown key "color" is ignored']);
    expect(commands.get('status')?.executor.kind).toBe('builtin');
    expect(commands.get('ping')?.executor.kind).toBe('plugin');
  });

  test('has its variables expanded in arguments, environment and directory only', async () => {
    using data = temporaryDirectory();
    const { plugin } = await readPlugin(SUPPORT_TOOLS, { dataRoot: data.path });
    const own = join(data.path, 'support-tools');
    expect(plugin.servers?.[0]).toEqual({
      name: 'orders',
      kind: 'stdio',
      command: 'node',
      args: [`${SUPPORT_TOOLS}/../../ordersServer.ts`, own],
      env: { ORDERS_LOG: `${own}/calls`, PLUGIN_ROOT: SUPPORT_TOOLS, PLUGIN_DATA: own },
      cwd: own,
    });
  });

  test('has its hooks at their points, by priority', async () => {
    const { catalog } = openCatalog();
    catalog.add((await readSupportTools()).plugin);
    const asked: string[] = [];
    const chain = catalog.hooks().map(
      (hook): HookDefinition => ({
        ...hook,
        execute: (_context, { point }) => {
          asked.push(`${point} ${hook.name}`);
          return undefined;
        },
      }),
    );
    const hooks = createHookRunner(chain, { clock: new FakeClock(), redact: createRedactor() });
    const request = { model: 'd', instructions: '', input: [], tools: [] };
    const signal = new AbortController().signal;
    await hooks.run('llm.invoked', 'pre', { attempt: 1, request }, { signal });
    expect(asked).toEqual([
      'llm.invoked.pre support-tools/audit',
      'llm.invoked.pre support-tools/policy-rpc',
    ]);
    expect(hooks.has('plan.created', 'in')).toBe(true);
    expect(hooks.has('llm.invoked', 'post')).toBe(false);
  });

  test('has the highest version of a prompt and a skill, and notes the others', () => {
    const { catalog } = openCatalog();
    const prompt = (version: string): Prompt => ({ id: 'tone', version, sections: new Map() });
    const pluginOf = (version: string): Plugin => ({ name: 'desk', prompts: [prompt(version)] });
    expect(catalog.add(pluginOf('1.1.0')).notes).toEqual([]);
    expect(catalog.add(pluginOf('1.10.0')).notes).toEqual(['tone 1.1.0 is not used: 1.10.0 is there']);
    expect(catalog.add(pluginOf('1.2.0')).notes).toEqual(['tone 1.2.0 is not used: 1.10.0 is there']);
    expect(catalog.add(pluginOf('1.10.0'), { override: true }).notes).toEqual([]);
  });

  test('loaded again is skipped, and replaces where it is declared an override', async () => {
    const { catalog } = openCatalog();
    const first = await readSupportTools();
    const again = await readSupportTools();
    catalog.add(first.plugin);
    const second = catalog.add(again.plugin);
    expect(second.loaded).toEqual([]);
    expect(second.skipped.map(({ id, code }) => `${id} ${code}`)).toEqual([
      'system entity.conflict',
      'lost prompt.invalid',
      'participants entity.conflict',
      'summarize entity.conflict',
      'orders entity.conflict',
      'policy entity.conflict',
      'policy-rpc entity.conflict',
      'audit entity.conflict',
      'ping entity.conflict',
      'bad entity.conflict',
      'half entity.conflict',
      'fork entity.conflict',
      'status entity.conflict',
    ]);
    expect(catalog.skills.find('summarize')).toBe(first.plugin.skills?.[0]);
    const third = catalog.add(again.plugin, { override: true });
    expect(third.skipped.map(({ id }) => id)).toEqual(['lost']);
    expect(catalog.skills.find('summarize')).toBe(again.plugin.skills?.[0]);
    expect(catalog.hooks()).toHaveLength(2);
  });
});

test('a plugin built in code loads the same, and another version of it stands beside it', async () => {
  const { plugin } = await readSupportTools();
  const { skills, servers, hooks, commands, prompts, systemPrompt } = plugin;
  const built: Plugin = {
    name: 'support-tools',
    version: '1.2.0',
    skills,
    servers,
    hooks,
    prompts: prompts?.filter(({ id }) => id === 'participants'),
    commands: commands?.filter(({ name }) => name !== 'status'),
    systemPrompt,
  };
  const { catalog } = openCatalog();
  const report = catalog.add(built);
  expect(report.skipped).toEqual([]);
  expect(report.loaded.map(({ id }) => id)).toEqual([
    ...['system', 'participants', 'summarize', 'orders', 'policy', 'policy-rpc', 'audit'],
    ...['ping', 'bad', 'half', 'fork'],
  ]);
  const newer = { ...skills![0]!, version: '1.10.0', description: 'Newer.' };
  expect(catalog.add({ name: 'other', skills: [newer] }).skipped).toEqual([]);
  expect(catalog.skills.find('summarize')).toBe(newer);
  expect(catalog.skills.find('summarize', '1.2.0')).toBe(skills![0]);
  expect(catalog.skills.find('summarize', '2.0.0')).toBeUndefined();
});

test('a hook or a command of a server that the plugin does not have is skipped', () => {
  const { catalog } = openCatalog();
  const report = catalog.add({
    name: 'p',
    hooks: [{ name: 'h', mcp: 'gone' }],
    commands: [{ name: 'c', description: 'C.', usage: '/c', mcp: 'gone' }],
  });
  expect(report.loaded).toEqual([]);
  expect(report.skipped).toMatchObject([
    { kind: 'hook', id: 'h', code: 'plugin.component_skipped' },
    { kind: 'command', id: 'c', code: 'plugin.component_skipped' },
  ]);
});

function openCatalog() {
  const commands = createCommandRegistry();
  const callServer = () => () => Promise.reject(new Error('no server is asked here'));
  return { commands, catalog: createCatalog({ commands, callServer }) };
}

async function readSupportTools(): Promise<PluginReading> {
  using data = temporaryDirectory();
  return await readPlugin(SUPPORT_TOOLS, { dataRoot: data.path });
}
