import { expect, test } from 'vitest';
import { Store } from '../../../web/src/live/Store.ts';

class Counter extends Store<number, number> {
  readonly calls: string[] = [];

  constructor() {
    super(0, (previous, added) => previous + added);
  }

  add(count: number): void {
    this.apply(count);
  }

  protected override start(): void {
    this.calls.push('start');
  }

  protected override stop(): void {
    this.calls.push('stop');
  }
}

test('Store starts with its first reader, stops with its last and may start again', () => {
  const counter = new Counter();
  const leave = [counter.watch(() => {}), counter.watch(() => {})];
  expect(counter.calls).toEqual(['start']);
  for (const go of leave) go();
  expect(counter.calls).toEqual(['start', 'stop']);
  counter.watch(() => {});
  expect(counter.calls).toEqual(['start', 'stop', 'start']);
});

test('Store tells its readers of a change and of nothing else', () => {
  const counter = new Counter();
  const seen: number[] = [];
  counter.watch(() => seen.push(counter.read()));
  counter.add(2);
  counter.add(0);
  counter.add(3);
  expect(seen).toEqual([2, 5]);
});
