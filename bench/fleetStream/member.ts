/**
 * A member with a worker's schema, event log and graphql-ws, whose log grows as it is told: each message is a `Growth`
 * and is answered when it is done.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createMemberServer } from '../../test/support/MemberServer.ts';
import { openWorker } from '../../test/support/openWorker.ts';

export interface Growth {
  readonly events: number;
  readonly perSecond: number;
}

/** Of one append, in milliseconds. */
const TICK_MS = 10;
const TEXT =
  'The ledger was compared with the statement of the bank, and each difference has a cause. '.repeat(3);

const opened = await openWorker({ name: 'alpha' });
const { worker } = opened;
const { url } = await createMemberServer(worker);
process.once('SIGTERM', async () => {
  await opened[Symbol.asyncDispose]();
  process.exit();
});
process.on('message', (growth) => void grow(growth as Growth).then(() => process.send?.('grown')));
process.send?.({ url });

async function grow({ events, perSecond }: Growth): Promise<void> {
  const startMs = performance.now();
  for (let written = 0; written < events; ) {
    const due = Math.ceil(((performance.now() - startMs + TICK_MS) / 1000) * perSecond);
    const count = Math.min(events, due) - written;
    if (count > 0) append(count);
    written += Math.max(0, count);
    await delay(TICK_MS);
  }
}

function append(count: number): void {
  const sentMs = performance.timeOrigin + performance.now();
  worker.log.append(
    Array.from({ length: count }, () => ({
      type: 'task.status',
      level: 'INFO' as const,
      source: 'tasks',
      ref: 'github:o/ledger#1',
      data: { sentMs, state: 'TASK_STATE_WORKING', text: TEXT },
    })),
  );
}
