/**
 * Large payloads, in files of the state directory instead of Temporal's histories (a payload may have 2 MB there).
 *
 * One folder per workflow, one file per content, so that a payload that is stored again is there already and that all of
 * a task's go together. A file is complete and on the disk before anybody gets a claim on it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  ExternalStorage,
  type Payload,
  type StorageDriver,
  StorageDriverClaim,
  type StorageDriverTargetInfo,
} from '@temporalio/common';
// Its names are not seen by Node: the package is CommonJS of a kind that Node cannot look into.
import proto from '@temporalio/proto';

const { Payload: PayloadCodec } = proto.temporal.api.common.v1;

/** Larger payloads go to files, in bytes. Not fewer: a task whose history refers to files cannot go on without them. */
const PAYLOAD_THRESHOLD = 262_144;

/** What belongs to no workflow. */
const SHARED = 'shared';

/** The names of the driver are in the histories: they never change. */
const NAME = 'flotilla-files';

/** @param directory is made when it is missing, for its owner only. */
export function createPayloadFiles(directory: string): ExternalStorage {
  return new ExternalStorage({
    drivers: [createDriver(directory)],
    payloadSizeThreshold: PAYLOAD_THRESHOLD,
  });
}

/** Removes what a task has stored; to be called when its histories are not read any more. */
export async function removePayloads(directory: string, workflowId: string): Promise<void> {
  await rm(join(directory, toFolder(workflowId)), { recursive: true, force: true });
}

/** Ids of the workflows that have stored payloads. */
export async function listPayloadOwners(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.filter((name) => name !== SHARED);
}

function createDriver(directory: string): StorageDriver {
  return {
    name: NAME,
    type: 'flotilla.files',
    async store({ target }, payloads) {
      const folder = toFolder(workflowOf(target));
      await mkdir(join(directory, folder), { recursive: true, mode: 0o700 });
      return Promise.all(
        payloads.map(async (payload) => {
          const bytes = PayloadCodec.encode(payload).finish();
          const sha256 = createHash('sha256').update(bytes).digest('hex');
          await write(join(directory, folder, sha256), bytes);
          return new StorageDriverClaim({ folder, sha256 });
        }),
      );
    },
    retrieve: (_context, claims) =>
      Promise.all(
        claims.map(async ({ claimData }): Promise<Payload> => {
          const { folder = '', sha256 = '' } = claimData;
          if (toFolder(folder) !== folder || !/^[0-9a-f]{64}$/.test(sha256)) {
            throw new Error('Cannot read payload: its claim is not one of ours');
          }
          return PayloadCodec.decode(await readFile(join(directory, folder, sha256)));
        }),
      ),
  };
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  if (await exists(path)) return;
  const temporary = `${path}.${randomUUID()}`;
  await using file = await open(temporary, 'wx', 0o600);
  await file.writeFile(bytes);
  await file.sync();
  await rename(temporary, path);
  // The name must be on the disk too.
  await using folder = await open(dirname(path));
  await folder.sync();
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function workflowOf(target: StorageDriverTargetInfo | undefined): string {
  return target?.kind === 'workflow' ? (target.id ?? SHARED) : SHARED;
}

/** Ids of ours are safe names of folders; of others only what is safe is kept. */
function toFolder(workflowId: string): string {
  return workflowId.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_') || SHARED;
}
