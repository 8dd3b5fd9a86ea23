/** Several ways of the same work, in turns, in one run, so that the machine's noise hits them alike. */
import { cpuMsOf } from './cpuMsOf.ts';

export interface Contender {
  readonly name: string;
  /** Does the work once. */
  readonly run: () => Promise<void>;
  /** The process whose CPU time is counted, if any. */
  readonly pid?: number;
}

export interface Measurement {
  readonly name: string;
  /** Wall time of one run, in milliseconds. */
  readonly medianMs: number;
  readonly p99Ms: number;
  /** Of each round: the median wall time, and the CPU time of the contender's process for one run, in milliseconds. */
  readonly roundMediansMs: readonly number[];
  /** Empty where the system does not tell. */
  readonly roundCpuMs: readonly number[];
}

export interface Rounds {
  readonly warmUp: number;
  readonly rounds: number;
  readonly runsPerRound: number;
}

/** The median of the rounds, and how far they went apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Each round begins with another contender, so that none always comes after the same one. */
export async function measure(
  contenders: readonly Contender[],
  { warmUp, rounds, runsPerRound }: Rounds,
): Promise<Measurement[]> {
  const series = contenders.map((contender) => ({
    contender,
    timesMs: [] as number[],
    mediansMs: [] as number[],
    cpuMs: [] as number[],
  }));
  for (const { run } of contenders) for (let index = 0; index < warmUp; index++) await run();
  for (let round = 0; round < rounds; round++) {
    const first = round % series.length;
    for (const { contender, timesMs, mediansMs, cpuMs } of [
      ...series.slice(first),
      ...series.slice(0, first),
    ]) {
      const before = cpuMsOf(contender.pid);
      const times = await timeRuns(contender, runsPerRound);
      const after = cpuMsOf(contender.pid);
      timesMs.push(...times);
      mediansMs.push(quantile(times, 0.5));
      if (before !== undefined && after !== undefined) cpuMs.push((after - before) / runsPerRound);
    }
  }
  return series.map(({ contender: { name }, timesMs, mediansMs, cpuMs }) => ({
    name,
    medianMs: quantile(timesMs, 0.5),
    p99Ms: quantile(timesMs, 0.99),
    roundMediansMs: mediansMs,
    roundCpuMs: cpuMs,
  }));
}

/** Two series that were taken in turns, round by round. */
export function ratio(of: readonly number[], to: readonly number[]): Spread {
  return spread(of.map((value, index) => value / (to[index] as number)));
}

export function spread(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), min: Math.min(...values), max: Math.max(...values) };
}

export function formatSpread({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
}

/** NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

async function timeRuns({ run }: Contender, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const startMs = performance.now();
    await run();
    times.push(performance.now() - startMs);
  }
  return times;
}
