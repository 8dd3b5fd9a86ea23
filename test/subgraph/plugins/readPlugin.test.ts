import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLUGIN_SCHEMA_ID } from '../../../subgraph/plugins/parseManifest.ts';
import { MCP_SCHEMA_ID } from '../../../subgraph/plugins/parseMcpConfig.ts';
import { readPlugin } from '../../../subgraph/plugins/readPlugin.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { writePlugin } from '../../support/writePlugin.ts';

/** The variables as they are written in a file. */
const [ROOT, DATA] = ['PLUGIN_ROOT', 'PLUGIN_DATA'].map((name) => `\${${name}}`);

const MANIFEST = { $schema: PLUGIN_SCHEMA_ID, name: 'desk' };

test.each<[string, unknown, string]>([
  ['is not there', undefined, 'there is no such file'],
  ['is no JSON', '{', 'it is no JSON'],
  ['has another schema', { ...MANIFEST, $schema: 'https://example.com/plugin' }, '$schema'],
  ['has no name', { $schema: PLUGIN_SCHEMA_ID }, 'name'],
  ['has a name with capitals', { ...MANIFEST, name: 'Desk' }, 'name'],
  ['has a name with two hyphens', { ...MANIFEST, name: 'a--b' }, 'name'],
  ['has a name with two dots', { ...MANIFEST, name: 'a..b' }, 'name'],
  ['has a name that ends in a sign', { ...MANIFEST, name: 'desk-' }, 'name'],
  ['has a name of 65 characters', { ...MANIFEST, name: 'a'.repeat(65) }, 'name'],
  ['has keywords that are no list', { ...MANIFEST, keywords: 'a' }, 'keywords'],
  ['has an unknown fact of its author', { ...MANIFEST, author: { phone: '1' } }, 'author'],
])('a plugin whose manifest %s is not loaded', async (_title, manifest, problem) => {
  using plugin = openPlugin({ 'plugin.json': manifest });
  await expect(plugin.read()).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    details: { reason: 'plugin.invalid' },
    message: expect.stringContaining(problem),
  });
});

test.each([['a'], ['a.b-c.1'], ['a'.repeat(64)]])('the name %s is one', async (name) => {
  using plugin = openPlugin({ 'plugin.json': { ...MANIFEST, name } });
  expect((await plugin.read()).plugin.name).toBe(name);
});

test('extensions that are no object are noted and ignored', async () => {
  using plugin = openPlugin({ 'plugin.json': { ...MANIFEST, extensions: [1] } });
  expect((await plugin.read()).notes).toEqual(['plugin.json: "extensions" is no object and ignored']);
});

test.each([
  ['no JSON', '{'],
  ['of another schema', { $schema: 'https://example.com', mcpServers: {} }],
  ['with an unknown key', { $schema: MCP_SCHEMA_ID, mcpServers: {}, more: 1 }],
])('an mcp.json that is %s costs the servers and nothing else', async (_title, config) => {
  using plugin = openPlugin({ 'plugin.json': MANIFEST, 'mcp.json': config });
  const { plugin: read, notes } = await plugin.read();
  expect(read.servers).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/^mcp\.json: .* no MCP server of the plugin is used$/)]);
});

const TOO_LARGE = 'x'.repeat(1024 * 1024 + 1);

test.each([
  ['prompts/rules.md', 'prompt', 'rules'],
  ['systemprompt.md', 'system_prompt', 'system'],
])('a %s of more than 1 MiB costs itself and nothing else', async (file, kind, id) => {
  using plugin = openPlugin({
    'plugin.json': MANIFEST,
    [`dev.flotilla/${file}`]: TOO_LARGE,
    'dev.flotilla/prompts/tools.md': 'Be brief.',
  });
  const { plugin: read, skipped } = await plugin.read();
  expect(read.prompts).toMatchObject([{ id: 'tools' }]);
  expect(skipped).toEqual([
    { kind, id, code: 'plugin.component_skipped', reason: 'it has more than 1048576 bytes' },
  ]);
});

test('an mcp.json of more than 1 MiB costs the servers, a hooks.json of that size the plugin', async () => {
  using servers = openPlugin({ 'plugin.json': MANIFEST, 'mcp.json': TOO_LARGE });
  expect((await servers.read()).notes).toEqual([expect.stringContaining('more than 1048576 bytes')]);
  using hooks = openPlugin({ 'plugin.json': MANIFEST, 'dev.flotilla/hooks.json': TOO_LARGE });
  await expect(hooks.read()).rejects.toMatchObject({ details: { reason: 'plugin.invalid' } });
});

