/** How long something takes on a machine that others use as well. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Of Linux's clock of processes, on every machine that Node runs on. */
const MS_PER_TICK = 10;

/**
 * Begins to measure the time that passes for a group of processes which begins now.
 *
 * @returns tells the milliseconds so far, less those that everybody else has had of the cores: on a machine of its own it is the time on
 * the wall. Where the system does not tell what others use (it is Linux that does), it is that everywhere.
 */
export function startShareWatch(): (processGroup: number) => number {
  const startedAt = performance.now();
  const busyBefore = busyMs();
  return (processGroup) => {
    const passedMs = performance.now() - startedAt;
    if (process.platform !== 'linux') return passedMs;
    const othersMs = Math.max(0, busyMs() - busyBefore - cpuMsOfGroup(processGroup));
    return passedMs - othersMs / cpus().length;
  };
}

function busyMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

/** What the processes of a group and their ended children have used, in milliseconds. */
function cpuMsOfGroup(processGroup: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.map(statOf).reduce((sum, fields) => {
    return fields[2] === processGroup
      ? sum + fields.slice(11, 15).reduce((a, b) => a + b, 0) * MS_PER_TICK
      : sum;
  }, 0);
}

/** The numbers behind the name of the program, which may hold blanks; none of a process that has gone. */
function statOf(pid: string): readonly number[] {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=\S \d)/);
    return fields.split(' ').map(Number);
  } catch {
    return [];
  }
}
