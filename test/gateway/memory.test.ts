/** What a manager keeps of texts that nobody asks again, and of members that have left: nothing beyond the bounds of its caches. */
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createFleetContext } from '../../gateway/fleet/FleetContext.ts';
import { createMemberRegistry } from '../../gateway/registry/createMemberRegistry.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { collectGarbage, usedHeap } from '../support/collectGarbage.ts';
import { createTestWorker } from '../support/createTestWorker.ts';
import { FakeClock } from '../support/FakeClock.ts';
import { FakeMember, failing } from '../support/FakeMember.ts';
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
