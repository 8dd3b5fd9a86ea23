/** What a list read costs with a member that is dead or hangs, beside a fleet that is well. */
import { fetch } from 'undici';
import { type SimulatedMember, startManagerOf, startMembers } from './fleetScale/simulatedFleet.ts';
import type { BenchResult } from './support/BenchResult.ts';
import { createQuery } from './support/createQuery.ts';
import { formatSpread, type Measurement, measure, ratio } from './support/measure.ts';

const MEMBERS = 8;
const TIMEOUT_SECONDS = 2;
/** So that there are enough rows without any one of the members. */
const ROWS = 50;
const SETTINGS = { timeoutSeconds: TIMEOUT_SECONDS, probeIntervalSeconds: 5 };
const LIST = `{ tasks(first: ${ROWS}) { nodes { instance ref id name goal createdAt updatedAt } pageInfo { hasNextPage } } }`;

/** Of the first read after a member has died or hung, in milliseconds: the timeout and one second. */
const MOST_FIRST_MS = (TIMEOUT_SECONDS + 1) * 1_000;

/** Groups of reads whose percentiles are compared, each with those of the same group. */
const GROUPS = 7;
const RUNS_PER_ROUND = 5;

export interface FaultRuns {
  readonly warmUp: number;
  /** Of each contender in each group. */
  readonly runs: number;
}

/** Three managers over the same members, of which the last one is healthy, dead or hung. */
export async function measureFaults({ warmUp, runs }: FaultRuns): Promise<BenchResult> {
  await using resources = new AsyncDisposableStack();
  const { members } = await startMembers(resources, { members: MEMBERS, rows: ROWS });
  const others = members.slice(0, -1);
  const last = (members.at(-1) as SimulatedMember).name;
  const mortal = await startMembers(resources, { members: MEMBERS, rows: ROWS });
  const frozen = await startMembers(resources, { members: MEMBERS, rows: ROWS });
  const withLast = (from: readonly SimulatedMember[]) => [...others, from.at(-1) as SimulatedMember];
  const healthy = await startManagerOf(resources, members, SETTINGS);
  const bereaved = await startManagerOf(resources, withLast(mortal.members), SETTINGS);
  const patient = await startManagerOf(resources, withLast(frozen.members), SETTINGS);
  const ask = ({ url, pid }: typeof healthy) => ({
    pid,
    run: createQuery(resources, url, { text: LIST, rows: ROWS }),
  });
  const contenders = [
    { name: 'healthy', ...ask(healthy) },
    { name: `${last} is dead`, ...ask(bereaved) },
    { name: `${last} hangs`, ...ask(patient) },
  ] as const;
  // All are live before one dies and one freezes.
  for (const { run } of contenders) await run();
  process.kill(mortal.process.pid, 'SIGKILL');
  await fetch(`${frozen.process.url}/${last}/hang`);
  const firstDeadMs = await timeOf(contenders[1].run);
  const firstHungMs = await timeOf(contenders[2].run);
  await measure(contenders, { warmUp, rounds: 0, runsPerRound: 0 });
  const groups: Measurement[][] = [];
  for (let group = 0; group < GROUPS; group++) {
    // Of few runs, so that a busy moment of the machine falls upon all of them.
    groups.push(
      await measure(contenders, { warmUp: 0, rounds: runs / RUNS_PER_ROUND, runsPerRound: RUNS_PER_ROUND }),
    );
  }
  const [well, dead, hung] = contenders.map((_, index) =>
    groups.map((group) => group[index] as Measurement),
  ) as [Measurement[], Measurement[], Measurement[]];
  const compare = (of: readonly Measurement[], what: 'medianMs' | 'p99Ms'): string =>
    formatSpread(
      ratio(
        of.map((one) => one[what]),
        well.map((one) => one[what]),
      ),
    );
  return {
    title: `List read, ${MEMBERS} members, one of them dead or hung, timeout ${TIMEOUT_SECONDS} s`,
    measurements: groups[0] as Measurement[],
    facts: {
      'first read after a member died': `${firstDeadMs.toFixed(0)} ms`,
      'first read after a member hung': `${firstHungMs.toFixed(0)} ms`,
      'one dead to healthy, p99': compare(dead, 'p99Ms'),
      'one dead to healthy, median': compare(dead, 'medianMs'),
      'one hung to healthy, p99': compare(hung, 'p99Ms'),
      'one hung to healthy, median': compare(hung, 'medianMs'),
    },
    ...(Math.max(firstDeadMs, firstHungMs) > MOST_FIRST_MS && {
      missed: `the first read is expected within ${MOST_FIRST_MS} ms`,
    }),
  };
}

async function timeOf(run: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}
