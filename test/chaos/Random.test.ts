import { expect, test } from 'vitest';
import { Random } from './Random.ts';

function take(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => random.integer(0, 999));
}

test('Random gives the same numbers for the same seed, and others for the next seed', () => {
  expect(take(new Random(1), 20)).toEqual(take(new Random(1), 20));
  expect(take(new Random(1), 20)).not.toEqual(take(new Random(2), 20));
});

test('Random.integer() reaches both bounds and nothing else', () => {
  const random = new Random(0);
  const numbers = new Set(Array.from({ length: 200 }, () => random.integer(3, 5)));
  expect([...numbers].sort()).toEqual([3, 4, 5]);
});

test('Random.shuffle() keeps every item, and what it was given', () => {
  const items = [1, 2, 3, 4, 5, 6];
  const shuffled = new Random(4).shuffle(items);
  expect(shuffled.toSorted()).toEqual(items);
  expect(shuffled).not.toEqual(items);
});

test('Random.fork() does not depend on how much its origin is used afterwards', () => {
  const [one, other] = [new Random(5), new Random(5)];
  const fork = one.fork();
  take(one, 10);
  expect(take(fork, 10)).toEqual(take(other.fork(), 10));
});
