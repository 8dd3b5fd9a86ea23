import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../lib/Turns.ts';

/** Does step after step until it is told to stop. */
async function toil(turns: Turns, isOver: () => boolean, step: () => void, isPatient = false): Promise<void> {
  while (!isOver()) {
    await turns.next({ isPatient });
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

test('Turns serves who has no time first, and leaves a quarter of each turn to who has', async () => {
  const turns = new Turns(16);
  let isOver = false;
  const steps = { prompt: 0, patient: 0 };
  const workers = (['prompt', 'patient'] as const).flatMap((kind) =>
    Array.from({ length: 100 }, () =>
      toil(
        turns,
        () => isOver,
        () => {
          steps[kind] += 1;
        },
        kind === 'patient',
      ),
    ),
  );
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  const { prompt, patient } = steps;
  isOver = true;
  await Promise.all(workers);
  expect(patient / (prompt + patient)).toBeCloseTo(0.25, 1);
});

test('Turns gives who has time everything that nobody else wants', async () => {
  const turns = new Turns(16);
  let isOver = false;
  let steps = 0;
  const workers = Array.from({ length: 100 }, () =>
    toil(
      turns,
      () => isOver,
      () => {
        steps += 1;
      },
      true,
    ),
  );
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  const done = steps;
  isOver = true;
  await Promise.all(workers);
  expect(done).toBeGreaterThan(16 * 90);
});

test('Turns counts the turns in which steps are done', async () => {
  const turns = new Turns(2);
  await turns.next();
  const first = turns.count;
  await turns.next();
  expect(turns.count).toBe(first);
  await turns.next();
  expect(turns.count).toBe(first + 1);
});