test.each<[string, Record<string, unknown>, string]>([
  ['a variable in the command', { command: `${ROOT}/run` }, 'plugin.invalid'],
  ['a command elsewhere', { command: '../run' }, 'plugin.component_skipped'],
  ['a command by its absolute path', { command: '/bin/sh' }, 'plugin.component_skipped'],
  ['a command behind a link that leads out', { command: './out/run' }, 'plugin.component_skipped'],
  ['a directory elsewhere', { command: 'node', cwd: './../..' }, 'plugin.component_skipped'],
  ['a directory above the data', { command: 'node', cwd: `${DATA}/../x` }, 'plugin.component_skipped'],
  ['an absolute directory', { command: 'node', cwd: '/tmp' }, 'plugin.component_skipped'],
  ['a directory behind a link', { command: 'node', cwd: './out' }, 'plugin.component_skipped'],
  ['no command', {}, 'plugin.component_skipped'],
  ['an unknown key', { command: 'node', shell: true }, 'plugin.component_skipped'],
])('a stdio server with %s is skipped', async (_title, server, code) => {
  using plugin = openPlugin({
    'plugin.json': MANIFEST,
    'mcp.json': { $schema: MCP_SCHEMA_ID, mcpServers: { s: { type: 'stdio', ...server } } },
  });
  symlinkSync('/', join(plugin.root, 'out'));
  const { plugin: read, skipped } = await plugin.read();
  expect(read.servers).toEqual([]);
  expect(skipped).toMatchObject([{ kind: 'mcp_server', id: 's', code }]);
});

test('a command and a directory below the plugin are found there', async () => {
  using plugin = openPlugin({
    'plugin.json': MANIFEST,
    'bin/run': '',
    'mcp.json': {
      $schema: MCP_SCHEMA_ID,
      mcpServers: {
        a: { type: 'stdio', command: './bin/run', cwd: './bin' },
        b: { type: 'stdio', command: 'node', cwd: `${ROOT}/bin` },
        c: { type: 'stdio', command: 'node', cwd: `${DATA}/x` },
      },
    },
  });
  expect((await plugin.read()).plugin.servers).toMatchObject([
    { command: join(plugin.root, 'bin/run'), cwd: join(plugin.root, 'bin') },
    { command: 'node', cwd: join(plugin.root, 'bin') },
    { command: 'node', cwd: join(plugin.data, 'desk/x') },
  ]);
});

test.each([
  ['ftp://shop.example/mcp'],
  ['http://shop.example/mcp'],
  ['https://me@shop.example/mcp'],
  ['https://shop.example/mcp#x'],
  ['mcp'],
])('a server at %s is skipped', async (url) => {
  using plugin = openPlugin({
    'plugin.json': MANIFEST,
    'mcp.json': { $schema: MCP_SCHEMA_ID, mcpServers: { s: { type: 'streamable-http', url } } },
  });
  expect((await plugin.read()).skipped).toMatchObject([{ id: 's', code: 'plugin.component_skipped' }]);
});

test.each<[string, Record<string, unknown>]>([
  ['no executor', { name: 'h' }],
  ['two executors', { name: 'h', url: 'http://127.0.0.1:9/', mcp: 's' }],
  ['a URL that is none', { name: 'h', url: 'file:///etc' }],
  ['an unknown key', { name: 'h', mcp: 's', when: 'now' }],
  ['an export that is not there', { name: 'h', import_path: 'code.mjs#gone' }],
  ['an export that is no function', { name: 'h', import_path: 'code.mjs#text' }],
  ['a module that is not there', { name: 'h', import_path: 'gone.mjs#x' }],
  ['a module that throws', { name: 'h', import_path: 'throws.mjs#x' }],
  ['a path without an export', { name: 'h', import_path: 'code.mjs' }],
  ['a path that leads out', { name: 'h', import_path: '../code.mjs#f' }],
])('a hook or a command with %s is skipped', async (_title, entry) => {
  using plugin = openPlugin({
    'plugin.json': MANIFEST,
    'code.mjs': "export const text = 'x'; export function f() {}",
    'throws.mjs': "throw new Error('broken')",
    'dev.flotilla/hooks.json': { hooks: [entry, { name: 'good', import_path: 'code.mjs#f' }] },
    'dev.flotilla/commands.json': { commands: [{ ...entry, description: 'H.' }] },
  });
  const { plugin: read, skipped } = await plugin.read();
  expect(read.hooks?.map(({ name }) => name)).toEqual(['good']);
  expect(read.commands).toEqual([]);
  expect(skipped).toMatchObject([
    { kind: 'hook', id: 'h', code: 'plugin.component_skipped' },
    { kind: 'command', id: 'h', code: 'plugin.component_skipped' },
  ]);
});

test.each([['dev.flotilla/hooks.json'], ['dev.flotilla/commands.json']])(
  'a plugin whose %s is no list of entries is not loaded: a policy is never silently missing',
  async (file) => {
    for (const content of ['{', [], { rules: [] }]) {
      using plugin = openPlugin({ 'plugin.json': MANIFEST, [file]: content });
      await expect(plugin.read()).rejects.toMatchObject({ details: { reason: 'plugin.invalid' } });
    }
  },
);

test('the directories of other clients are not looked at', async () => {
  using plugin = openPlugin({ 'plugin.json': MANIFEST, 'com.example/hooks.json': '{' });
  expect((await plugin.read()).plugin.hooks).toEqual([]);
});

function openPlugin(files: Readonly<Record<string, unknown>>) {
  const directory = temporaryDirectory();
  const root = writePlugin(join(directory.path, 'plugin'), files);
  const data = join(directory.path, 'data');
  return {
    root,
    data,
    read: () => readPlugin(root, { dataRoot: data }),
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}
