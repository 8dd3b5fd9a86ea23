import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createEventLog,
  type EventLimits,
  type StateEventLog,
} from '../../../subgraph/log/createEventLog.ts';
import type { EventLogFilter, EventPage, NewEvent } from '../../../subgraph/log/EventLog.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { openStateFile, type StateFile } from '../../support/openStateFile.ts';

function anEvent(type = 'task.status', change: Partial<NewEvent> = {}): NewEvent {
  return { type, level: 'INFO', source: 'tasks', data: {}, ...change };
}

function events(count: number, type?: string): NewEvent[] {
  return Array.from({ length: count }, () => anEvent(type));
}

function openLog(state: StateFile): StateEventLog {
  return createEventLog({ database: state.database, clock: new FakeClock(1_000), pid: 7 });
}

interface Reader extends AsyncDisposable {
  next(): Promise<EventPage | undefined>;
}

function watch(log: StateEventLog, after: number, filter?: EventLogFilter): Reader {
  const controller = new AbortController();
  const pages = log.watch({ after, filter, signal: controller.signal })[Symbol.asyncIterator]();
  return {
    async next() {
      const { value, done } = await pages.next();
      return done ? undefined : value;
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await pages.return?.();
    },
  };
}

describe('append and read', () => {
  test('a record comes back whole, with its offset, time and process', () => {
    using state = openStateFile();
    const log = openLog(state);
    const event = anEvent('task.created', { ref: 'github:o/r#1', level: 'WARNING', data: { name: 'Ü' } });
    expect(log.append([event, anEvent()])).toBe(2);
    expect(log.read({ limit: 10 })).toEqual([
      { offset: 1, atMs: 1_000, pid: 7, ...event },
      { offset: 2, atMs: 1_000, pid: 7, ...anEvent() },
    ]);
  });

  test('an empty log starts and ends at 0', () => {
    using state = openStateFile();
    const log = openLog(state);
    expect([log.start(), log.end(), log.append([])]).toEqual([0, 0, 0]);
  });

  test('offsets have no gap after a rollback and after a restart', () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(2));
    const fail = () =>
      state.database.transaction(() => {
        log.append(events(3));
        throw new Error('rolled back');
      });
    expect(fail).toThrow('rolled back');
    expect(log.end()).toBe(2);
    state.reopen();
    expect(openLog(state).append(events(1))).toBe(3);
  });

  test('reads keep to their bounds and to the end that is asked for', () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(10));
    const offsets = (query: Partial<Parameters<StateEventLog['read']>[0]>) =>
      log.read({ limit: 3, ...query }).map(({ offset }) => offset);
    expect(offsets({})).toEqual([1, 2, 3]);
    expect(offsets({ after: 4 })).toEqual([5, 6, 7]);
    expect(offsets({ after: 4, until: 5 })).toEqual([5]);
    expect(offsets({ keep: 'newest' })).toEqual([8, 9, 10]);
    expect(offsets({ keep: 'newest', until: 6 })).toEqual([4, 5, 6]);
    expect(offsets({ after: 10 })).toEqual([]);
  });

  test.each<[string, EventLimits, { start: number; isMore: boolean }]>([
    ['the newest by count', { count: 4, sinceMs: 0, step: 100 }, { start: 6, isMore: false }],
    ['the youngest by time', { count: 100, sinceMs: 1_004, step: 100 }, { start: 3, isMore: false }],
    ['whichever is less', { count: 8, sinceMs: 1_006, step: 100 }, { start: 5, isMore: false }],
    ['all within the limits', { count: 10, sinceMs: 0, step: 100 }, { start: 0, isMore: false }],
    ['the newest, however old', { count: 100, sinceMs: 9_999, step: 100 }, { start: 9, isMore: false }],
    ['more than a step may forget', { count: 4, sinceMs: 0, step: 5 }, { start: 5, isMore: true }],
  ])('pruning keeps %s', (_title, limits, { start, isMore }) => {
    using state = openStateFile();
    const clock = new FakeClock(1_000);
    const log = createEventLog({ database: state.database, clock, pid: 7 });
    for (let index = 0; index < 10; index += 1) {
      clock.advance(1);
      log.append([anEvent()]);
    }
    expect(log.prune(limits)).toBe(isMore);
    expect([log.start(), log.end()]).toEqual([start, 10]);
  });

  test('records of a task that is erased are there without ref and data, and no other ones change', () => {
    using state = openStateFile();
    const log = openLog(state);
    const data = { text: 'secret' };
    const ref = 'o/r#1';
    log.append([
      anEvent('task.created', { ref, task: 1, data }),
      anEvent('task.created', { ref, task: 2, data }),
      anEvent('session.registered', { ref, data }),
      anEvent('task.status', { ref, task: 1, data }),
    ]);
    const before = log.read({ limit: 10 });
    log.erase({ task: 1, ref });
    const { ref: _none, ...first } = before[0]!;
    const { ref: _neither, ...last } = before[3]!;
    const erased = { purged: true };
    expect(log.read({ limit: 10 })).toStrictEqual([
      { ...first, data: erased },
      before[1],
      before[2],
      { ...last, data: erased },
    ]);
    expect(log.read({ limit: 10, filter: { ref } }).map(({ offset }) => offset)).toEqual([2, 3]);
  });

  test('truncation moves the start, keeps the newest record and the count', () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(5));
    log.truncate(3);
    expect([log.start(), log.end()]).toEqual([3, 5]);
    log.truncate(5);
    expect([log.start(), log.end()]).toEqual([4, 5]);
    state.reopen();
    expect(openLog(state).append(events(1))).toBe(6);
  });
});

