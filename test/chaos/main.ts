/**
 * `npm run chaos`: a fleet of real processes under random faults, and whether its streams and its tasks stay whole.
 *
 * A manager and 8 workers, 50 subscribers over graphql-ws, urql and server-sent events, and writers at the manager and
 * at the workers. Meanwhile processes are killed and frozen, connections are cut and stalled, logs are truncated, and members
 * leave the registry, come back and move. Then everything heals, and what every subscriber saw is compared with every instance's log.
 * It fails (exit code 1) unless no event is lost or doubled, each instance's events came in order, whoever missed
 * something was told by a `stream.desync` and nobody else was, every accepted message is in its task exactly once, and
 * the manager's memory did not grow. A truncated log is one desync to each that was behind, and to nobody more than one.
 *
 * The seed chooses faults, times, subscribers and writes; how processes then interleave is the machine's.
 *
 * `-- --seconds 60` for a shorter run, `-- --seed N` for the faults and writes of an earlier one; `--workers`,
 * `--subscribers` and `--keep` (the instances' folders) are there too.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChaosFleet } from './ChaosFleet.ts';
import { judge } from './judge.ts';
import { parseOptions } from './parseOptions.ts';
import { formatDiscrepancy, formatVerdict, isPassed } from './report.ts';
import { runChaos } from './runChaos.ts';
import { formatFault } from './runFaults.ts';

const options = parseOptions(process.argv.slice(2), () => Math.floor(Math.random() * 2 ** 32));
const root = mkdtempSync(join(tmpdir(), 'flotilla-chaos-'));
const directory = join(root, 'instances');
const faultLog = join(root, 'faults.jsonl');
mkdirSync(directory);
print(`seed ${options.seed}, ${options.seconds} s, faults in ${faultLog}`);

let fleet: ChaosFleet | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    // Frozen ones would not hear that this process is gone.
    fleet?.killAll();
    process.exit(130);
  });
}

try {
  const { evidence, faults, memoryMib, connections } = await runChaos(options, {
    directory,
    onFault: (fault) => appendFileSync(faultLog, `${formatFault(fault)}\n`),
    onPhase: print,
    onFleet: (started) => {
      fleet = started;
    },
  });
  const verdict = judge(evidence);
  const { witnesses, logs } = evidence;
  print(`${faults.length} faults, ${witnesses.length} subscribers, ${connections} connections`);
  print(formatVerdict(verdict, memoryMib));
  // A run in which nothing happened has shown nothing.
  const isGood = verdict.delivered > 0 && verdict.accepted > 0 && isPassed(verdict, memoryMib);
  if (!isGood) process.exitCode = 1;
  const [discrepancy] = verdict.discrepancies;
  if (discrepancy) {
    const log = logs.get(discrepancy.instance) ?? [];
    print(`the first of ${verdict.discrepancies.length} discrepancies:`);
    print(formatDiscrepancy(discrepancy, { log, faults }));
  }
  for (const { posting, count } of verdict.wrongPostings) {
    print(`message ${JSON.stringify(posting)} is there ${count} times`);
  }
  print(isGood ? 'passed' : `FAILED with seed ${options.seed}; the instances' folders are in ${directory}`);
  if (isGood && !options.keep) rmSync(directory, { recursive: true, force: true });
} catch (error) {
  print(`FAILED with seed ${options.seed}; the instances' folders are in ${directory}`);
  throw error;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
