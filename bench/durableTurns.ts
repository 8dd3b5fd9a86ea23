/**
 * Durable turns per second: the same turn (a message, a model turn that calls a tool, the tool, a model turn that replies) in
 * many conversations at once, by the embedded host, by the same task core on Temporal's development server, and by DBOS on
 * PostgreSQL. Models and tools answer at once, so that what is measured is what durability costs. Each contender runs in a
 * process of its own, with the settings under which nothing that was answered is lost; of Temporal's server there is also
 * one without.
 */
import { findTemporalCli } from '../subgraph/engine/temporal/findTemporalCli.ts';
import { Contender } from './durableTurns/Contender.ts';
import type { ContenderName } from './durableTurns/child.ts';
import { findPostgres } from './durableTurns/Postgres.ts';
import type { Workload, WorkResult } from './durableTurns/TurnHost.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { formatSpread, type Measurement, quantile, ratio, spread } from './support/measure.ts';

/** How many times as many turns per second as on Temporal's development server, also when that keeps nothing. */
const LEAST_TO_TEMPORAL = 10;

export interface DurableTurnsSize extends Workload {
  readonly rounds: number;
}

/** A peer that is not installed is left out and named. @throws {Error} where `CI` is set and one is missing. */
export async function measureDurableTurns({ rounds, ...workload }: DurableTurnsSize): Promise<BenchResult> {
  const peers = findPeers();
  const missing = peers.filter(({ program }) => program === undefined);
  if (missing.length > 0 && process.env.CI === 'true') {
    const lacks = new Set(missing.map(({ lack }) => lack));
    throw new Error(`Cannot measure durable turns: ${[...lacks].join(', ')}`);
  }
  await using resources = new AsyncDisposableStack();
  const contenders: Contender[] = [];
  for (const { name, program } of [{ name: 'embedded', program: '' } as const, ...peers]) {
    if (program !== undefined) contenders.push(resources.use(await Contender.start(name, program)));
  }

  const results = new Map<ContenderName, WorkResult[]>(contenders.map(({ name }) => [name, []]));
  // The round before the first one warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const shift = round % contenders.length;
    for (const contender of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
      const result = await contender.work({ ...workload, first: 1 + round * workload.conversations });
      if (round > 0) results.get(contender.name)?.push(result);
    }
  }
  const speedsOf = (name: ContenderName): number[] =>
    (results.get(name) ?? []).map(({ turnsPerSecond }) => turnsPerSecond);
  const facts: Record<string, string> = {};
  for (const { name, lack } of missing) facts[`NOT MEASURED against ${name}`] = lack;
  for (const { name } of contenders) {
    facts[`turns per second, ${name}`] = formatSpread(spread(speedsOf(name)));
    if (name === 'embedded') continue;
    const toPeer = ratio(speedsOf('embedded'), speedsOf(name));
    facts[`the embedded host's speed to that of ${name}`] = formatSpread(toPeer);
  }
  const toTemporal = ratio(speedsOf('embedded'), speedsOf('temporal in memory')).median;
  return {
    title: `Durable turns, ${workload.conversations} conversations of ${workload.turns} turns`,
    measurements: contenders.map(({ name }) => toMeasurement(name, results.get(name) ?? [])),
    facts,
    ...(toTemporal < LEAST_TO_TEMPORAL && {
      missed: `${toTemporal.toFixed(2)} times the turns on Temporal's development server, ${LEAST_TO_TEMPORAL} are expected`,
    }),
  };
}

interface Peer {
  readonly name: ContenderName;
  /** What it needs beside the repository; undefined when it is not installed. */
  readonly program: string | undefined;
  /** What is missing then. */
  readonly lack: string;
}

function findPeers(): readonly Peer[] {
  const temporal = {
    program: findTemporalCli(process.env),
    lack: 'there is no `temporal` on the PATH or in TEMPORAL_CLI_PATH',
  };
  return [
    { name: 'temporal', ...temporal },
    { name: 'temporal in memory', ...temporal },
    {
      name: 'dbos',
      program: findPostgres(),
      lack: 'there is no PostgreSQL on the PATH or in /usr/lib/postgresql',
    },
  ];
}

function toMeasurement(name: string, results: readonly WorkResult[]): Measurement {
  const all = results.flatMap(({ turnMs }) => turnMs);
  return {
    name: `one turn, ${name}`,
    medianMs: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    roundMediansMs: results.map(({ turnMs }) => quantile(turnMs, 0.5)),
    roundCpuMs: [],
  };
}
