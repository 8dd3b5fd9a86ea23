import { expect, test } from 'vitest';
import { planSubscribers } from './joinSubscribers.ts';
import { type FaultPlanOptions, planFaults } from './planFaults.ts';
import { Random } from './Random.ts';

const OPTIONS: FaultPlanOptions = {
  lengthMs: 60_000,
  workers: ['alpha', 'beta'],
  manager: 'hq',
  subscribers: ['socket-1', 'sse-2'],
};

test('planFaults() plans the same for the same seed, and something else for another', () => {
  expect(planFaults(new Random(7), OPTIONS)).toEqual(planFaults(new Random(7), OPTIONS));
  expect(planFaults(new Random(7), OPTIONS)).not.toEqual(planFaults(new Random(8), OPTIONS));
});

test('planFaults() begins faults in order and within the run', () => {
  const times = planFaults(new Random(1), OPTIONS).map(({ atMs }) => atMs);
  expect(times.length).toBeGreaterThan(20);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(60_000);
});

test.each([0, 1, 2, 3, 2 ** 32 - 1])(
  'planFaults() has every kind within two minutes, with seed %i',
  (seed) => {
    const kinds = planFaults(new Random(seed), { ...OPTIONS, lengthMs: 120_000 }).map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(12);
  },
);

test('planFaults() gives each kind a target of its own sort', () => {
  for (const { kind, target } of planFaults(new Random(3), { ...OPTIONS, lengthMs: 600_000 })) {
    if (kind === 'drop-subscriber') expect(OPTIONS.subscribers).toContain(target);
    else if (kind.endsWith('-manager')) expect(target).toBe('hq');
    else expect(OPTIONS.workers).toContain(target);
  }
});

test('planSubscribers() has each face begin in each way, at the start and later', () => {
  const plans = planSubscribers(new Random(1), { count: 12, lastJoinMs: 1000 });
  const kinds = plans.map(
    ({ face, isFromBeginning, joinAtMs }) => `${face.name} ${isFromBeginning} ${joinAtMs === 0}`,
  );
  expect(new Set(kinds).size).toBe(12);
});
