import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

test('an instance that does not want Temporal does not load it', { timeout: 60_000 }, async () => {
  const script = `
    const { createRequire } = await import('node:module');
    await import(${JSON.stringify(join(ROOT, 'server/index.ts'))});
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(JSON.stringify([loaded.length > 0, loaded.filter((path) => path.includes('@temporalio'))]));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
  });
  expect(JSON.parse(stdout)).toEqual([true, []]);
});
