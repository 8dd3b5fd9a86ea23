/** CPU time of a process: what work costs, however busy the machine is. */
import { readdirSync, readFileSync } from 'node:fs';

/** User and system time of all threads of a process so far, in milliseconds; undefined where the system does not tell. Linux only. */
export function cpuMsOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    nanosecondsOf(`/proc/${pid}/task/${thread}`),
  );
  return threads.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

/** 0 for a thread that has just ended: none of those that we measure does. */
function nanosecondsOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
