/** The server that a process left behind when it was killed: two of them on one file would spoil it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';

/** How long the orphan may take to end, in milliseconds; then it is killed. */
const STOP_TIMEOUT_MS = 5_000;

const POLL_MS = 50;

/** Notes which process serves the file. Disposing forgets it. */
export function notePid(databasePath: string, pid: number): Disposable {
  writeFileSync(pidPath(databasePath), `${pid}\n`, { mode: 0o600 });
  return { [Symbol.dispose]: () => rmSync(pidPath(databasePath), { force: true }) };
}

/** Ends the noted process when it still serves the file. To be called only by who has the file locked. */
export async function endOrphan(databasePath: string, clock: Clock): Promise<void> {
  const pid = readPid(databasePath);
  if (pid === undefined || !serves(pid, databasePath)) return;
  const deadline = clock.monotonicMs() + STOP_TIMEOUT_MS;
  signalTo(pid, 'SIGTERM');
  while (serves(pid, databasePath)) {
    // The whole group: the noted process is the shell beside the server, which would outlive it.
    if (clock.monotonicMs() > deadline) signalTo(-pid, 'SIGKILL');
    await delay(clock, POLL_MS);
  }
}

/** One that has ended just now needs no signal. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function pidPath(databasePath: string): string {
  return `${databasePath}.pid`;
}

function readPid(databasePath: string): number | undefined {
  if (!existsSync(pidPath(databasePath))) return undefined;
  const pid = Number(readFileSync(pidPath(databasePath), 'utf8'));
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/** The number alone proves nothing: it may be another process's by now. */
function serves(pid: number, databasePath: string): boolean {
  const words = commandOf(pid);
  return words.includes('start-dev') && words.includes(databasePath);
}

function commandOf(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    // There is no such process.
    return '';
  }
}
