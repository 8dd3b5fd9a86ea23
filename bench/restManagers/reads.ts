/** List read and keyed read over the REST contract: through both managers, and of the workers themselves. */
import { Pool } from 'undici';
import type { BenchResult } from '../support/BenchResult.ts';
import { formatSpread, type Measurement, quantile, ratio, spread } from '../support/measure.ts';
import { type Load, type LoadRound, measureLoad, type Service } from './measureLoad.ts';
import { type FleetSize, type PythonFleet, refOf } from './pythonFleet.ts';

/** Of each work item of the fleet in an answer there is one. */
const ROW_MARK = '"requestedAt"';

export interface ReadTargets {
  /** How many times the throughput of the service's own manager. */
  readonly leastSpeed: number;
  /** Which part of its 99th percentile. @default not judged */
  readonly mostP99?: number;
}

/** Targets are judged where they are given; the figures are told in any case. */
export interface ReadLoad extends Omit<Load, 'workers'> {
  readonly list?: ReadTargets;
  readonly keyed?: ReadTargets;
}

/** One result for each load and kind of read. */
export async function measureReads(
  fleet: PythonFleet,
  size: FleetSize,
  loads: readonly ReadLoad[],
): Promise<BenchResult[]> {
  await using resources = new AsyncDisposableStack();
  const most = Math.max(...loads.map(({ concurrency }) => concurrency));
  const readOf = (url: string): Read => createRead(resources, url, most);
  const managers = [
    { name: 'Flotilla', pid: fleet.flotilla.pid, read: readOf(fleet.flotilla.url) },
    { name: 'the Python manager', pid: fleet.python.pid, read: readOf(fleet.python.url) },
  ];
  const workers = fleet.workers.map(({ url }) => readOf(url));

  const list = '/api/v1/work-items';
  const lists: Service[] = [
    ...managers.map(({ read, ...manager }) => ({
      ...manager,
      ask: () => read(list, size.members * size.rows),
    })),
    {
      name: 'all workers at once',
      ask: async () => (await Promise.all(workers.map((read) => read(list, size.rows)))).every(Boolean),
    },
  ];
  const placeOf = (turn: number) => ({
    member: turn % size.members,
    row: Math.floor(turn / size.members) % size.rows,
  });
  const keyed = (turn: number): string => {
    const { member, row } = placeOf(turn);
    return `${list}/one?ref=${encodeURIComponent(refOf(member, row))}`;
  };
  const keys: Service[] = [
    ...managers.map(({ read, ...manager }) => ({
      ...manager,
      ask: (turn: number) => read(keyed(turn), 1),
    })),
    {
      name: 'the holder itself',
      ask: async (turn) => workers[placeOf(turn).member]?.(keyed(turn), 1) ?? false,
    },
  ];

  const results: BenchResult[] = [];
  const shape = `${size.members} × ${size.rows} work items`;
  const pids = fleet.workers.map(({ pid }) => pid);
  for (const { list: listTargets, keyed: keyedTargets, ...rest } of loads) {
    const load = { ...rest, workers: pids };
    results.push(await judgeReads(`List read of ${shape}`, lists, { ...load, targets: listTargets }));
    results.push(await judgeReads(`Keyed read, ${shape}`, keys, { ...load, targets: keyedTargets }));
  }
  return results;
}

/** Asks for a path, and tells whether there is an answer, with so many rows. */
type Read = (path: string, rows: number) => Promise<boolean>;

function createRead(resources: AsyncDisposableStack, url: string, connections: number): Read {
  const pool = new Pool(url, { connections });
  resources.defer(() => pool.destroy());
  return async (path, rows) => {
    try {
      const response = await pool.request({ path, method: 'GET', headers: { accept: 'application/json' } });
      const answer = await response.body.text();
      return response.statusCode === 200 && answer.split(ROW_MARK).length - 1 === rows;
    } catch {
      // Whatever breaks a connection is a failure of whoever was asked.
      return false;
    }
  };
}

/** @param services ours, the peer, and what bounds both. */
async function judgeReads(
  what: string,
  services: readonly Service[],
  { targets, ...load }: Load & { readonly targets: ReadTargets | undefined },
): Promise<BenchResult> {
  const measured = await measureLoad(services, load);
  const [flotilla, python, bound] = measured as [Rounds, Rounds, Rounds];
  const speeds = (rounds: Rounds): number[] => rounds.map(({ perSecond }) => perSecond);
  const p99s = (rounds: Rounds): number[] => rounds.map(({ p99Ms }) => p99Ms);
  const cpus = (rounds: Rounds): number[] => rounds.map(({ cpuMs }) => cpuMs);
  const speed = ratio(speeds(flotilla), speeds(python));
  const p99 = ratio(p99s(flotilla), p99s(python));
  const failures = (rounds: Rounds): number => rounds.reduce((sum, round) => sum + round.failures, 0);
  const facts: Record<string, string> = {};
  for (const [index, { name }] of services.entries()) {
    const rounds = measured[index] as Rounds;
    const workers = spread(rounds.map(({ workersCpuMs }) => workersCpuMs));
    facts[`reads per second, ${name}`] =
      `${formatSpread(spread(speeds(rounds)))}; CPU of the workers for one ${formatSpread(workers)} ms`;
  }
  const missed = [
    failures(flotilla) > 0 && `${failures(flotilla)} answers of Flotilla were errors or lacked rows`,
    targets &&
      speed.median < targets.leastSpeed &&
      `${speed.median.toFixed(2)} times the reads per second, ${targets.leastSpeed} are expected`,
    targets?.mostP99 !== undefined &&
      p99.median > targets.mostP99 &&
      `${p99.median.toFixed(2)} of its p99, at most ${targets.mostP99} is expected`,
  ].filter((text) => typeof text === 'string');
  return {
    title: `${what} of the Python service, ${load.concurrency} at a time`,
    measurements: services.map(({ name }, index) => toMeasurement(name, measured[index] as Rounds)),
    facts: {
      ...facts,
      "Flotilla's throughput to the Python manager's": formatSpread(speed),
      "Flotilla's p99 to the Python manager's": formatSpread(p99),
      "Flotilla's CPU to the Python manager's": formatSpread(ratio(cpus(flotilla), cpus(python))),
      "the workers' own throughput to the Python manager's": formatSpread(
        ratio(speeds(bound), speeds(python)),
      ),
      ...(failures(python) > 0 && {
        'FAILED at the Python manager': `${failures(python)} answers were errors or lacked rows`,
      }),
    },
    ...(missed.length > 0 && { missed: missed.join('; ') }),
  };
}

type Rounds = readonly LoadRound[];

function toMeasurement(name: string, rounds: Rounds): Measurement {
  const all = rounds.flatMap(({ timesMs }) => timesMs);
  return {
    name,
    medianMs: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    roundMediansMs: rounds.map(({ timesMs }) => quantile(timesMs, 0.5)),
    roundCpuMs: rounds.map(({ cpuMs }) => cpuMs).filter((cpuMs) => !Number.isNaN(cpuMs)),
  };
}
