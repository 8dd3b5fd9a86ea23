import { expect, test } from 'vitest';
import type { LogFields, Logger } from '../../lib/Logger.ts';
import { createEventBatch } from '../../server/createEventBatch.ts';
import type { NewEvent } from '../../subgraph/index.ts';
import { FakeClock } from '../support/FakeClock.ts';

const event = (n: number): NewEvent => ({
  type: 'api.request',
  level: 'DEBUG',
  source: 'service',
  data: { n },
});

function open() {
  const clock = new FakeClock();
  const writes: unknown[][] = [];
  const told: LogFields[] = [];
  const disk = { isFull: false };
  const log = {
    append(events: readonly NewEvent[]): number {
      if (disk.isFull) throw new Error('disk full');
      return writes.push(events.map(({ data }) => data.n));
    },
  };
  const tell = (fields: LogFields): void => void told.push(fields);
  const logger: Logger = { debug() {}, info() {}, warn: tell, error: tell };
  return { clock, writes, told, disk, batch: createEventBatch({ log, clock, logger }) };
}

test('events of a moment are one write, in their order', () => {
  const { clock, writes, batch } = open();
  for (const n of [1, 2, 3]) batch.add(event(n));
  clock.advance(250);
  batch.add(event(4));
  clock.advance(250);
  expect(writes).toEqual([[1, 2, 3], [4]]);
  expect(clock.timers).toBe(0);
});

test('closing writes what waits; what comes later is written at once', () => {
  const { writes, clock, batch } = open();
  batch.add(event(1));
  batch[Symbol.dispose]();
  batch[Symbol.dispose]();
  batch.add(event(2));
  expect(writes).toEqual([[1], [2]]);
  expect(clock.timers).toBe(0);
});

test('a log that cannot be written is told once, and what waits is written when it can be', () => {
  const { clock, writes, told, disk, batch } = open();
  disk.isFull = true;
  batch.add(event(1));
  clock.advance(11_000);
  batch.add(event(2));
  disk.isFull = false;
  clock.advance(5_000);
  expect(writes).toEqual([[1, 2]]);
  expect(told).toEqual([{ reason: 'disk full', waiting: 1 }]);
});

test('no more than 10,000 events wait, and those that are dropped are counted', () => {
  const { clock, writes, told, disk, batch } = open();
  disk.isFull = true;
  for (let n = 0; n < 10_003; n += 1) batch.add(event(n));
  disk.isFull = false;
  clock.advance(250);
  expect(writes[0]).toHaveLength(10_000);
  expect(told).toEqual([{ dropped: 3 }]);
});
