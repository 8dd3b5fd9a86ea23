import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../../lib/Clock.ts';
import { silentLogger } from '../../../../lib/Logger.ts';
import { type Cluster, connectCluster } from '../../../../subgraph/engine/temporal/Cluster.ts';
import type { DevServer } from '../../../../subgraph/engine/temporal/DevServer.ts';
import { installRuntime } from '../../../../subgraph/engine/temporal/installRuntime.ts';
import { takeQueue } from '../../../../subgraph/engine/temporal/QueueLease.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { retried } from '../../../support/retried.ts';
import { startTemporalServer, TEMPORAL_CLI } from '../../../support/temporalServer.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

describe.skipIf(TEMPORAL_CLI === undefined)('takeQueue()', { timeout: 60_000 }, () => {
  let server: DevServer;
  let cluster: Cluster;

  beforeAll(async () => {
    server = await startTemporalServer(TEMPORAL_CLI as string);
    installRuntime(silentLogger);
    const { address } = server;
    cluster = await connectCluster({ address, namespace: 'default', tls: false, identity: 'alpha' });
  });
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  const take = (taskQueue: string, directory: string, change: { leaseMs?: number; clock?: Clock } = {}) => {
    const lost: string[] = [];
    const onLost = (owner: string) => lost.push(owner);
    const statePath = join(directory, 'state.db');
    const options = { cluster, taskQueue, statePath, clock: systemClock, logger: silentLogger, onLost };
    return takeQueue({ ...options, ...change }).then((lease) => ({ lease, lost }));
  };

  test('a process follows at once on one that has died on its state directory; another directory is refused', async () => {
    using own = temporaryDirectory();
    using other = temporaryDirectory();
    await take('crashed', own.path);
    const { lease } = await take('crashed', own.path);
    await expect(take('crashed', other.path)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(own.path),
    });
    await lease[Symbol.asyncDispose]();
    const { lease: next } = await take('crashed', other.path);
    await next[Symbol.asyncDispose]();
  });

  test('a holder that says nothing loses the queue when its time is over, and is told', async () => {
    using own = temporaryDirectory();
    using other = temporaryDirectory();
    // Its timers fire when the test says so: a process that stands still.
    const timers = new FakeClock();
    const clock = { ...systemClock, schedule: timers.schedule.bind(timers) };
    const first = await take('stalled', own.path, { leaseMs: 8_000, clock });
    await expect(take('stalled', other.path)).rejects.toMatchObject({ code: 'CONFLICT' });
    const second = await retried('CONFLICT', () => take('stalled', other.path));
    timers.advance(3_000);
    await expect.poll(() => first.lost).toEqual([expect.stringContaining(other.path)]);
    await first.lease[Symbol.asyncDispose]();
    // The end of the first is not the end of the second.
    await expect(take('stalled', own.path)).rejects.toMatchObject({ code: 'CONFLICT' });
    await second.lease[Symbol.asyncDispose]();
  });
});
