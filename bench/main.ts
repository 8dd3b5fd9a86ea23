/** `npm run bench`: every benchmark, each beside its peers in the same run. `-- --short` for a quick look. */
import { availableParallelism, totalmem } from 'node:os';
import { measurePreparedMembers } from './fleetRead/preparedMembers.ts';
import { measureRealWorkers } from './fleetRead/realWorkers.ts';
import { measureJournal } from './journal.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { formatSpread, type Measurement, type Rounds, spread } from './support/measure.ts';

const isShort = process.argv.includes('--short');
const rounds: Rounds = isShort
  ? { warmUp: 60, rounds: 5, runsPerRound: 15 }
  : { warmUp: 200, rounds: 15, runsPerRound: 50 };
/** Reads of real workers take several times as long as those of prepared members. */
const slowRounds: Rounds = isShort
  ? { ...rounds, warmUp: 20, runsPerRound: 5 }
  : { ...rounds, runsPerRound: 15 };

const gibibytes = Math.round(totalmem() / 2 ** 30);
print(
  `${availableParallelism()} cores, ${gibibytes} GiB, Node ${process.versions.node}, ${process.platform}.`,
);
print('Each figure is the median of the rounds, with the least and the greatest round.');
for (const shape of [
  { members: 1, rows: 1000 },
  { members: 8, rows: 125 },
]) {
  tell(await measurePreparedMembers(shape, rounds));
  for (const result of await measureRealWorkers(shape, slowRounds)) tell(result);
}
tell(await measureJournal({ rounds: isShort ? 3 : 9 }));

function tell({ title, measurements, facts }: BenchResult): void {
  print(`\n## ${title}`);
  for (const measurement of measurements) print(`  ${formatMeasurement(measurement)}`);
  for (const [name, value] of Object.entries(facts)) print(`  ${name}: ${value}`);
}

function formatMeasurement({ name, medianMs, p99Ms, roundCpuMs }: Measurement): string {
  const cpu = roundCpuMs.length > 0 ? `, CPU ${formatSpread(spread(roundCpuMs))} ms` : '';
  return `${name.padEnd(26)} median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms${cpu}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
