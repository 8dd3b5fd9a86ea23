import { expect, test } from 'vitest';
import { mapInOrder } from '../../../gateway/stream/mapInOrder.ts';
import { closableIterable } from '../../../lib/closableIterable.ts';
import { settled } from '../../support/until.ts';

test('mapInOrder() yields in the order of the items, whatever takes longest', async () => {
  const works = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const results = mapInOrder(sourceOf(0, 1, 2), 3, async (item) => {
    await works[item]?.promise;
    return item * 10;
  });
  const all = Array.fromAsync(results);
  for (const work of works.toReversed()) {
    work.resolve();
    await settled();
  }
  expect(await all).toEqual([0, 10, 20]);
});

test('mapInOrder() is at most so many items ahead of its reader', async () => {
  const started: number[] = [];
  const results = mapInOrder(sourceOf(0, 1, 2, 3, 4, 5), 3, async (item) => {
    started.push(item);
    return item;
  });
  await results.next();
  await settled();
  expect(started).toEqual([0, 1, 2]);
  await results.return(undefined);
});

test('mapInOrder() ends its source when its reader leaves, also while both wait', async () => {
  let hasEnded = false;
  const source = closableIterable<number>(async function* (signal) {
    yield 0;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    hasEnded = true;
  });
  const results = mapInOrder(source, 2, async (item) => item);
  await results.next();
  const next = results.next();
  await settled();
  await results.return(undefined);
  expect(await next).toEqual({ value: undefined, done: true });
  expect(hasEnded).toBe(true);
});

test('mapInOrder() passes on what the source throws', async () => {
  const source = closableIterable<number>(async function* () {
    yield 0;
    throw new Error('lost');
  });
  const results = mapInOrder(source, 3, async (item) => item);
  expect(await results.next()).toEqual({ value: 0, done: false });
  await expect(results.next()).rejects.toThrow('lost');
});

async function* sourceOf(...items: number[]): AsyncGenerator<number, void> {
  yield* items;
}
