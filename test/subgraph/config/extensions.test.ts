/** `plugins`, `mcpServers`, `checkouts` and `critics` of the configuration. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../subgraph/config/ConfigError.ts';
import { loadConfig } from '../../../subgraph/config/loadConfig.ts';
import { configuredServers } from '../../../subgraph/plugins/configuredServers.ts';
import { configDirectory } from './configDirectory.ts';

test('plugins are paths or mappings; relative ones start at the directory of the file', () => {
  using directory = configDirectory('plugins:\n  - desk\n  - {path: /opt/other, override: true}\n');
  expect(loadConfig(directory.path, { env: {} }).config.plugins).toEqual([
    { path: join(directory.directory, 'desk'), override: false },
    { path: '/opt/other', override: true },
  ]);
});

test('roots of checkouts that are relative start at the directory of the file', () => {
  using directory = configDirectory('checkouts:\n  roots: [work, /srv/checkouts]\n');
  const { roots } = loadConfig(directory.path, { env: {} }).config.checkouts;
  expect(roots).toEqual([join(directory.directory, 'work'), '/srv/checkouts']);
});

test('two critics of one name are refused, and the second is named', () => {
  using directory = configDirectory('critics:\n  - {name: a, prompt: x}\n  - {name: a, prompt: y}\n');
  expect(() => loadConfig(directory.path, { env: {} })).toThrow(
    /:3:\d+ critics\[1\]\.name: expected a name that no entry before it has/,
  );
});

test('servers take their secrets from the environment, and start at the directory of the file', () => {
  using directory = configDirectory(
    [
      'mcpServers:',
      '  orders: {command: node, args: [server.js], env: {MODE: test}, secretsEnv: {TOKEN: SHOP_TOKEN}, cwd: shop}',
      '  policy: {url: "https://policy.example/mcp", headersEnv: {authorization: POLICY_TOKEN}}',
    ].join('\n'),
  );
  const env = { SHOP_TOKEN: 'a shop token', POLICY_TOKEN: 'Bearer of policy', OTHER: 'other' };
  const { config } = loadConfig(directory.path, { env });
  expect(configuredServers({ config, env })).toEqual([
    {
      name: 'orders',
      kind: 'stdio',
      command: 'node',
      args: ['server.js'],
      env: { MODE: 'test', TOKEN: 'a shop token' },
      cwd: join(directory.directory, 'shop'),
    },
    {
      name: 'policy',
      kind: 'http',
      url: 'https://policy.example/mcp',
      headers: { authorization: 'Bearer of policy' },
    },
  ]);
});

test.each([
  ['mcpServers: {a: {command: node, url: "https://x.example/"}}', 'mcpServers.a'],
  ['mcpServers: {a: {}}', 'mcpServers.a'],
  ['mcpServers: {a: {command: node, shell: true}}', 'mcpServers.a.shell'],
  ['mcpServers: {A: {command: node}}', 'mcpServers'],
  ['mcpServers: {a: {url: "ftp://x.example/"}}', 'mcpServers.a.url'],
  [
    'mcpServers: {a: {url: "https://x.example/", headersEnv: {authorization: "Bearer abc"}}}',
    'mcpServers.a.headersEnv',
  ],
  [
    'mcpServers: {a: {url: "https://x.example/", headersEnv: {authorization: UNSET}}}',
    'mcpServers.a.headersEnv',
  ],
  ['mcpServers: {a: {command: node, secretsEnv: {TOKEN: UNSET}}}', 'mcpServers.a.secretsEnv.TOKEN'],
  ['plugins: [{override: true}]', 'plugins[0]'],
  ['plugins: desk', 'plugins'],
])('%s is refused', (yaml, key) => {
  using directory = configDirectory(yaml);
  try {
    loadConfig(directory.path, { env: {} });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.findings.map((finding) => finding.key)).toEqual([expect.stringContaining(key)]);
    expect(JSON.stringify(error.findings)).not.toContain('Bearer abc');
  }
});