describe('watch', () => {
  test('shows what is there, then what comes', async () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(2));
    await using reader = watch(log, 0);
    expect((await reader.next())?.records.map(({ offset }) => offset)).toEqual([1, 2]);
    const next = reader.next();
    log.append(events(1));
    expect(await next).toMatchObject({ records: [{ offset: 3 }], seen: 3 });
  });

  test('shows nothing of a transaction before its commit, and nothing of one that is rolled back', async () => {
    using state = openStateFile();
    const log = openLog(state);
    await using reader = watch(log, 0);
    const next = reader.next();
    await settle();
    const fail = () =>
      state.database.transaction(() => {
        log.append(events(1, 'lost'));
        throw new Error('rolled back');
      });
    expect(fail).toThrow('rolled back');
    state.database.transaction(() => {
      log.append(events(1, 'first'));
      log.append(events(1, 'second'));
    });
    expect((await next)?.records.map(({ type }) => type)).toEqual(['first', 'second']);
  });

  test('gives a slow reader everything in pages of at most 256, in order', async () => {
    using state = openStateFile();
    const log = openLog(state);
    await using reader = watch(log, 0);
    const first = reader.next();
    await settle();
    log.append(events(600));
    const pages = [await first];
    log.append(events(1));
    while (pages.at(-1)?.seen !== 601) pages.push(await reader.next());
    const offsets = pages.flatMap((page) => page?.records.map(({ offset }) => offset));
    expect(offsets).toEqual(Array.from({ length: 601 }, (_, index) => index + 1));
    expect(Math.max(...pages.map((page) => page?.records.length ?? 0))).toBe(256);
  });

  test('passes a filter while it catches up and live', async () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append([anEvent('a'), anEvent('b'), anEvent('a')]);
    await using reader = watch(log, 0, { types: ['a'] });
    expect(await reader.next()).toMatchObject({ records: [{ offset: 1 }, { offset: 3 }], seen: 3 });
    const next = reader.next();
    await settle();
    log.append([anEvent('b')]);
    log.append([anEvent('b'), anEvent('a'), anEvent('b')]);
    expect(await next).toMatchObject({ records: [{ offset: 6 }], seen: 7 });
  });

  test('gives a filtered reader an empty page at least every 1,000 records', async () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(1_500, 'b'));
    await using reader = watch(log, 0, { types: ['a'] });
    expect(await reader.next()).toEqual({ records: [], seen: 1_000 });
    const next = reader.next();
    await settle();
    log.append(events(499, 'b'));
    await settle();
    log.append(events(1, 'b'));
    expect(await next).toEqual({ records: [], seen: 2_000 });
  });

  test('ends when its signal aborts, and when its reader leaves, also while it waits', async () => {
    using state = openStateFile();
    const log = openLog(state);
    const controller = new AbortController();
    const pages = log.watch({ after: 0, signal: controller.signal })[Symbol.asyncIterator]();
    const aborted = pages.next();
    controller.abort();
    expect((await aborted).done).toBe(true);
    const others = log.watch({ after: 0, signal: new AbortController().signal })[Symbol.asyncIterator]();
    const left = others.next();
    await others.return?.();
    expect((await left).done).toBe(true);
  });

  test('a cursor beyond the end waits until the log has come there', async () => {
    using state = openStateFile();
    const log = openLog(state);
    await using reader = watch(log, 3);
    const next = reader.next();
    await settle();
    for (let index = 0; index < 4; index += 1) log.append(events(1));
    expect((await next)?.records.map(({ offset }) => offset)).toEqual([4]);
  });

  test('a reader below the start is told so, and goes on with the oldest record that is kept', async () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(10));
    log.truncate(8);
    await using reader = watch(log, 2);
    expect(await reader.next()).toEqual({ records: [], seen: 8, isCut: true });
    expect((await reader.next())?.records.map(({ offset }) => offset)).toEqual([9, 10]);
  });

  test('a reader that the log is cut past while it catches up is told so, once', async () => {
    using state = openStateFile();
    const log = openLog(state);
    log.append(events(600));
    await using reader = watch(log, 0);
    expect((await reader.next())?.seen).toBe(256);
    log.truncate(590);
    expect(await reader.next()).toEqual({ records: [], seen: 590, isCut: true });
    const rest = await reader.next();
    expect(rest?.records.map(({ offset }) => offset)).toEqual([
      591, 592, 593, 594, 595, 596, 597, 598, 599, 600,
    ]);
  });

  test('many readers read one commit once', async () => {
    using state = openStateFile();
    const log = openLog(state);
    await using readers = new AsyncDisposableStack();
    const all = Array.from({ length: 500 }, () => readers.use(watch(log, 0)));
    const next = all.map((reader) => reader.next());
    await settle();
    log.append(events(3));
    const pages = await Promise.all(next);
    expect(new Set(pages.map((page) => page?.records[0])).size).toBe(1);
  });

  test('a reader in the middle of a replay goes on over records that are erased meanwhile', async () => {
    using state = openStateFile();
    const log = openLog(state);
    const ref = 'o/r#1';
    log.append(Array.from({ length: 300 }, () => anEvent('task.status', { ref, task: 1, data: { n: 1 } })));
    await using reader = watch(log, 0);
    const first = await reader.next();
    log.erase({ task: 1, ref });
    const second = await reader.next();
    expect([first?.seen, second?.seen]).toEqual([256, 300]);
    expect(second?.records.map(({ offset }) => offset)).toEqual(
      Array.from({ length: 44 }, (_, index) => 257 + index),
    );
    expect(second?.records[0]?.data).toEqual({ purged: true });
  });

  test('any cuts of a stream and any pace give the same records', async () => {
    const batches = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(batches, fc.infiniteStream(fc.integer({ min: 0, max: 3 })), async (sizes, pauses) => {
        using state = openStateFile();
        const log = openLog(state);
        const total = sizes.reduce((sum, size) => sum + size, 0);
        const seen: number[] = [];
        const read = async () => {
          let position = 0;
          while (position < total) {
            await using reader = watch(log, position);
            for (let pages = pauses.next().value; pages >= 0 && position < total; pages -= 1) {
              const page = await reader.next();
              seen.push(...(page?.records.map(({ offset }) => offset) ?? []));
              position = page?.seen ?? position;
            }
          }
        };
        const reading = read();
        for (const size of sizes) {
          log.append(events(size));
          for (let turns = pauses.next().value; turns > 0; turns -= 1) await settle();
        }
        await reading;
        expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      }),
      { numRuns: 30 },
    );
  });
});

/** Lets everything run that is due. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
