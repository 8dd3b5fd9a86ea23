import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { SharedReads } from '../../lib/SharedReads.ts';
import { FakeClock } from '../support/FakeClock.ts';

/** Reads that end when the test says so; each answers with its number, from 1. */
function openReads() {
  const clock = new FakeClock();
  const reads = new SharedReads<number>(clock);
  const begun: (PromiseWithResolvers<number> & { readonly signal: AbortSignal })[] = [];
  const read = (key = 'tasks', signal = new AbortController().signal): Promise<number> =>
    reads.read(key, signal, (shared) => {
      const pending = { ...Promise.withResolvers<number>(), signal: shared };
      begun.push(pending);
      return pending.promise;
    });
  /** Ends the read of that number, and lets what waits for it go on. */
  const end = async (number: number): Promise<void> => {
    begun[number - 1]?.resolve(number);
    await turn();
  };
  return { clock, begun, read, end };
}

test('SharedReads.read() begins at once when nothing that asks the same is under way', async () => {
  const { begun, read, end } = openReads();
  const answers = [read('tasks'), read('sessions')];
  expect(begun).toHaveLength(2);
  await end(1);
  await end(2);
  expect(await Promise.all(answers)).toEqual([1, 2]);
});

test('SharedReads.read() gives all who come during a read the answer to the next one', async () => {
  const { begun, read, end } = openReads();
  const first = read();
  const others = [read(), read(), read()];
  expect(begun).toHaveLength(1);
  await end(1);
  expect(await first).toBe(1);
  expect(begun).toHaveLength(2);
  await end(2);
  expect(await Promise.all(others)).toEqual([2, 2, 2]);
  expect(begun).toHaveLength(2);
});

test('SharedReads.read() never joins a read that began before it', async () => {
  const { begun, read, end } = openReads();
  const first = read();
  const second = read();
  await end(1);
  const third = read();
  expect(begun).toHaveLength(2);
  await end(2);
  await end(3);
  expect(await Promise.all([first, second, third])).toEqual([1, 2, 3]);
});

test('SharedReads.read() waits no longer than a tenth of a second for a read that hangs', async () => {
  const { clock, begun, read, end } = openReads();
  const hung = read();
  const waiting = read();
  clock.advance(99);
  await turn();
  expect(begun).toHaveLength(1);
  clock.advance(1);
  await turn();
  expect(begun).toHaveLength(2);
  await end(2);
  expect(await waiting).toBe(2);
  await end(1);
  expect(await hung).toBe(1);
  expect(clock.timers).toBe(0);
});

test('SharedReads.read() waits for the newest of several that hang', async () => {
  const { clock, begun, read } = openReads();
  void read();
  void read();
  clock.advance(100);
  await turn();
  void read();
  await turn();
  expect(begun).toHaveLength(2);
  clock.advance(100);
  await turn();
  expect(begun).toHaveLength(3);
});

test('SharedReads.read() fails all who share a read alike, and the next one begins anew', async () => {
  const { begun, read, end } = openReads();
  void read();
  const sharing = [read(), read()];
  await end(1);
  begun[1]?.reject(new Error('the member is gone'));
  expect(await Promise.allSettled(sharing)).toMatchObject([
    { status: 'rejected', reason: { message: 'the member is gone' } },
    { status: 'rejected', reason: { message: 'the member is gone' } },
  ]);
  await turn();
  const next = read();
  await end(3);
  expect(await next).toBe(3);
});

test('SharedReads.read() lets one who leaves go at once, and ends the read when the last one has left', async () => {
  const { begun, read } = openReads();
  const [one, other] = [new AbortController(), new AbortController()];
  void read();
  const sharing = [read('tasks', one.signal), read('tasks', other.signal)];
  begun[0]?.resolve(1);
  await turn();
  one.abort(new Error('one has left'));
  await expect(sharing[0]).rejects.toThrow('one has left');
  expect(begun[1]?.signal.aborted).toBe(false);
  other.abort(new Error('the other has left'));
  await expect(sharing[1]).rejects.toThrow('the other has left');
  expect(begun[1]?.signal.aborted).toBe(true);
});

test('SharedReads.read() does not begin a read that all have left, and nobody joins it', async () => {
  const { begun, read, end } = openReads();
  const leaving = new AbortController();
  void read();
  const left = read('tasks', leaving.signal);
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  const late = read();
  await end(1);
  expect(begun).toHaveLength(2);
  await end(2);
  expect(await late).toBe(2);
});

test('SharedReads.read() forgets what has ended', async () => {
  const { begun, read, end } = openReads();
  const first = read();
  await end(1);
  expect(await first).toBe(1);
  void read();
  expect(begun).toHaveLength(2);
});
