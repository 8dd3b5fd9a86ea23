/** CPU time of a process: what work costs, however busy the machine is. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of Linux's clock of processes, on every machine that Node runs on. */
const MS_PER_TICK = 10;

/** User and system time of all threads of a process so far, in milliseconds; undefined where the system does not tell. Linux only. */
export function cpuMsOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    nanosecondsOf(`/proc/${pid}/task/${thread}`),
  );
  return threads.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
}

/** The same in steps of ten milliseconds, for processes whose threads come and go: those that have ended count. Linux only. */
export function processCpuMsOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined;
  // The name of the program, in parentheses, may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** 0 for a thread that has just ended: none of those that we measure does. */
function nanosecondsOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
