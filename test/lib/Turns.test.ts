import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../lib/Turns.ts';

/** Does step after step until it is told to stop. */
async function toil(turns: Turns, isOver: () => boolean, step: () => void): Promise<void> {
  while (!isOver()) {
    await turns.next();
    step();
  }
}

test('Turns lets the event loop go on, whatever number works without a wait', async () => {
  const turns = new Turns(16);
  let isOver = false;
  let steps = 0;
  const most: number[] = [];
  const workers = Array.from({ length: 300 }, () =>
    toil(
      turns,
      () => isOver,
      () => {
        steps += 1;
      },
    ),
  );
  await setImmediate();
  let before = steps;
  for (let turn = 0; turn < 100; turn += 1) {
    await setImmediate();
    most.push(steps - before);
    before = steps;
  }
  isOver = true;
  await Promise.all(workers);
  expect(Math.max(...most)).toBeLessThanOrEqual(16);
});

test('Turns serves in the order of asking', async () => {
  const turns = new Turns(16);
  let isOver = false;
  const steps = new Array<number>(40).fill(0);
  const workers = steps.map((_, index) =>
    toil(
      turns,
      () => isOver,
      () => {
        steps[index] = (steps[index] ?? 0) + 1;
      },
    ),
  );
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  const spread = Math.max(...steps) - Math.min(...steps);
  isOver = true;
  await Promise.all(workers);
  expect(spread).toBeLessThanOrEqual(1);
});

test('Turns delays nobody who is alone', async () => {
  const turns = new Turns(16);
  let isNextTurn = false;
  const turn = setImmediate().then(() => {
    isNextTurn = true;
  });
  for (let step = 0; step < 16; step += 1) await turns.next();
  expect(isNextTurn).toBe(false);
  await turn;
});
