import { expect, test } from 'vitest';
import { readWireHistory } from '../../../server/a2a/readWireHistory.ts';
import type { HistoryQuery } from '../../../subgraph/engine/TaskEngine.ts';
import type { HistoryEntry } from '../../../subgraph/index.ts';

const TASK = { id: 't', contextId: 'c' };

/** A history of so many messages of a user. */
function historyOf(count: number, text: string) {
  const entries = Array.from(
    { length: count },
    (_, index): HistoryEntry => ({ id: index + 1, atMs: 0, kind: 'message', role: 'USER', text }),
  );
  return {
    history: async (_: unknown, { beforeId = Number.POSITIVE_INFINITY, limit }: HistoryQuery) =>
      entries.filter(({ id }) => id < beforeId).slice(-limit),
  };
}

async function idsOf(engine: ReturnType<typeof historyOf>, length: number): Promise<readonly string[]> {
  const messages = await readWireHistory(engine, TASK, length);
  return messages.map(({ messageId }) => messageId.slice('t:history:'.length));
}

test('readWireHistory() has the newest entries, oldest first', async () => {
  const engine = historyOf(50, 'x');
  expect(await idsOf(engine, 0)).toEqual([]);
  expect(await idsOf(engine, 3)).toEqual(['48', '49', '50']);
  expect(await idsOf(engine, 45)).toEqual(Array.from({ length: 45 }, (_, index) => String(index + 6)));
  expect(await idsOf(engine, 1_000)).toHaveLength(50);
});

test('readWireHistory() leaves the oldest out where all would have more than 4 MiB, and never the newest', async () => {
  expect(await idsOf(historyOf(50, 'x'.repeat(1_000_000)), 100)).toEqual(['47', '48', '49', '50']);
  expect(await idsOf(historyOf(3, 'x'.repeat(5_000_000)), 100)).toEqual(['3']);
});
