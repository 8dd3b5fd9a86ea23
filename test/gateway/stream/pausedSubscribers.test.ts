/** A thousand subscribers that do not read: what the fan-in holds for them, and who waits for them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { MemberEvent } from '../../../gateway/member/Member.ts';
import { offsetsOf, openFanIn, range } from './openFanIn.ts';

const PAUSED = 1_000;
const EVENTS = 200_000;
const PAGE = 256;
/** A window of 2 MiB of text takes about twice as much, and a paused subscriber a position for each of two members. */
const MAX_HELD_BYTES = 8 * 2 ** 20 + PAUSED * 2 ** 13;

test('a thousand paused subscribers and 200,000 events cost the window and a position each, and delay nobody', async () => {
  await using fleet = openFanIn(['alpha']);
  await fleet.ready();
  let isTaken = Promise.withResolvers<void>();
  // Nothing but the window keeps the events: this log forgets them as it tells them.
  fleet.member('alpha').watch = async function* () {
    for (let seen = 0; seen < EVENTS; seen += PAGE) {
      isTaken = Promise.withResolvers();
      yield {
        events: range(seen + 1, Math.min(seen + PAGE, EVENTS)).map(toEvent),
        seen: Math.min(seen + PAGE, EVENTS),
      };
      await isTaken.promise;
    }
  };
  const healthy = fleet.stream.subscribe({ signal: new AbortController().signal });
  const paused = range(1, PAUSED).map(() => fleet.subscribe());
  for (const reader of paused) expect(offsetsOf(await reader.take(1), 'alpha')).toEqual([1]);
  const before = heldAfterCollection();

  let told = 0;
  for await (const item of healthy) {
    if (item.kind !== 'event') continue;
    told += 1;
    if (item.event.offset !== told) throw new Error(`${item.event.offset} came in place of ${told}`);
    if (told % PAGE === 0) isTaken.resolve();
    if (told === EVENTS) break;
  }

  expect(heldAfterCollection() - before).toBeLessThan(MAX_HELD_BYTES);
  expect(fleet.stream.counts().subscribers).toBe(PAUSED);
  isTaken.resolve();
  for (const reader of paused) await reader[Symbol.asyncDispose]();
});

function toEvent(offset: number): MemberEvent {
  const data = { text: 'x'.repeat(1000), offset };
  return { offset, type: 'task.status', at: '', level: 'INFO', ref: null, source: 'tasks', pid: 1, data };
}

/** Heap and external memory of this process, in bytes. */
function heldAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
