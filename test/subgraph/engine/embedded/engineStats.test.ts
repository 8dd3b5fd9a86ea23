import { expect, test } from 'vitest';
import { FakePerformer, hang } from '../../../support/FakePerformer.ts';
import { openEngine } from '../../../support/openEngine.ts';
import { aNewTask, COMPLETE } from '../../../support/tasks.ts';

test('stats() tells of the tasks by state, of effects that run and wait, and of commits', async () => {
  const performer = new FakePerformer({ callModel: hang });
  await using opened = await openEngine({ performer, maxRunningEffects: 2 });
  const { engine } = opened;
  expect(engine.stats?.()).toEqual({ tasks: {}, effects: { running: 0, waiting: 0 }, commits: 0 });
  const [first] = await Promise.all(Array.from({ length: 5 }, () => engine.start(aNewTask())));
  await performer.attempted(2);
  expect(engine.stats?.()).toMatchObject({
    tasks: { WORKING: 5 },
    effects: { running: 2, waiting: 3 },
  });
  const before = engine.stats?.().commits ?? 0;
  expect(before).toBeGreaterThan(0);
  await engine.deliver(first!.state.ref, COMPLETE);
  expect(engine.stats?.().commits).toBeGreaterThan(before);
});
