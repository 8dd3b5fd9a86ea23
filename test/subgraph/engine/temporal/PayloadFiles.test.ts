import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Payload, StorageDriver } from '@temporalio/common';
import { StorageDriverClaim } from '@temporalio/common';
import { expect, test } from 'vitest';
import {
  createPayloadFiles,
  listPayloadOwners,
  removePayloads,
} from '../../../../subgraph/engine/temporal/PayloadFiles.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

const TARGET = { target: { kind: 'workflow', namespace: 'default', id: 'flotilla-task-1' } } as const;

test('a payload comes back as it was, also of bytes that are no text', async () => {
  using folder = temporaryDirectory();
  const driver = driverOf(folder.path);
  const payloads = [payload([0, 255, 128]), payload([1])];
  const claims = await driver.store(TARGET, payloads);
  expect(await driver.retrieve({}, claims)).toMatchObject(
    payloads.map(({ data }) => ({ data: Buffer.from(data ?? []) })),
  );
});

test('the same payload is stored once, for its owner only, in the folder of its workflow', async () => {
  using folder = temporaryDirectory();
  const driver = driverOf(folder.path);
  const [first] = await driver.store(TARGET, [payload([1, 2])]);
  expect((await driver.store(TARGET, [payload([1, 2])]))[0]).toEqual(first);
  const directory = join(folder.path, 'flotilla-task-1');
  const files = readdirSync(directory);
  expect(files).toHaveLength(1);
  expect(statSync(join(directory, files[0] ?? '')).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('what a workflow has stored is listed, and goes at once', async () => {
  using folder = temporaryDirectory();
  expect(await listPayloadOwners(join(folder.path, 'missing'))).toEqual([]);
  const driver = driverOf(folder.path);
  const claims = await driver.store(TARGET, [payload([1])]);
  expect(await listPayloadOwners(folder.path)).toEqual(['flotilla-task-1']);
  await removePayloads(folder.path, 'flotilla-task-1');
  expect(await listPayloadOwners(folder.path)).toEqual([]);
  await expect(driver.retrieve({}, claims)).rejects.toThrow('ENOENT');
});

test.each([
  ['leads out of the directory', { folder: '..', sha256: 'a'.repeat(64) }],
  ['names another file', { folder: 'flotilla-task-1', sha256: '../../owner.db' }],
])('a claim that %s is refused', async (_, claimData) => {
  using folder = temporaryDirectory();
  const claim = new StorageDriverClaim(claimData);
  await expect(driverOf(folder.path).retrieve({}, [claim])).rejects.toThrow('not one of ours');
});

function driverOf(directory: string): StorageDriver {
  const [driver] = createPayloadFiles(directory).drivers;
  if (!driver) throw new Error('There is one driver');
  return driver;
}

function payload(bytes: readonly number[]): Payload {
  return { metadata: { encoding: new TextEncoder().encode('binary/plain') }, data: Uint8Array.from(bytes) };
}
