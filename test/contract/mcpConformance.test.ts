/** `/mcp`, by the protocol's own conformance suite: what applies passes, what does not is listed with its reason. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeWorker } from '../server/support/FakeWorker.ts';
import { fakeManager } from '../server/support/fakeManager.ts';
import { serveFaces } from '../server/support/serveFaces.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const SUITE = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

test.each([
  ['worker', '2025-11-25'],
  ['worker', '2026-07-28'],
  ['manager', '2025-11-25'],
  ['manager', '2026-07-28'],
])('a %s does what revision %s requires', async (role, revision) => {
  const worker = fakeWorker();
  const manager = role === 'manager' ? fakeManager({ worker }) : undefined;
  await using served = await serveFaces({ worker, manager });
  using results = temporaryDirectory();
  const { code, output } = await run([
    ...['server', '--url', `${served.url}/mcp`, '--requirements', revision, '--output-dir', results.path],
    ...['--expected-failures', join(import.meta.dirname, 'mcp', `${revision}.yaml`)],
  ]);
  expect(output).toMatch(/✓ tools-list: [1-9]\d* passed, 0 failed/);
  expect(code, output).toBe(0);
  expect(served.errors).toEqual([]);
});

function run(args: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SUITE, ...args], { maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
}
