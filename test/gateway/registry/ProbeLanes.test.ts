import { expect, test } from 'vitest';
import { ProbeLanes } from '../../../gateway/registry/ProbeLanes.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { settled } from '../../support/until.ts';

const never = new Promise<never>(() => {});

/** Lanes over forty members, and which probes have begun. */
function openLanes() {
  const clock = new FakeClock();
  const lanes = new ProbeLanes(clock, () => 40);
  const begun: string[] = [];
  const probe = (name: string, answer: Promise<unknown> = never) => {
    begun.push(name);
    return answer;
  };
  return { clock, lanes, begun, probe };
}

test('ProbeLanes: who has waited begins as soon as a place is free, awaited probes first', async () => {
  const { lanes, begun, probe } = openLanes();
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  for (const [index, { promise }] of ends.entries()) {
    void lanes.run('background', () => probe(`background ${index}`, promise));
  }
  void lanes.run('background', () => probe('last'));
  for (let index = 0; index < 4; index += 1) void lanes.run('awaited', () => probe(`awaited ${index}`));
  void lanes.run('awaited', () => probe('next'));
  await settled();
  expect(begun).toHaveLength(8);

  for (const { resolve } of ends) resolve();
  await settled();

  expect(begun.slice(8)).toEqual(['next', 'last']);
});

test('ProbeLanes: probes that hang give their places up after a second, and end when they end', async () => {
  const { clock, lanes, begun, probe } = openLanes();
  const late = Promise.withResolvers<string>();
  const first = lanes.run('awaited', () => probe('m0', late.promise));
  for (let index = 1; index < 16; index += 1) void lanes.run('awaited', () => probe(`m${index}`));
  void lanes.run('awaited', () => probe('healthy'));
  expect(begun).toHaveLength(8);
  clock.advance(1000);
  await settled();
  expect(begun).toHaveLength(16);
  clock.advance(1000);
  await settled();
  expect(begun.at(-1)).toBe('healthy');

  late.resolve('found');

  await expect(first).resolves.toBe('found');
});
