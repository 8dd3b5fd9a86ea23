/**
 * Fan-in of the workers' event streams: what of so many events a second the subscribers of each manager get, and when. What no manager
 * can better is measured in the same rounds: how old an event is when a subscriber has it from the worker itself.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchResult } from '../support/BenchResult.ts';
import { processCpuMsOf } from '../support/cpuMsOf.ts';
import { formatSpread, type Measurement, quantile, ratio, spread } from '../support/measure.ts';
import type { PythonFleet } from './pythonFleet.ts';
import { StreamReader } from './StreamReader.ts';
import { writeEvents, writeOne } from './writeEvents.ts';

/** As many as both managers take by default. */
const SUBSCRIBERS = 8;
/** A manager that has told of nothing for so long has told of all that it will, in milliseconds: a worker looks twice a second. */
const QUIET_MS = 2_500;
/** How often it is looked whether something came, in milliseconds. */
const LOOK_MS = 100;
/** Longest wait until a manager tells of every worker, in milliseconds. */
const WAKE_MS = 60_000;

export interface StreamLoad {
  /** Events a second of each worker; one measurement for each. */
  readonly rates: readonly number[];
  /** Of each manager at each rate. */
  readonly seconds: number;
  readonly rounds: number;
  /** How many times the frames a second of the service's own manager, each at the rate that suits it best. Judged when it is there. */
  readonly leastFrames?: number;
}

/** Whoever has streams, and what each subscriber reads. */
interface Source {
  /** One for each subscriber. */
  readonly urls: readonly string[];
  /** Of how many workers a subscriber is told. */
  readonly voices: number;
  /** The process whose CPU time is counted, if any. */
  readonly pid?: number;
}

/** What one source did in one round at one rate. */
interface StreamRound {
  /** Of all that the subscribers are to have the part that they had. */
  readonly share: number;
  /** Frames that all subscribers together had in a second. */
  readonly perSecond: number;
  readonly lagsMs: readonly number[];
  /** Of the source's process for one frame, in milliseconds; NaN where there is none. */
  readonly cpuMs: number;
  readonly desyncs: number;
}

export async function measureStreams(fleet: PythonFleet, load: StreamLoad): Promise<BenchResult> {
  const { workers, flotilla, python } = fleet;
  const ofManager = ({ url, pid }: typeof flotilla): Source => ({
    urls: Array<string>(SUBSCRIBERS).fill(url),
    voices: workers.length,
    pid,
  });
  const sources: readonly Source[] = [
    ofManager(flotilla),
    ofManager(python),
    { urls: workers.map(({ url }) => url), voices: 1 },
  ];
  /** By source, then by rate. */
  const results = sources.map(() => load.rates.map((): StreamRound[] => []));
  let run = 1;
  for (let round = 0; round < load.rounds; round += 1) {
    for (let place = 0; place < sources.length; place += 1) {
      const index = (round + place) % sources.length;
      const rounds = await runRates(fleet, sources[index] as Source, load, run);
      for (const [rate, result] of rounds.entries()) results[index]?.[rate]?.push(result);
      run += load.rates.length + 1;
    }
  }
  const [ours, theirs, bound] = results as [StreamRound[][], StreamRound[][], StreamRound[][]];
  return judgeStreams(workers.length, { flotilla: ours, python: theirs, bound }, load);
}

/** Opens the subscribers, and closes them at the end: then a manager has no stream of a worker open either. */
async function runRates(
  { workers }: PythonFleet,
  { urls, voices, pid }: Source,
  { rates, seconds }: StreamLoad,
  firstRun: number,
): Promise<StreamRound[]> {
  await using resources = new AsyncDisposableStack();
  const readers: StreamReader[] = [];
  for (const url of urls) readers.push(resources.use(await StreamReader.open(url)));
  await untilEachIsHeard(readers, () => writeOne(workers, firstRun), voices);
  await untilQuiet(readers, Number.POSITIVE_INFINITY);
  const rounds: StreamRound[] = [];
  for (const [index, perSecond] of rates.entries()) {
    const run = firstRun + 1 + index;
    for (const reader of readers) reader.begin(run);
    const desyncs = sum(readers.map((reader) => reader.desyncs));
    const cpuMs = processCpuMsOf(pid) ?? Number.NaN;
    const startMs = performance.now();
    const written = await writeEvents(workers, { run, perSecond, seconds });
    const expected = (written * readers.length * voices) / workers.length;
    await untilQuiet(readers, expected);
    const counts = readers.map(({ count }) => count);
    const frames = sum(counts.map((count) => count.frames));
    const tookMs = Math.max(seconds * 1000, ...counts.map(({ lastMs }) => lastMs - startMs));
    rounds.push({
      share: frames / expected,
      perSecond: (1000 * frames) / tookMs,
      lagsMs: counts.flatMap(({ lagsMs }) => lagsMs),
      cpuMs: ((processCpuMsOf(pid) ?? Number.NaN) - cpuMs) / frames,
      desyncs: sum(readers.map((reader) => reader.desyncs)) - desyncs,
    });
  }
  return rounds;
}

