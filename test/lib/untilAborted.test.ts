import { expect, test } from 'vitest';
import { untilAborted } from '../../lib/untilAborted.ts';

test('untilAborted() settles as the work does', async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve(1), signal)).toBe(1);
  await expect(untilAborted(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
});

test('untilAborted() rejects with the reason of the signal, and leaves the work alone', async () => {
  const work = Promise.withResolvers<number>();
  const controller = new AbortController();
  const waiting = untilAborted(work.promise, controller.signal);
  controller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  work.resolve(1);
  expect(await work.promise).toBe(1);
});

test('untilAborted() rejects at once when the signal has aborted before', async () => {
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(untilAborted(new Promise(() => {}), signal)).rejects.toThrow('gone');
});
