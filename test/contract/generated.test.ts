/** What `npm run generate` derives is in the repository as it derives it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '@graphql-codegen/cli';
import { expect, test } from 'vitest';
import codegen from '../../codegen.ts';
import { generatedFiles } from '../../schema/generate.ts';

const ROOT = join(import.meta.dirname, '../..');

test.each([...generatedFiles()])('%s is what schema/generate.ts derives', (path, text) => {
  expect(textOf(path)).toBe(text);
});

test('the types are what graphql-codegen derives', async () => {
  const outputs: { filename: string; content: string }[] = await generate(
    { ...codegen, cwd: ROOT, silent: true, errorsOnly: true },
    false,
  );
  const differing = outputs.filter(({ filename, content }) => textOf(filename)?.trim() !== content.trim());
  expect(outputs.length).toBeGreaterThanOrEqual(Object.keys(codegen.generates).length);
  expect(differing.map(({ filename }) => filename)).toEqual([]);
});

function textOf(path: string): string | undefined {
  const absolute = join(ROOT, path);
  return existsSync(absolute) ? readFileSync(absolute, 'utf8') : undefined;
}
