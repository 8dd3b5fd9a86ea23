/** The snippets of docs/guides/client.md, run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../client/index.ts';
import { RunningInstance } from '../support/RunningInstance.ts';

const ROOT = join(import.meta.dirname, '../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guides/client.md'), 'utf8');
const SNIPPETS = [...GUIDE.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);

afterEach(() => vi.restoreAllMocks());

test('the snippets do what the page says', async () => {
  await using alpha = await RunningInstance.start('instance: { name: alpha }');
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  const lines = () => printed.mock.calls.map((words) => words.join(' '));
  const [calls = '', errors = '', stream = ''] = SNIPPETS;
  expect(SNIPPETS).toHaveLength(3);

  await run(alpha, calls);
  expect(lines()).toEqual(['alpha is live', '0 work items, without those of nobody']);
  printed.mockClear();

  await run(alpha, errors);
  expect(lines()[0]).toBe('NOT_FOUND 404');
  printed.mockClear();

  let count = 0;
  const registration = { harness: 'flotilla', harnessSessionId: '' };
  const client = createClient({ url: alpha.url });
  const running = run(alpha, stream);
  await vi.waitFor(
    async () => {
      count += 1;
      await client.registerSession({ ref: `github:o/r#${count}`, ...registration });
      expect(lines().join('\n')).toContain('task.created');
    },
    { timeout: 15_000, interval: 100 },
  );
  await running;
});

/** Runs a snippet of the page as a module, on the instance. */
async function run({ directory, url }: RunningInstance, snippet: string): Promise<void> {
  const path = join(directory, `snippet-${SNIPPETS.indexOf(snippet)}.ts`);
  const door = pathToFileURL(join(ROOT, 'client/index.ts')).href;
  const code = snippet.replace("'flotilla/client'", `'${door}'`).replace('http://127.0.0.1:4114', url);
  expect(code).toContain(door);
  writeFileSync(path, code);
  await import(pathToFileURL(path).href);
}
