import { expect, test } from 'vitest';
import {
  createBudgetCheck,
  findReachedBudget,
  readUsage,
  toTaskBudget,
} from '../../../subgraph/engine/instanceBudget.ts';
import { awaitParked } from '../../support/awaitEvent.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakePerformer, modelReply } from '../../support/FakePerformer.ts';
import { openEngine } from '../../support/openEngine.ts';
import { aMessage, aNewTask } from '../../support/tasks.ts';

const DAY_MS = 86_400_000;
const USED = { turns: 5, tokens: 1_000, costMicros: 2_500_000 };

test.each([
  ['turns', { turns: 5 }, 'the instance has made 5 model turns today, fewer than 5 are expected'],
  ['tokens', { tokens: 900 }, 'the instance has used 1000 tokens today, fewer than 900 are expected'],
  ['cost', { cost: 2.5 }, 'the instance has spent 2.5 today, less than 2.5 is expected'],
  ['nothing under its limit', { turns: 6, tokens: 1_001, cost: 2.51 }, undefined],
  ['nothing without a limit', {}, undefined],
])('findReachedBudget() finds %s', (_, limits, expected) => {
  expect(findReachedBudget(USED, { period: 'day', ...limits })).toBe(expected);
});

test('toTaskBudget() is in the units of the core, and nothing without a limit', () => {
  expect(toTaskBudget({})).toBeUndefined();
  expect(toTaskBudget({ turns: 3, cost: 0.5 })).toEqual({ turns: 3, costMicros: 500_000 });
});

test('what tasks use is counted with their steps, by day and in all, also over a restart', async () => {
  const clock = new FakeClock();
  const performer = new FakePerformer({
    callModel: (effect) => {
      const outcome = modelReply(effect, { text: 'done' });
      if (outcome.kind !== 'completed' || outcome.input.kind !== 'modelReplied') return outcome;
      return { ...outcome, input: { ...outcome.input, usage: { ...outcome.input.usage, costMicros: 7 } } };
    },
  });
  await using opened = await openEngine({ performer, clock });
  const { ref } = (await opened.engine.start(aNewTask())).state;
  await awaitParked(opened.log, ref);
  clock.advance(DAY_MS);
  const { cursor } = await opened.engine.deliver(ref, aMessage('m2'));
  await awaitParked(opened.log, ref, cursor);
  await opened.restart(performer);
  const read = (period: 'day' | 'total') => readUsage(opened.database, period, clock.nowMs());
  expect(read('day')).toEqual({ turns: 1, tokens: 15, costMicros: 7 });
  expect(read('total')).toEqual({ turns: 2, tokens: 30, costMicros: 14 });
  const check = (turns: number) =>
    createBudgetCheck({ database: opened.database, clock, limits: () => ({ period: 'total', turns }) })();
  expect([check(2), check(3)]).toEqual([expect.stringContaining('2 model turns in all'), undefined]);
});
