/** A log of tasks as pages, for as long as somebody looks after the tasks. */
import { expect, test, vi } from 'vitest';
import { TaskLog } from '../../../../gateway/member/a2a/TaskLog.ts';
import { watchLog } from '../../../../gateway/member/a2a/watchLog.ts';

const EVENT = {
  type: 'task.status',
  at: '2026-01-01T00:00:00.000Z',
  level: 'INFO',
  ref: 'a2a:agent/t#1',
  source: 'a2a',
  pid: 0,
  data: {},
} as const;

function openLog(run: (signal: AbortSignal) => Promise<void>) {
  const log = new TaskLog(0);
  const controller = new AbortController();
  const pages = watchLog({ log, after: undefined, run, signal: controller.signal });
  return { log, controller, pages };
}

test('events come as they are appended, and leave nothing behind at what goes on', async () => {
  const running = Promise.withResolvers<void>();
  const then = vi.spyOn(running.promise, 'then');
  const { log, controller, pages } = openLog((signal) => {
    signal.addEventListener('abort', () => running.resolve());
    return running.promise;
  });
  for (let offset = 1; offset <= 100; offset += 1) {
    const page = pages.next();
    log.append([EVENT]);
    expect(await page).toEqual({ done: false, value: { events: [{ ...EVENT, offset }], seen: offset } });
  }
  expect(then.mock.calls.length).toBeLessThan(5);
  const page = pages.next();
  controller.abort();
  expect((await page).done).toBe(true);
});

test('who waits is told of a failure, and who reads is told of it after what was there', async () => {
  const running = Promise.withResolvers<void>();
  const { log, pages } = openLog(() => running.promise);
  const first = pages.next();
  log.append([EVENT]);
  await first;
  log.append([EVENT]);
  running.reject(new Error('no list'));
  expect((await pages.next()).value).toMatchObject({ seen: 2 });
  await expect(pages.next()).rejects.toThrow('no list');

  const other = openLog(() => Promise.reject(new Error('no list at all')));
  await expect(other.pages.next()).rejects.toThrow('no list at all');
});
