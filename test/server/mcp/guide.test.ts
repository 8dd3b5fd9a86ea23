/** docs/guides/mcp.md says what is so. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildTools } from '../../../server/mcp/buildTools.ts';
import { TOOLS } from '../../../server/mcp/TOOLS.ts';
import { readContract } from '../../../server/rest/readContract.ts';
import { loadConfig } from '../../../subgraph/index.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/mcp.md'), 'utf8');

test('the table has every tool, its route and its arguments', () => {
  const contract = readContract();
  const expected = buildTools(contract, TOOLS).map(({ name, operationId, inputSchema }) => {
    const { method, path } = contract.operations.find((known) => known.operationId === operationId)!;
    const args = Object.keys(inputSchema.properties).map((argument) =>
      inputSchema.required.includes(argument) ? `**${argument}**` : argument,
    );
    return [`\`${name}\``, `\`${method} ${path.replace('/api/v1', '')}\``, args.join(', ')];
  });
  const rows = GUIDE.split('\n').filter((line) => line.startsWith('| `'));
  expect(
    rows.map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    ),
  ).toEqual(expected);
});

test('the configuration of the guide is read without a warning', () => {
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(GUIDE) ?? [];
  using directory = temporaryDirectory();
  const path = join(directory.path, 'flotilla.yaml');
  writeFileSync(path, text);
  const { config, warnings } = loadConfig(path, { env: { FLEET_AUTHORIZATION: 'x' } });
  expect(warnings).toEqual([]);
  expect(config.mcpServers).toHaveProperty('fleet');
});

test('the JSON of the guide is JSON', () => {
  const snippets = [...GUIDE.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
  expect(snippets).toHaveLength(2);
  for (const text of snippets) expect(() => JSON.parse(text), text).not.toThrow();
});
