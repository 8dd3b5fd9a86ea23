import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { fetchTemporalCli } from '../../../../subgraph/engine/temporal/fetchTemporalCli.ts';
import { findTemporalCli } from '../../../../subgraph/engine/temporal/findTemporalCli.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

test('findTemporalCli() takes the named binary, and nothing in its place when that cannot be run', () => {
  using folder = temporaryDirectory();
  const named = executable(folder.path, 'mine');
  const onPath = executable(folder.path, 'temporal');
  expect(findTemporalCli({ TEMPORAL_CLI_PATH: named, PATH: folder.path })).toBe(named);
  chmodSync(named, 0o600);
  expect(findTemporalCli({ TEMPORAL_CLI_PATH: named, PATH: folder.path })).toBeUndefined();
  expect(findTemporalCli({ PATH: folder.path })).toBe(onPath);
});

test('findTemporalCli() looks through the whole path, past folders and files that cannot be run', () => {
  using folder = temporaryDirectory();
  const [first, second] = ['first', 'second'].map((name) => join(folder.path, name)) as [string, string];
  mkdirSync(join(first, 'temporal'), { recursive: true });
  mkdirSync(second);
  const found = executable(second, 'temporal');
  expect(findTemporalCli({ PATH: ['', first, second].join(delimiter) })).toBe(found);
  expect(findTemporalCli({ PATH: first })).toBeUndefined();
});

test('fetchTemporalCli() uses the binary that is there, and refuses one that others can write', async () => {
  using folder = temporaryDirectory();
  const directory = join(folder.path, 'cache');
  mkdirSync(directory, { mode: 0o700 });
  const cached = executable(directory, 'temporal-sdk-typescript');
  expect(await fetchTemporalCli(directory)).toBe(cached);
  chmodSync(cached, 0o777);
  await expect(fetchTemporalCli(directory)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  chmodSync(cached, 0o700);
  chmodSync(directory, 0o777);
  await expect(fetchTemporalCli(directory)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('fetchTemporalCli() that reaches nobody says what an operator can do', async () => {
  using folder = temporaryDirectory();
  const directory = join(folder.path, 'cache');
  const cause = new Error(
    'failed to download: error sending request for url (https://o.example/cli): no route',
  );
  const fetching = fetchTemporalCli(directory, () => Promise.reject(cause));
  await expect(fetching).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message:
      'Cannot start Temporal: there is no temporal binary, and none could be fetched (no route); one on the PATH, in TEMPORAL_CLI_PATH or in temporal.embedded.executable is expected',
    cause,
  });
  const nothing = fetchTemporalCli(directory, async () => {});
  await expect(nothing).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('(nothing that can be run has come)'),
  });
  const fetched = await fetchTemporalCli(directory, async (into) => void executable(into, 'temporal-new'));
  expect(fetched).toBe(join(directory, 'temporal-new'));
});

function executable(directory: string, name: string): string {
  const path = join(directory, name);
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o700 });
  return path;
}
