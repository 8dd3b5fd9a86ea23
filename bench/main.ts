/** `npm run bench`: every benchmark, each beside its peers in the same run. `-- --short` for a quick look. */
import { availableParallelism, totalmem } from 'node:os';
import { measureDurableTurns } from './durableTurns.ts';
import { measureFaults } from './fleetFaults.ts';
import { measureHeap } from './fleetHeap.ts';
import { measurePreparedMembers } from './fleetRead/preparedMembers.ts';
import { measureRealWorkers } from './fleetRead/realWorkers.ts';
import { measureScale } from './fleetScale.ts';
import { measureJournal } from './journal.ts';
import { measureRecovery } from './recovery.ts';
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
tell(
  await measureScale(
    { members: isShort ? 200 : 1000, rows: 1000 },
    { warmUp: 2, rounds: isShort ? 3 : 9, runsPerRound: 3 },
  ),
);
tell(await measureFaults({ warmUp: 100, runs: isShort ? 200 : 1000 }));
tell(
  await measureHeap(
    isShort ? { warmUp: 5000, texts: 1000, joins: 100 } : { warmUp: 20_000, texts: 100_000, joins: 1000 },
  ),
);
tell(await measureJournal({ rounds: isShort ? 3 : 9 }));
tell(
  await measureDurableTurns(
    isShort ? { rounds: 3, conversations: 10, turns: 3 } : { rounds: 5, conversations: 20, turns: 3 },
  ),
);
tell(
  await measureRecovery(isShort ? { running: 1_000, parked: 2_000 } : { running: 10_000, parked: 100_000 }),
);

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
