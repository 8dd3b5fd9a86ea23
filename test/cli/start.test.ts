import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { CliProcess } from '../support/CliProcess.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Makes the end of an instance fail, as a disk does that goes away. */
const FAILING_CLOSE = `
import { DatabaseSync } from 'node:sqlite';
const { close } = DatabaseSync.prototype;
DatabaseSync.prototype.close = function () {
  close.call(this);
  throw new Error('The disk is gone');
};
`;

test('an instance that was told to restart comes back although its end has failed', async () => {
  using directory = temporaryDirectory();
  const config = join(directory.path, 'flotilla.yaml');
  const preload = join(directory.path, 'failing-close.mjs');
  writeFileSync(config, 'instance: { name: alpha }\nservice: { port: 0 }\n');
  writeFileSync(preload, FAILING_CLOSE);
  await using cli = new CliProcess(['start', '--config', config, '--json'], {
    env: { NODE_OPTIONS: `--import ${pathToFileURL(preload)}` },
  });
  const { url } = JSON.parse(await cli.line((line) => line.includes('"url"'))) as { url: string };
  await cli.line((line) => line === '{"ready":true}');

  const answer = await fetch(`${url}/api/v1/restart`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(answer.status).toBe(200);

  await cli.until((lines) => lines.filter((line) => line === '{"ready":true}').length === 2);
  expect((await fetch(`${url}/health/ready`)).status).toBe(200);
}, 60_000);
