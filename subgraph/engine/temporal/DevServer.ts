/**
 * Temporal's own development server as a child of this process (spec/worker.md § 10.1): loopback only, without a web page,
 * its state in one file or in memory.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { Connection } from '@temporalio/client';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import { messageOf } from '../../../lib/messageOf.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import { SEARCH_ATTRIBUTES } from './protocol.ts';

/** How long the server may take until it answers, in milliseconds: it writes its schema first, to a disk that others may use. */
const START_TIMEOUT_MS = 60_000;

/** How long it may take to end by itself, in milliseconds; then it is killed. */
const STOP_TIMEOUT_MS = 5_000;

const POLL_MS = 50;

/** Starts on ports of our choice: one that was free may be somebody else's by the time the server takes it. */
const MAX_STARTS = 3;

/** What the server says of such a port, whether it is the one that it was given or one that it has looked for itself. */
const IS_TAKEN = /address already in use/i;

/** A literal: no setting widens it. */
const HOST = '127.0.0.1';

/** How much of what the server says is kept for the error of a start that fails, in characters. */
const MAX_TAIL = 4_000;

/** The mask is for the files that the server makes. */
const WATCH = `umask 077; exec 3<&0
"$0" "$@" </dev/null 3<&- & server=$!
trap 'kill -TERM "$server"' TERM INT
{ cat <&3 >/dev/null; kill -TERM "$server" 2>/dev/null; } &
exec 3<&-
while kill -0 "$server" 2>/dev/null; do wait "$server"; done`;

type WatchedProcess = ChildProcess & { stdin: Writable; stdout: Readable; stderr: Readable };

export interface DevServerOptions {
  /** Path of the `temporal` binary. */
  readonly executable: string;
  /** Absent: the state is in memory. */
  readonly databasePath?: string;
  /** @default a free one */
  readonly port?: number;
  readonly namespace: string;
  readonly clock: Clock;
}

export interface DevServer extends AsyncDisposable {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Of the process that lives as long as the server does. */
  readonly pid: number;
  /** Resolves when the process is gone, whoever ended it. */
  readonly ended: Promise<void>;
}

/**
 * Starts the server and waits until it answers. It ends with its owner: when it is disposed of, and at any end of this
 * process, a SIGKILL included. Where no port is given, one that is taken before the server has it costs another start.
 *
 * @throws {FlotillaError} UNAVAILABLE with what the server said last, when it does not start.
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  if (options.port !== undefined) return startOn(options.port, options);
  for (let starts = 1; ; starts += 1) {
    try {
      return await startOn(await findFreePort(), options);
    } catch (error) {
      if (starts === MAX_STARTS || !IS_TAKEN.test(messageOf(error))) throw error;
    }
  }
}

async function startOn(port: number, options: DevServerOptions): Promise<DevServer> {
  const { executable, databasePath, namespace, clock } = options;
  if (databasePath !== undefined) restrictToOwner(databasePath);
  const child = spawnWatched(executable, [
    ...['server', 'start-dev', '--headless', '--ip', HOST, '--port', String(port), '--namespace', namespace],
    ...['--log-level', 'error', '--log-format', 'json'],
    ...Object.values(SEARCH_ATTRIBUTES).flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
    ...(databasePath === undefined ? [] : ['--db-filename', databasePath]),
  ]);
  const ended = once(child, 'close').then(() => {});
  child.once('exit', () => child.stdin.destroy());
  const tail = keepTail(child.stderr, child.stdout);
  const address = `${HOST}:${port}`;
  const stop = (): Promise<void> => stopChild(child, ended, clock);
  try {
    await untilAnswers(address, { child, clock });
  } catch (error) {
    await stop();
    throw new FlotillaError(
      'UNAVAILABLE',
      `Cannot start Temporal: its server says "${tail() || messageOf(error)}", one that answers is expected`,
      { details: { reason: 'temporal.not_started' }, cause: error },
    );
  }
  if (databasePath !== undefined) restrictToOwner(databasePath);
  return { address, pid: child.pid ?? 0, ended, [Symbol.asyncDispose]: stop };
}

/**
 * In a process group of its own, so that a Ctrl+C in the terminal is for us alone and the server ends after us. A shell
 * beside it reads what we never write: the end of that is our end, of whatever kind, and it ends the server.
 */
function spawnWatched(executable: string, args: readonly string[]): WatchedProcess {
  return spawn('sh', ['-c', WATCH, executable, ...args], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
}

async function untilAnswers(
  address: string,
  { child, clock }: { readonly child: ChildProcess; readonly clock: Clock },
): Promise<void> {
  const failure = Promise.withResolvers<never>();
  child.once('error', failure.reject);
  child.once('exit', (code, signal) => failure.reject(new Error(`it ended with ${signal ?? code}`)));
  const deadline = clock.monotonicMs() + START_TIMEOUT_MS;
  for (;;) {
    try {
      const connection = await Promise.race([
        Connection.connect({ address, connectTimeout: 1_000 }),
        failure.promise,
      ]);
      await connection.close();
      return;
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) throw error;
      if (clock.monotonicMs() > deadline) throw error;
    }
    await delay(clock, POLL_MS);
  }
}

async function stopChild(child: WatchedProcess, ended: Promise<void>, clock: Clock): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  child.stdin.destroy();
  using _timer = clock.schedule(STOP_TIMEOUT_MS, () => process.kill(-pid, 'SIGKILL'));
  await ended;
}

/** The last of what was said; a stream that nobody reads would hold the server up. */
function keepTail(...streams: readonly Readable[]): () => string {
  let text = '';
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-MAX_TAIL);
    });
  }
  return () => text.trim();
}

function restrictToOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A listening socket has a port');
  return address.port;
}
