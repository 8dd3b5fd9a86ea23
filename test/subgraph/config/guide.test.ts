/** docs/guides/configuration.md says what is so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../subgraph/config/loadConfig.ts';
import { configDirectory } from './configDirectory.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/guides/configuration.md'), 'utf8');
const ENV = { OPENAI_API_KEY: 'x', LAB_TOKEN: 'x', FLOTILLA_TOKEN: 'x', FLOTILLA_NEXT_TOKEN: 'x' };

function snippets(language: string): string[] {
  return [...GUIDE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, text = '']) => text,
  );
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
