/** What a user waits for: reads through the manager beside asking the workers directly. */
import type { BenchResult } from '../support/BenchResult.ts';
import { createQuery } from '../support/createQuery.ts';
import { formatSpread, type Measurement, measure, type Rounds, ratio, spread } from '../support/measure.ts';
import { type BenchProcess, startProcess } from '../support/processes.ts';
import { startManager, startWorker } from './instances.ts';
import { KEYED_QUERY, LIST_QUERY, type Shape } from './rows.ts';

interface Fleet {
  readonly manager: BenchProcess;
  readonly workers: readonly BenchProcess[];
  readonly proxyOfAll: BenchProcess;
  readonly proxyOfOne: BenchProcess;
}

/** The list read, then the keyed read. */
export async function measureRealWorkers(shape: Shape, rounds: Rounds): Promise<BenchResult[]> {
  await using resources = new AsyncDisposableStack();
  const workers = await Promise.all(
    Array.from({ length: shape.members }, (_, index) => startWorker(resources, `member${index}`, shape.rows)),
  );
  const startProxy = (members: readonly BenchProcess[]): Promise<BenchProcess> =>
    startProcess(resources, 'bench/fleetRead/bareProxy.ts', ['bytes', ...members.map(({ url }) => url)]);
  const fleet: Fleet = {
    manager: await startManager(resources, workers),
    workers,
    proxyOfAll: await startProxy(workers),
    proxyOfOne: await startProxy(workers.slice(0, 1)),
  };
  return [await listRead(resources, fleet, shape, rounds), await keyedRead(resources, fleet, shape, rounds)];
}

async function listRead(
  resources: AsyncDisposableStack,
  { manager, workers, proxyOfAll }: Fleet,
  { members, rows }: Shape,
  rounds: Rounds,
): Promise<BenchResult> {
  const ask = ({ url, pid }: BenchProcess, count: number) => ({
    pid,
    run: createQuery(resources, url, { text: LIST_QUERY, rows: count }),
  });
  const [through, bare, ...direct] = (await measure(
    [
      { name: 'through the manager', ...ask(manager, members * rows) },
      { name: 'through a bare proxy', ...ask(proxyOfAll, members * rows) },
      ...workers.map((worker, index) => ({ name: `member${index} directly`, ...ask(worker, rows) })),
    ],
    rounds,
  )) as [Measurement, Measurement, Measurement];
  const slowest = direct.toSorted((a, b) => b.medianMs - a.medianMs)[0] as Measurement;
  const perRow = slowest.roundCpuMs.map((cpuMs) => (cpuMs * 1000) / rows);
  return {
    title: `List read, ${members} × ${rows} rows, real workers`,
    measurements: [through, bare, slowest],
    facts: {
      'through the manager to the slowest member directly': formatSpread(
        ratio(through.roundMediansMs, slowest.roundMediansMs),
      ),
      'through a bare proxy to the slowest member directly': formatSpread(
        ratio(bare.roundMediansMs, slowest.roundMediansMs),
      ),
      'through the manager to through a bare proxy': formatSpread(
        ratio(through.roundMediansMs, bare.roundMediansMs),
      ),
      "a worker's CPU for one row, in microseconds": formatSpread(spread(perRow)),
    },
  };
}

async function keyedRead(
  resources: AsyncDisposableStack,
  { manager, workers, proxyOfOne }: Fleet,
  { members, rows }: Shape,
  rounds: Rounds,
): Promise<BenchResult> {
  const ask = ({ url, pid }: BenchProcess) => ({
    pid,
    run: createQuery(resources, url, { text: KEYED_QUERY, rows: 1 }),
  });
  const measurements = await measure(
    [
      { name: 'through the manager', ...ask(manager) },
      { name: 'through a bare proxy', ...ask(proxyOfOne) },
      { name: 'directly', ...ask(workers[0] as BenchProcess) },
    ],
    { ...rounds, warmUp: rounds.warmUp * 5, runsPerRound: rounds.runsPerRound * 5 },
  );
  const [through, bare, direct] = measurements as [Measurement, Measurement, Measurement];
  return {
    title: `Keyed read, ${members} × ${rows} rows, real workers`,
    measurements,
    facts: {
      'through the manager to the member directly': formatSpread(
        ratio(through.roundMediansMs, direct.roundMediansMs),
      ),
      'through a bare proxy to the member directly': formatSpread(
        ratio(bare.roundMediansMs, direct.roundMediansMs),
      ),
      'through the manager to through a bare proxy': formatSpread(
        ratio(through.roundMediansMs, bare.roundMediansMs),
      ),
    },
  };
}
