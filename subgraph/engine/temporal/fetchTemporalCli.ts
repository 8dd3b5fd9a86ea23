/** The `temporal` binary that Temporal's own SDK downloads, once, into a directory that nobody else can write. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Runtime } from '@temporalio/worker';
import { messageOf } from '../../../lib/messageOf.ts';
import { badUserInput, FlotillaError } from '../../../schema/errors.ts';
import { makeDirectory } from '../embedded/makeDirectory.ts';
import { isExecutable } from './findTemporalCli.ts';

/** A binary that is there is never fetched again. */
const TTL_MS = 10 * 365 * 24 * 3_600_000;

const OTHERS_MAY_WRITE = 0o022;

/**
 * Path of the binary.
 *
 * @throws {FlotillaError} BAD_USER_INPUT when the directory or the binary in it belongs to somebody else or can be written by
 * others; UNAVAILABLE when it cannot be fetched, with what to do about it.
 *
 * @param fetch puts the binary into the directory. @default Temporal's SDK does
 */
export async function fetchTemporalCli(
  directory: string,
  fetch: (directory: string) => Promise<void> = fetchBySdk,
): Promise<string> {
  makeDirectory(directory);
  assertPrivate(directory);
  const cached = findBinary(directory);
  if (cached !== undefined) {
    assertPrivate(cached);
    return cached;
  }
  try {
    await fetch(directory);
  } catch (error) {
    throw notFetched(whatFailed(error), error);
  }
  const fetched = findBinary(directory);
  if (fetched === undefined) throw notFetched('nothing that can be run has come');
  return fetched;
}

/** The SDK fetches only what it starts at once: a server in memory, which is stopped again. */
async function fetchBySdk(directory: string): Promise<void> {
  const runtime = Runtime.instance();
  const server = await runtime.createEphemeralServer({
    type: 'dev-server',
    exe: {
      type: 'cached-download',
      downloadDir: directory,
      version: 'default',
      ttl: TTL_MS,
      sdkName: 'sdk-typescript',
      sdkVersion: 'flotilla',
    },
    namespace: 'default',
    ip: '127.0.0.1',
    port: null,
    uiPort: null,
    dbFilename: null,
    ui: false,
    log: { format: 'json', level: 'error' },
    extraArgs: [],
  });
  await runtime.shutdownEphemeralServer(server);
}

function notFetched(reason: string, cause?: unknown): FlotillaError {
  return new FlotillaError(
    'UNAVAILABLE',
    `Cannot start Temporal: there is no temporal binary, and none could be fetched (${reason}); one on the PATH, in TEMPORAL_CLI_PATH or in temporal.embedded.executable is expected`,
    { details: { reason: 'temporal.not_fetched' }, cause },
  );
}

/** The SDK tells one failure several times over, each time with the address in brackets; the last one says what it was. */
function whatFailed(error: unknown): string {
  return messageOf(error).split('): ').at(-1) ?? '';
}

function findBinary(directory: string): string | undefined {
  return readdirSync(directory)
    .filter((name) => name.startsWith('temporal'))
    .map((name) => join(directory, name))
    .find(isExecutable);
}

function assertPrivate(path: string): void {
  if (process.getuid === undefined) return;
  const { uid, mode } = statSync(path);
  if (uid === process.getuid() && (mode & OTHERS_MAY_WRITE) === 0) return;
  throw badUserInput(
    `Cannot use "${path}" for the temporal binary: somebody else can write it, a file or directory that is its owner's alone is expected`,
  );
}
