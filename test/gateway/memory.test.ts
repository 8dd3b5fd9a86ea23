/** What a manager keeps of texts that nobody asks again, and of members that have left: nothing beyond the bounds of its caches. */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../gateway/fleet/FleetContext.ts';
import { createMemberRegistry } from '../../gateway/registry/createMemberRegistry.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { collectGarbage, usedHeap } from '../support/collectGarbage.ts';
import { createTestWorker } from '../support/createTestWorker.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { answeringData, FakeMember, failing } from '../support/FakeMember.ts';
import { createFakeFleet } from '../support/fakeFleet.ts';

const MEBIBYTE = 2 ** 20;
/** So long that a thousand of them are more than any cache of texts holds. */
const PADDING = `# ${'x'.repeat(2000)}`;
const FAILURE = failing({ kind: 'notSupported', reason: 'not asked in this test' });

test.each([
  ['first', 'tasks(first: 1) { nodes { ref name state } pageInfo { endCursor } }', 600, 1000],
  ['second', 'instances { name owner: name }', 600, 600],
] as const)(
  'operations of ever new texts on the %s road do not add up',
  async (road, selection, warmUp, count) => {
    const member = new FakeMember('hq', () => {
      member.requests.length = 0;
      return FAILURE;
    });
    const { gateway } = createFakeFleet([{ member }]);
    const context = () => createFleetContext(new AbortController().signal);
    const askTexts = async (from: number, to: number): Promise<void> => {
      for (let number = from; number < to; number += 1) {
        // The name, too, is part of what a subgraph is asked.
        const text = `query q${number}${PADDING.slice(2, 202)} { ${selection} } ${PADDING}`;
        const request = { document: parse(text), text, context: context() };
        await (road === 'first' ? gateway.execute(request) : gateway.executeWithPlanner(request));
      }
    };

    await askTexts(0, warmUp);
    const before = await usedHeap();
    await askTexts(warmUp, warmUp + count);
    const grown = (await usedHeap()) - before;
    await gateway.stop();

    // A text alone that is kept for each of them would be more.
    expect(grown / MEBIBYTE).toBeLessThan((count * PADDING.length) / MEBIBYTE / 2);
  },
  60_000,
);

test('members of one other version share the text of its schema', async () => {
  const COUNT = 100;
  const LENGTH = 200_000;
  const worker = createTestWorker({ name: 'hq', clock: new FakeClock(), instances: [] });
  await using registry = createMemberRegistry({
    worker,
    clock: new FakeClock(),
    logger: silentLogger,
    ownName: 'hq',
    ownUrl: 'http://127.0.0.1:4114',
    createMember: ({ name }) => {
      const document = {
        name,
        role: 'worker',
        scope: { mode: 'open', workItems: [] },
        managed: [],
        sessionCount: 0,
        interfaces: { graphql: '/graphql', schemaHash: 'a'.repeat(64) },
      };
      // A text of its own each time, as it comes off the wire.
      const answer = () => answeringData({ _service: { sdl: Buffer.alloc(LENGTH, '# x\n').toString() } });
      return Object.assign(new FakeMember(name, (request) => answer()(request)), {
        identify: async () => ({
          kind: 'answer' as const,
          answer: { kind: 'document' as const, body: document, version: '0.0.1' },
        }),
      });
    },
  });
  const { signal } = new AbortController();
  const before = await usedHeap();
  const names = Array.from({ length: COUNT }, (_, index) => `m${index}`);
  worker.edit({ instances: names.map((name) => ({ name, url: `http://${name}:4114` })) });
  const entries = await registry.fleet({ signal });
  expect(entries.filter(({ schema }) => schema?.sdl?.length === LENGTH)).toHaveLength(COUNT);

  // A copy for each member would be all of it.
  expect((await usedHeap()) - before).toBeLessThan((COUNT * LENGTH) / 2);
});

test('a thousand members that join, are probed and leave leave nothing behind', async () => {
  const clock = new FakeClock();
  const worker = createTestWorker({ name: 'hq', clock, instances: [] });
  const created: WeakRef<object>[] = [];
  await using registry = createMemberRegistry({
    worker,
    clock,
    logger: silentLogger,
    ownName: 'hq',
    ownUrl: 'http://127.0.0.1:4114',
    createMember: ({ name }) => {
      const member = new FakeMember(name, () => FAILURE);
      created.push(new WeakRef(member));
      return member;
    },
  });
  const { signal } = new AbortController();
  for (let crew = 0; crew < 20; crew += 1) {
    const names = Array.from({ length: 50 }, (_, index) => `m${crew}-${index}`);
    worker.edit({ instances: names.map((name) => ({ name, url: `http://${name}:4114` })) });
    expect(await registry.fleet({ signal })).toHaveLength(51);
  }
  worker.edit({ instances: [] });
  expect(await registry.fleet({ signal })).toHaveLength(1);
  await collectGarbage();

  expect(created).toHaveLength(1000);
  expect(created.filter((member) => member.deref() !== undefined)).toEqual([]);
  expect(clock.timers).toBe(0);
});
