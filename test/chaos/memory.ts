/** How much memory a process holds over time, and whether that grows without an end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The last third of a run may hold so many times what the first third held. A manager that has just started fills its
 * windows and its compiled code for a while, and each restart begins anew; what leaks at these rates grows far more.
 */
export const MAX_GROWTH = 1.6;

/** Resident memory in MiB; undefined when there is no such process. */
export async function residentMib(pid: number): Promise<number | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) / 1024;
  } catch {
    return undefined;
  }
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
