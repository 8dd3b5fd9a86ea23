/** Several ways of the same read under load, in turns: so many clients, each of which asks again as soon as it has its answer. */
import { processCpuMsOf } from '../support/cpuMsOf.ts';
import { quantile } from '../support/measure.ts';

export interface Service {
  readonly name: string;
  /** The process whose CPU time is counted, if any. */
  readonly pid?: number;
  /** Asks for the `turn`-th time, and tells whether the answer was whole. */
  readonly ask: (turn: number) => Promise<boolean>;
}

export interface Load {
  /** Clients that ask at the same time. */
  readonly concurrency: number;
  readonly rounds: number;
  /** Of each service in each round, and before the first one, in milliseconds. */
  readonly roundMs: number;
  readonly warmUpMs: number;
  /** The processes that all of them ask in the end. */
  readonly workers: readonly number[];
}

/** What one service did in one round. */
export interface LoadRound {
  readonly timesMs: readonly number[];
  readonly perSecond: number;
  readonly p99Ms: number;
  /** Of the service's process for one request, in milliseconds; NaN where the system does not tell. */
  readonly cpuMs: number;
  /** Of the workers together, likewise. */
  readonly workersCpuMs: number;
  /** Answers that were errors, or were not whole. */
  readonly failures: number;
}

/** The rounds of each service, in its order. Each round begins with another service. */
export async function measureLoad(
  services: readonly Service[],
  { rounds, warmUpMs, ...load }: Load,
): Promise<readonly (readonly LoadRound[])[]> {
  const results = services.map((): LoadRound[] => []);
  for (const service of services) await runRound(service, { ...load, roundMs: warmUpMs });
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < services.length; place += 1) {
      const index = (round + place) % services.length;
      results[index]?.push(await runRound(services[index] as Service, load));
    }
  }
  return results;
}

async function runRound(
  { ask, pid }: Service,
  { concurrency, roundMs, workers }: Omit<Load, 'rounds' | 'warmUpMs'>,
): Promise<LoadRound> {
  const timesMs: number[] = [];
  let failures = 0;
  let turn = 0;
  const cpuMs = cpuMsOfAll([pid]);
  const workersCpuMs = cpuMsOfAll(workers);
  const startMs = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - startMs < roundMs) {
      const askedMs = performance.now();
      const isWhole = await ask(turn++);
      timesMs.push(performance.now() - askedMs);
      if (!isWhole) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  const tookMs = performance.now() - startMs;
  return {
    timesMs,
    perSecond: (1000 * timesMs.length) / tookMs,
    p99Ms: quantile(timesMs, 0.99),
    cpuMs: (cpuMsOfAll([pid]) - cpuMs) / timesMs.length,
    workersCpuMs: (cpuMsOfAll(workers) - workersCpuMs) / timesMs.length,
    failures,
  };
}

function cpuMsOfAll(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => sum + (processCpuMsOf(pid) ?? Number.NaN), 0);
}
