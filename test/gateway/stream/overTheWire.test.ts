/** The registry, its members and the fan-in together, over real sockets. */
import { expect, test } from 'vitest';
import { createGraphQLMember } from '../../../gateway/member/GraphQLMember.ts';
import { createMemberRegistry } from '../../../gateway/registry/createMemberRegistry.ts';
import { createFleetStream } from '../../../gateway/stream/createFleetStream.ts';
import { systemClock } from '../../../lib/Clock.ts';
import { systemIds } from '../../../lib/ids.ts';
import { silentLogger } from '../../../lib/Logger.ts';
import { createTestWorker } from '../../support/createTestWorker.ts';
import { createMemberServer } from '../../support/MemberServer.ts';
import { FanInReader, offsetsOf, range } from './openFanIn.ts';

test('a member whose connections are cut is read on where it was, without a gap', async () => {
  await using fleet = await openWireFleet();
  await using reader = fleet.subscribe('alpha=0,hq=0');
  fleet.log.add(700);
  const before = await reader.takeEvents(700);
  fleet.server.dropConnections();
  fleet.log.add(300);
  const after = await reader.takeEvents(300);
  expect(offsetsOf([...before, ...after], 'alpha')).toEqual(range(1, 1000));
});

test('a member that freezes is connected anew', async () => {
  await using fleet = await openWireFleet();
  await using reader = fleet.subscribe('alpha=0,hq=0');
  fleet.log.add(1);
  await reader.takeEvents(1);
  fleet.server.freeze();
  fleet.log.add(1);
  expect(offsetsOf(await reader.takeEvents(1), 'alpha')).toEqual([2]);
});

test('eight subscribers cost the member one socket', async () => {
  await using fleet = await openWireFleet();
  const readers = range(1, 8).map(() => fleet.subscribe('alpha=0,hq=0'));
  fleet.log.add(1);
  for (const reader of readers) await reader.takeEvents(1);
  await expect.poll(() => fleet.server.streams).toBe(1);
  for (const reader of readers) await reader[Symbol.asyncDispose]();
  await expect.poll(() => fleet.server.streams).toBe(0);
});

/** `hq` with one member, `alpha`, over HTTP and WebSocket. */
async function openWireFleet() {
  await using resources = new AsyncDisposableStack();
  const alpha = createTestWorker({ name: 'alpha', clock: systemClock });
  const server = resources.use(await createMemberServer(alpha));
  const instances = [{ name: 'alpha', url: server.url }];
  const worker = createTestWorker({ name: 'hq', clock: systemClock, instances });
  const parts = { worker, clock: systemClock, logger: silentLogger };
  const registry = resources.use(
    createMemberRegistry({
      ...parts,
      ownName: 'hq',
      ownUrl: '',
      createMember: ({ name, url }) =>
        createGraphQLMember({ name, url, clock: systemClock, keepAliveMs: 100 }),
    }),
  );
  const stream = resources.use(createFleetStream({ ...parts, registry, ids: systemIds }));
  const owned = resources.move();
  return {
    server,
    log: alpha.log,
    subscribe: (after: string) => new FanInReader(stream, { after }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
