import { expect, test } from 'vitest';
import { coalesce } from '../../../web/src/live/coalesce.ts';

test('coalesce() runs the work once more, however often it was asked meanwhile', async () => {
  const runs: (() => void)[] = [];
  const ask = coalesce(() => new Promise<void>((resolve) => runs.push(resolve)));
  ask();
  ask();
  ask();
  expect(runs).toHaveLength(1);
  runs[0]!();
  await Promise.resolve();
  expect(runs).toHaveLength(2);
  runs[1]!();
  await Promise.resolve();
  expect(runs).toHaveLength(2);
});

test('coalesce() runs again when it is asked after the end', async () => {
  let runs = 0;
  const ask = coalesce(async () => {
    runs += 1;
  });
  ask();
  await Promise.resolve();
  await Promise.resolve();
  ask();
  expect(runs).toBe(2);
});
