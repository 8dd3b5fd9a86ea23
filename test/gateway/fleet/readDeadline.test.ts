/** One deadline for the whole of a list read, the wait for probes included (spec/manager.md §§ 7, 23). */
import { expect, test } from 'vitest';
import { FakeClock } from '../../support/FakeClock.ts';
import { answeringFrom, FakeMember, hanging } from '../../support/FakeMember.ts';
import { createFakeFleet } from '../../support/fakeFleet.ts';
import { buildFakeInstanceSchema } from '../../support/fakeInstance.ts';

test('a list read whose probes are late and whose member hangs ends a second after the timeout', async () => {
  const clock = new FakeClock();
  const own = new FakeMember('hq', answeringFrom(buildFakeInstanceSchema({ name: 'hq' })));
  const fleet = createFakeFleet([{ member: own }, { member: new FakeMember('alpha', hanging) }], {
    clock,
    timeoutMs: 3000,
  });
  fleet.registry.fleet = async ({ patienceMs = Number.NaN } = {}) => {
    clock.advance(patienceMs);
    return fleet.registry.snapshot();
  };
  const startedMs = clock.monotonicMs();
  const asked = fleet.ask('{ commands { instance } }');
  await clock.waiting(1);
  expect(clock.monotonicMs() - startedMs).toBe(1500);
  clock.advance(Math.max(...clock.delaysMs.filter((delayMs) => delayMs <= 2500)));
  const { context } = await asked;
  expect([...context.unreachable.values()]).toMatchObject([{ instance: 'alpha', state: 'timeout' }]);
  expect(clock.monotonicMs() - startedMs).toBeLessThanOrEqual(4000);
});