/** Nothing tells from outside that the streams of all workers are open: something is written until each of them was heard. */
async function untilEachIsHeard(
  readers: readonly StreamReader[],
  write: () => void,
  voices: number,
): Promise<void> {
  const startMs = performance.now();
  while (readers.some(({ heard }) => heard.size < voices)) {
    if (performance.now() - startMs > WAKE_MS) throw new Error('A stream does not tell of every worker');
    write();
    await delay(LOOK_MS);
  }
}

/** Resolves when the subscribers together had so many frames, or nothing has come for a while. */
async function untilQuiet(readers: readonly StreamReader[], frames: number): Promise<void> {
  const total = (): number => sum(readers.map(({ count }) => count.frames));
  let quietSinceMs = performance.now();
  for (let before = total(); before < frames; ) {
    await delay(LOOK_MS);
    const now = total();
    if (now !== before) quietSinceMs = performance.now();
    if (performance.now() - quietSinceMs > QUIET_MS) return;
    before = now;
  }
}

function judgeStreams(
  members: number,
  { flotilla, python, bound }: Readonly<Record<'flotilla' | 'python' | 'bound', StreamRound[][]>>,
  { rates, leastFrames }: StreamLoad,
): BenchResult {
  const facts: Record<string, string> = {};
  for (const [index, rate] of rates.entries()) {
    const ours = flotilla[index] as StreamRound[];
    const theirs = python[index] as StreamRound[];
    const own = bound[index] as StreamRound[];
    const what = `at ${rate * members} events a second`;
    facts[`frames per second ${what}, Flotilla`] = describe(ours);
    facts[`frames per second ${what}, the Python manager`] = describe(theirs);
    facts[`Flotilla's p99 of the age ${what} to the Python manager's`] = formatSpread(
      ratio(ours.map(p99Of), theirs.map(p99Of)),
    );
    facts[`the workers' own p99 of the age ${what} to the Python manager's`] = formatSpread(
      ratio(own.map(p99Of), theirs.map(p99Of)),
    );
  }
  const best = ratio(bestOf(flotilla), bestOf(python));
  facts["Flotilla's frames per second to the Python manager's, each at its best"] = formatSpread(best);
  const lost = Math.min(...flotilla.flat().map(({ share }) => share));
  const missed = [
    lost < 1 && `of one run Flotilla delivered ${(100 * lost).toFixed(2)} %`,
    leastFrames !== undefined &&
      best.median < leastFrames &&
      `${best.median.toFixed(2)} times the frames per second, ${leastFrames} are expected`,
  ].filter((text) => typeof text === 'string');
  return {
    title: `Event streams of ${members} workers of the Python service, ${SUBSCRIBERS} subscribers of the manager`,
    measurements: [
      ...rates.map((rate, index) => toMeasurement(`Flotilla, ${rate * members}/s`, flotilla[index] ?? [])),
      ...rates.map((rate, index) => toMeasurement(`Python, ${rate * members}/s`, python[index] ?? [])),
      ...rates.map((rate, index) => toMeasurement(`workers, ${rate * members}/s`, bound[index] ?? [])),
    ],
    facts,
    ...(missed.length > 0 && { missed: missed.join('; ') }),
  };
}

function describe(rounds: readonly StreamRound[]): string {
  const frames = spread(rounds.map(({ perSecond }) => perSecond));
  const share = Math.min(...rounds.map((round) => round.share));
  const desyncs = sum(rounds.map((round) => round.desyncs));
  return `${formatSpread(frames)}, of all at least ${(100 * share).toFixed(1)} %, ${desyncs} desyncs`;
}

/** Of each round: the frames per second at the rate at which there were most. */
function bestOf(byRate: readonly (readonly StreamRound[])[]): number[] {
  const rounds = byRate[0] ?? [];
  return rounds.map((_, round) => Math.max(...byRate.map((rate) => rate[round]?.perSecond ?? 0)));
}

function p99Of({ lagsMs }: StreamRound): number {
  return quantile(lagsMs, 0.99);
}

/** Times are the ages of events when they came; CPU is that of one frame. */
function toMeasurement(name: string, rounds: readonly StreamRound[]): Measurement {
  const all = rounds.flatMap(({ lagsMs }) => lagsMs);
  return {
    name,
    medianMs: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    roundMediansMs: rounds.map(({ lagsMs }) => quantile(lagsMs, 0.5)),
    roundCpuMs: rounds.map(({ cpuMs }) => cpuMs).filter((cpuMs) => !Number.isNaN(cpuMs)),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
