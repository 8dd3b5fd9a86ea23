/**
 * `npm run bench`: every benchmark, each beside its peers in the same run. `-- --short` for a quick look, `-- --only <name>`, as often as
 * wanted, for some of them.
 */
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { measureDurableTurns } from './durableTurns.ts';
import { measureFaults } from './fleetFaults.ts';
import { measureHeap } from './fleetHeap.ts';
import { measurePreparedMembers } from './fleetRead/preparedMembers.ts';
import { measureRealWorkers } from './fleetRead/realWorkers.ts';
import { measureScale } from './fleetScale.ts';
import { measureSlow } from './fleetScaleSlow.ts';
import { FLEET_STREAM, measureFleetStream, SHORT_FLEET_STREAM } from './fleetStream.ts';
import { measureJournal } from './journal.ts';
import { measureRecovery } from './recovery.ts';
import { measureRestManagers, REST_MANAGERS, SHORT_REST_MANAGERS } from './restManagers.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { formatSpread, type Measurement, type Rounds, spread } from './support/measure.ts';

const { isShort, only } = readOptions();
const rounds: Rounds = isShort
  ? { warmUp: 60, rounds: 5, runsPerRound: 15 }
  : { warmUp: 200, rounds: 15, runsPerRound: 50 };
/** Reads of real workers take several times as long as those of prepared members. */
const slowRounds: Rounds = isShort
  ? { ...rounds, warmUp: 20, runsPerRound: 5 }
  : { ...rounds, runsPerRound: 15 };

/** In the order in which they run; each is one or more measurements, which are told one by one. */
const BENCHMARKS: Readonly<Record<string, readonly (() => Promise<BenchResult | readonly BenchResult[]>)[]>> =
  {
    fleetRead: [
      { members: 1, rows: 1000 },
      { members: 8, rows: 125 },
    ].flatMap((shape) => [
      () => measurePreparedMembers(shape, rounds),
      () => measureRealWorkers(shape, slowRounds),
    ]),
    restManagers: [() => measureRestManagers(isShort ? SHORT_REST_MANAGERS : REST_MANAGERS)],
    fleetScale: [
      () =>
        measureScale(
          { members: isShort ? 200 : 1000, rows: 1000 },
          { warmUp: 2, rounds: isShort ? 5 : 9, runsPerRound: 3 },
        ),
      () => measureSlow({ members: isShort ? 200 : 1000, delayMs: 100, reads: isShort ? 3 : 8 }),
    ],
    fleetFaults: [() => measureFaults({ warmUp: 100, runs: isShort ? 200 : 1000 })],
    fleetStream: [() => measureFleetStream(isShort ? SHORT_FLEET_STREAM : FLEET_STREAM)],
    fleetHeap: [
      () =>
        measureHeap(
          isShort
            ? { warmUp: 5000, texts: 1000, joins: 100 }
            : { warmUp: 20_000, texts: 100_000, joins: 1000 },
        ),
    ],
    journal: [() => measureJournal({ rounds: isShort ? 3 : 9 })],
    durableTurns: [
      () =>
        measureDurableTurns(
          isShort ? { rounds: 3, conversations: 10, turns: 3 } : { rounds: 5, conversations: 20, turns: 3 },
        ),
    ],
    recovery: [
      () =>
        measureRecovery(isShort ? { running: 1_000, parked: 2_000 } : { running: 10_000, parked: 100_000 }),
    ],
  };

const unknown = only.filter((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown.length > 0) {
  refuse(
    `there is no benchmark ${unknown.join(', ')}, one of ${Object.keys(BENCHMARKS).join(', ')} is expected`,
  );
}
const gibibytes = Math.round(totalmem() / 2 ** 30);
print(
  `${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.versions.node}, ${process.platform}.`,
);
print('Each figure is the median of the rounds, with the least and the greatest round.');
for (const [name, measurements] of Object.entries(BENCHMARKS)) {
  if (only.length > 0 && !only.includes(name)) continue;
  for (const measure of measurements) [await measure()].flat().forEach(tell);
}

function readOptions(): { readonly isShort: boolean; readonly only: readonly string[] } {
  try {
    const { values } = parseArgs({
      options: {
        short: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
      },
    });
    return { isShort: values.short, only: values.only };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(reason: string): never {
  process.stderr.write(`error: ${reason}\n`);
  process.exit(2);
}

function tell({ title, measurements, facts, missed }: BenchResult): void {
  print(`\n## ${title}`);
  for (const measurement of measurements) print(`  ${formatMeasurement(measurement)}`);
  for (const [name, value] of Object.entries(facts)) print(`  ${name}: ${value}`);
  if (missed === undefined) return;
  print(`  TARGET MISSED: ${missed}`);
  process.exitCode = 1;
}

function formatMeasurement({ name, medianMs, p99Ms, roundCpuMs }: Measurement): string {
  const cpu = roundCpuMs.length > 0 ? `, CPU ${formatSpread(spread(roundCpuMs))} ms` : '';
  return `${name.padEnd(26)} median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms${cpu}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
