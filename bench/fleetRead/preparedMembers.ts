/** What the gateways themselves cost: the members send bytes that were made once. */
import type { BenchResult } from '../support/BenchResult.ts';
import { createQuery } from '../support/createQuery.ts';
import { formatSpread, type Measurement, measure, type Rounds, ratio } from '../support/measure.ts';
import { type BenchProcess, startProcess } from '../support/processes.ts';
import { startManager } from './instances.ts';
import { LIST_QUERY, type Shape, stockListQuery } from './rows.ts';

export async function measurePreparedMembers(shape: Shape, rounds: Rounds): Promise<BenchResult> {
  await using resources = new AsyncDisposableStack();
  const rows = shape.members * shape.rows;
  const ours = await startMembers(resources, shape, () => 'tasks');
  const theirs = await startMembers(resources, shape, (index) => `tasks${index}`);
  const manager = await startManager(resources, ours);
  const stock = await startProcess(resources, 'bench/fleetRead/stockGateway.ts', urlsOf(theirs));
  const proxy = await startProcess(resources, 'bench/fleetRead/bareProxy.ts', ['json', ...urlsOf(ours)]);
  const measurements = await measure(
    [
      { name: 'Flotilla', ...queryOf(resources, manager, LIST_QUERY, rows) },
      { name: 'stock @apollo/gateway', ...queryOf(resources, stock, stockListQuery(shape), rows) },
      { name: 'bare proxy that parses', ...queryOf(resources, proxy, LIST_QUERY, rows) },
    ],
    rounds,
  );
  const [flotilla, peer, bare] = measurements as [Measurement, Measurement, Measurement];
  return {
    title: `List read, ${shape.members} × ${shape.rows} rows, members that send prepared bodies`,
    measurements,
    facts: {
      "Flotilla's CPU to the stock gateway's": formatSpread(ratio(flotilla.roundCpuMs, peer.roundCpuMs)),
      "the bare proxy's CPU to the stock gateway's": formatSpread(ratio(bare.roundCpuMs, peer.roundCpuMs)),
      "Flotilla's time to the stock gateway's": formatSpread(
        ratio(flotilla.roundMediansMs, peer.roundMediansMs),
      ),
    },
  };
}

function startMembers(
  resources: AsyncDisposableStack,
  { members, rows }: Shape,
  rootField: (index: number) => string,
): Promise<BenchProcess[]> {
  const start = (_: unknown, index: number): Promise<BenchProcess> =>
    startProcess(resources, 'bench/fleetRead/preparedMember.ts', [
      `member${index}`,
      String(rows),
      rootField(index),
    ]);
  return Promise.all(Array.from({ length: members }, start));
}

function queryOf(resources: AsyncDisposableStack, { url, pid }: BenchProcess, text: string, rows: number) {
  return { pid, run: createQuery(resources, url, { text, rows }) };
}

function urlsOf(processes: readonly BenchProcess[]): string[] {
  return processes.map(({ url }) => url);
}
