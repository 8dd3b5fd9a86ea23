/** The guides say what is so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../subgraph/config/loadConfig.ts';
import { configDirectory } from './configDirectory.ts';

const GUIDES = ['configuration.md', 'security.md', 'plugins.md', 'checkouts.md'].map((name) =>
  readFileSync(join(import.meta.dirname, '../../../docs/guides', name), 'utf8'),
);
const ENV = {
  OPENAI_API_KEY: 'x',
  LAB_TOKEN: 'x',
  FLOTILLA_TOKEN: 'x',
  FLOTILLA_NEXT_TOKEN: 'x',
  ORDERS_SHOP_TOKEN: 'x',
  POLICY_AUTHORIZATION: 'x',
};

function snippets(language: string): string[] {
  const pattern = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs');
  return GUIDES.flatMap((guide) => [...guide.matchAll(pattern)].map(([, text = '']) => text));
}

test.each(snippets('yaml'))('a snippet of the guide starts without a warning: %j', (text) => {
  using file = configDirectory(text);
  expect(loadConfig(file.path, { env: ENV }).warnings).toEqual([]);
});

test('the guide shows a refusal as it is', () => {
  using file = configDirectory('service:\n  prot: 4114\nlog:\n  # how much\n  level: loud\n');
  const [shown = ''] = snippets('text');
  expect(() => loadConfig(file.path, { env: {} })).toThrow(
    shown.trim().replaceAll('flotilla.yaml', file.path),
  );
});
