import { expect, test } from 'vitest';
import { Lane } from '../../../../server/a2a/push/Lane.ts';
import type { DueUpdate } from '../../../../subgraph/index.ts';
import { settled } from '../../../support/until.ts';

test('Lane sends the updates of one record one after the other', async () => {
  const { lane, due, sent } = open();
  due.set(1, [11, 12, 13]);

  lane.add(1);
  lane.add(1);
  await settled();

  expect(sent).toEqual([
    [1, 11],
    [1, 12],
    [1, 13],
  ]);
});

test('Lane: records take turns', async () => {
  const gate = Promise.withResolvers<void>();
  const { lane, due, sent } = open({ gate: gate.promise });
  for (let number = 1; number <= 10; number += 1) due.set(number, [number, number + 100]);

  for (let number = 1; number <= 10; number += 1) lane.add(number);
  await settled();
  expect(sent.map(([number]) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  gate.resolve();
  await settled();

  expect(sent.slice(8, 10).map(([number]) => number)).toEqual([9, 10]);
  expect(sent).toHaveLength(20);
});

test('Lane hears of a record that is added while an update of it is under way', async () => {
  const gate = Promise.withResolvers<void>();
  const { lane, due, sent } = open({ gate: gate.promise });
  due.set(1, [11]);
  lane.add(1);
  await settled();

  due.set(1, [11, 12]);
  lane.add(1);
  gate.resolve();
  await settled();

  expect(sent).toEqual([
    [1, 11],
    [1, 12],
  ]);
});

test('Lane leaves alone what is under way on another lane', async () => {
  const underWay = new Set([1]);
  const { lane, due, sent } = open({ underWay });
  due.set(1, [11]);

  lane.add(1);
  await settled();

  expect(sent).toEqual([]);
});

test('Lane sends nothing again of a record whose update was not settled, until it is added', async () => {
  const { lane, due, sent, fail } = open();
  due.set(1, [11]);
  fail.add(1);
  lane.add(1);
  await settled();
  expect(sent).toEqual([[1, 11]]);

  fail.clear();
  lane.add(1);
  await settled();

  expect(sent).toEqual([
    [1, 11],
    [1, 11],
  ]);
});

test('Lane turns records away over a thousand that wait, and asks for them when there is room again', async () => {
  const gate = Promise.withResolvers<void>();
  const { lane, due, sent, calls } = open({ gate: gate.promise });
  for (let number = 1; number <= 1_010; number += 1) {
    due.set(number, [number]);
    lane.add(number);
  }
  expect(calls).toEqual([]);

  gate.resolve();
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBe(2);

  expect(calls).toEqual(['room', 'idle']);
  expect(sent).toHaveLength(1_008);
});

test('Lane begins nothing more once it was told to stop', async () => {
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  const { lane, due, sent, calls } = open({ gate: gate.promise, signal: stop.signal });
  due.set(1, [11, 12]);
  due.set(2, [21]);
  lane.add(1);

  stop.abort();
  lane.add(2);
  gate.resolve();
  await settled();

  expect(sent).toEqual([[1, 11]]);
  expect(calls).toEqual(['idle']);
});

function open({
  gate,
  underWay = new Set<number>(),
  signal = new AbortController().signal,
}: {
  readonly gate?: Promise<void>;
  readonly underWay?: Set<number>;
  readonly signal?: AbortSignal;
} = {}) {
  const due = new Map<number, number[]>();
  const sent: [number, number][] = [];
  const fail = new Set<number>();
  const calls: string[] = [];
  const lane = new Lane({
    dueOf: (number) => {
      const offset = due.get(number)?.[0];
      return offset === undefined ? undefined : ({ offset } as DueUpdate);
    },
    async send(number, { offset }) {
      sent.push([number, offset]);
      await gate;
      if (fail.has(number)) throw new Error('it was not settled');
      due.set(number, due.get(number)?.filter((each) => each !== offset) ?? []);
    },
    onRoom: () => calls.push('room'),
    onIdle: () => calls.push('idle'),
    underWay,
    signal,
  });
  return { lane, due, sent, fail, calls };
}
