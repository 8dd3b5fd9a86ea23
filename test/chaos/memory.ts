/** How much memory a process holds over time, and whether that grows without an end. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The exit code of `ps`. */
const NO_SUCH_PROCESS = '1';

/**
 * The last third of a run may hold so many times what the first third held. A manager that has just started fills its
 * windows and its compiled code for a while, and each restart begins anew; what leaks at these rates grows far more.
 */
export const MAX_GROWTH = 1.6;

/**
 * Resident memory in MiB; undefined when there is no such process.
 *
 * @throws {Error} when the system does not tell: a run whose memory nobody has seen must not pass.
 */
export function residentMib(pid: number): Promise<number | undefined> {
  return process.platform === 'linux' ? readStatus(pid) : askPs(pid);
}

/** A process that has ended, and that nobody has taken note of, has no memory. */
async function readStatus(pid: number): Promise<number | undefined> {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

async function askPs(pid: number): Promise<number | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) / 1024;
  } catch (error) {
    if (codeOf(error) === NO_SUCH_PROCESS) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Median of the last third of the samples, over that of the first; undefined with fewer than six. */
export function growth(samples: readonly number[]): number | undefined {
  const third = Math.floor(samples.length / 3);
  if (third < 2) return undefined;
  return median(samples.slice(-third)) / median(samples.slice(0, third));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
