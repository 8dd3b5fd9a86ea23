import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../../gateway/member/Member.ts';
import { settled, until } from '../../support/until.ts';
import { offsetsOf, openFanIn, range, summarize } from './openFanIn.ts';

const INTERVAL_MS = 15_000;

describe('FleetStream: what a subscriber receives', () => {
  test('without a cursor, events from now on, of every member, each with the position after it', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    fleet.own.log.add(2);
    fleet.log('alpha').add(5);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(1);
    const [first] = await reader.take(1);
    fleet.log('beta').add(1);
    const [second] = await reader.take(1);
    fleet.own.log.add(1);
    const [third] = await reader.take(1);
    expect([first, second, third]).toMatchObject([
      {
        kind: 'event',
        instance: 'alpha',
        event: { offset: 6, data: { n: 6 } },
        cursor: 'alpha=6,beta=0,hq=2',
      },
      { kind: 'event', instance: 'beta', event: { offset: 1, ref: 'o/r#1' }, cursor: 'alpha=6,beta=1,hq=2' },
      {
        kind: 'event',
        instance: 'hq',
        event: { offset: 3, type: 'task.updated' },
        cursor: 'alpha=6,beta=1,hq=3',
      },
    ]);
  });

  test('own events that come right after the call', async () => {
    await using fleet = openFanIn([]);
    await using reader = fleet.subscribe();
    fleet.own.log.add(1);
    expect(summarize(await reader.take(1))).toEqual(['hq 1']);
  });

  test('never the traces of requests, live or replayed', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    const log = fleet.log('alpha');
    log.add(1, 'api.request');
    log.add(1, 'mcp.call');
    log.add(1);
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0' });
    expect(summarize(await reader.take(1))).toEqual(['alpha 3']);
    log.add(1, 'api.request');
    log.add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 5']);
  });

  test.each([
    ['types', { filter: { types: ['task.*'] } }, ['alpha 1', 'alpha 2', 'hq 1']],
    ['level', { filter: { minLevel: 'WARNING' } }, ['alpha 3']],
    ['source', { filter: { source: 'service' } }, ['alpha 3']],
    ['ref in the filter', { filter: { ref: 'o/r#2' } }, ['alpha 2']],
    ['ref', { ref: 'o/r#2' }, ['alpha 2']],
    ['instance', { instance: 'hq' }, ['hq 1']],
    ['instance and type', { instance: 'alpha', filter: { types: ['service.started'] } }, ['alpha 3']],
  ] as const)('only what matches: %s', async (_, subscription, expected) => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    fleet.log('alpha').add(1);
    fleet.log('alpha').add(1, 'task.updated', 'o/r#2');
    fleet.log('alpha').append([{ type: 'service.started', level: 'WARNING', source: 'service', data: {} }]);
    fleet.own.log.add(1);
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0', ...subscription });
    expect(summarize(await reader.take(expected.length)).sort()).toEqual(expected);
    expect(await reader.poll()).toEqual([]);
  });

  test('a busy member does not keep the others waiting', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(300);
    fleet.log('beta').add(3);
    await settled();
    expect(offsetsOf(await reader.take(12), 'beta')).toEqual([1, 2, 3]);
  });
});

describe('FleetStream: resume', () => {
  test('the first subscriber is given what it missed, and then what comes', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    fleet.log('alpha').add(7);
    fleet.log('beta').add(3);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=4,beta=3,hq=0' });
    expect(summarize(await reader.take(3))).toEqual(['alpha 5', 'alpha 6', 'alpha 7']);
    fleet.log('beta').add(1);
    expect(await reader.take(1)).toMatchObject([{ instance: 'beta', cursor: 'alpha=7,beta=4,hq=0' }]);
  });

  test('it is given it also when no member was probed yet', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(3);
    await using reader = fleet.subscribe({ after: 'alpha=1,hq=0' });
    expect(summarize(await reader.take(2))).toEqual(['alpha 2', 'alpha 3']);
  });

  /*
   * Feature: Stream
   * Scenario: a long way is caught up in pages and joined to the live stream at the exact offset
   *   Requirement: spec/manager.md#T1
   *   Given a member whose log is longer than several pages
   *   When a subscriber resumes near its beginning while more is written
   *   Then it gets every event once, in order, and then what comes
   */
  test('a long way is caught up in pages and joined to the live stream at the exact offset', async () => {
    await using fleet = openFanIn(['alpha']);
    const log = fleet.log('alpha');
    log.add(1700);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0' });
    const early = await reader.take(900);
    log.add(400);
    const late = await reader.take(1200);
    log.add(50);
    const live = await reader.take(50);
    expect(offsetsOf([...early, ...late, ...live], 'alpha')).toEqual(range(1, 2150));
    expect(await reader.poll()).toEqual([]);
  });

  /*
   * Feature: Stream
   * Scenario: a name that is not registered is passed over, a registered one that is missing is one desync and starts now
   *   Requirement: spec/manager.md#T1
   *   Given a cursor with a name that is not registered, and without one that is
   *   When a subscriber resumes with it
   *   Then the first is passed over, and the second is one desync and is read from now on
   */
  test('a name that is not registered is passed over, a registered one that is missing is one desync and starts now', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    fleet.log('alpha').add(2);
    fleet.log('beta').add(2);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=1,gamma=7,hq=0' });
    await fleet.watched();
    const items = await reader.take(2);
    expect(summarize(items).sort()).toEqual(['alpha 2', 'desync beta joined']);
    expect(items[1]).toMatchObject({ cursor: 'alpha=2,beta=2,hq=0' });
    fleet.log('beta').add(1);
    expect(summarize(await reader.take(1))).toEqual(['beta 3']);
  });

  test('a member that is down keeps its position, and is caught up when it is back', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    fleet.log('alpha').add(5);
    fleet.member('alpha').cut();
    await fleet.registry.refresh({ signal: new AbortController().signal });
    await using reader = fleet.subscribe({ after: 'alpha=2,beta=0,hq=0', filter: { types: ['task.*'] } });
    await fleet.watched(['beta']);
    fleet.log('beta').add(1);
    expect(await reader.take(1)).toMatchObject([
      { instance: 'beta', cursor: expect.stringMatching(/^alpha=2,beta=1,hq=/) },
    ]);
    fleet.member('alpha').plug();
    fleet.clock.advance(INTERVAL_MS);
    expect(offsetsOf(await reader.takeEvents(3), 'alpha')).toEqual([3, 4, 5]);
  });
});

describe('FleetStream: members that are not there when a subscriber comes', () => {
  test.each([
    ['without a cursor', undefined],
    ['with a cursor of the time when it was down', 'hq=0'],
  ])('a member that comes back is one desync, and then its events: %s', async (_, after) => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(5);
    fleet.member('alpha').cut();
    await fleet.registry.refresh({ signal: new AbortController().signal });
    await using reader = fleet.subscribe({ ...(after && { after }), filter: { types: ['task.*'] } });
    await reader.poll();
    fleet.member('alpha').plug();
    fleet.log('alpha').add(2);
    fleet.clock.advance(INTERVAL_MS);
    await fleet.watched();
    const told = (await reader.poll()).filter(({ kind }) => kind !== 'bookmark');
    expect(summarize(told)).toEqual(['desync alpha joined']);
    expect(reader.cursor).toMatch(/^alpha=7,/);
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 8']);
  });

  test('one that is back at once is one desync, too', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(5);
    fleet.member('alpha').cut();
    await fleet.registry.refresh({ signal: new AbortController().signal });
    await using reader = fleet.subscribe({ filter: { types: ['task.*'] } });
    await reader.poll();
    fleet.member('alpha').plug();
    fleet.log('alpha').add(2);
    await fleet.registry.refresh({ signal: new AbortController().signal });
    await fleet.watched();
    expect(summarize(await reader.poll())).toEqual(['desync alpha joined']);
  });

  test('one that the fan-in has read before it went down is read on from there', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(5);
    await fleet.ready();
    await using _first = fleet.subscribe();
    await fleet.watched();
    fleet.member('alpha').cut();
    await fleet.registry.refresh({ signal: new AbortController().signal });
    await using reader = fleet.subscribe({ filter: { types: ['task.*'] } });
    await reader.poll();
    fleet.member('alpha').plug();
    fleet.log('alpha').add(2);
    fleet.clock.advance(INTERVAL_MS);
    expect(summarize(await reader.takeEvents(2))).toEqual(['alpha 6', 'alpha 7']);
  });

  test('one that counts as live and cannot be reached is one desync when it can', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(5);
    await fleet.ready();
    fleet.member('alpha').cut();
    await using reader = fleet.subscribe();
    await reader.poll();
    fleet.member('alpha').plug();
    fleet.log('alpha').add(2);
    fleet.clock.advance(1000);
    await fleet.watched();
    expect(summarize(await reader.poll())).toEqual(['desync alpha joined']);
  });

  test('one that was registered while the subscriber was away is one desync when it resumes', async () => {
    await using fleet = openFanIn(['alpha']);
    await using first = fleet.subscribe({ after: 'alpha=0,hq=0' });
    fleet.log('alpha').add(1);
    await first.take(1);
    await first.leave();
    fleet.register(['alpha', 'beta']);
    fleet.log('beta').add(3);
    await using second = fleet.subscribe({ after: first.cursor });
    await fleet.watched(['alpha', 'beta']);
    expect(summarize(await second.take(1))).toEqual(['desync beta joined']);
    fleet.log('beta').add(1);
    expect(summarize(await second.take(1))).toEqual(['beta 4']);
  });

  test('who leaves before it is told of the gap is told when it resumes', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    fleet.log('alpha').add(3);
    fleet.log('beta').add(40);
    await fleet.ready();
    for (let after = 'beta=0,hq=0', told = false; !told; ) {
      await using reader = fleet.subscribe({ after });
      const [item] = await reader.take(1);
      expect(item?.cursor.includes('alpha')).toBe(item?.kind === 'desync');
      after = item?.cursor ?? '';
      told = item?.kind === 'desync';
    }
  });

  test('one that has left and comes back is one desync', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.register(['alpha']);
    await fleet.ready();
    await settled();
    fleet.log('beta').add(3);
    fleet.register(['alpha', 'beta']);
    await fleet.ready();
    await fleet.watched();
    fleet.log('beta').add(1);
    expect(summarize(await reader.take(2))).toEqual(['desync beta joined', 'beta 4']);
  });
});

describe('FleetStream: upstreams', () => {
  test('a live member has one, however many subscribers there are, and none when the last has left', async () => {
    await using fleet = openFanIn(['alpha', 'beta', 'gamma']);
    fleet.member('gamma').cut();
    await fleet.registry.refresh({ signal: new AbortController().signal });
    const readers = range(1, 8).map(() => fleet.subscribe());
    await fleet.watched(['alpha', 'beta']);
    await settled();
    expect(['alpha', 'beta', 'gamma'].map((name) => fleet.member(name).opened)).toEqual([1, 1, 0]);
    expect(fleet.stream.counts()).toEqual({ subscribers: 8, upstreams: { open: 3, wanted: 3 } });
    for (const reader of readers.slice(1)) await reader.leave();
    expect(fleet.member('alpha').watches).toBe(1);
    await readers[0]?.leave();
    await until(() => fleet.member('alpha').watches + fleet.member('beta').watches === 0);
    expect(fleet.stream.counts()).toEqual({ subscribers: 0, upstreams: { open: 0, wanted: 0 } });
    // The registry's own, which looks after the member that is down.
    expect(fleet.clock.timers).toBe(1);
  });

  test('what happens while an upstream is lost is there after it', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(2);
    await reader.take(2);
    fleet.member('alpha').drop();
    fleet.log('alpha').add(3);
    await settled();
    fleet.clock.advance(1000);
    expect(offsetsOf(await reader.take(3), 'alpha')).toEqual([3, 4, 5]);
    expect(fleet.member('alpha').opened).toBe(2);
  });

  /*
   * Feature: Stream
   * Scenario: a lost one is tried again after 1, 2, 4, 8, 16, 30, 30 s, and from 1 s on once it gave something
   *   Requirement: spec/manager.md#T1
   *   Given an upstream that cannot be opened
   *   When time passes on a clock of the test
   *   Then it is tried again after each of these waits, and from the first one on after it gave something
   */
  test('a lost one is tried again after 1, 2, 4, 8, 16, 30, 30 s, and from 1 s on once it gave something', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    fleet.own.edit({ probeIntervalSeconds: 3600 });
    const member = fleet.member('alpha');
    const watch = member.watch.bind(member);
    let attempts = 0;
    member.watch = async function* () {
      attempts += 1;
      yield* [];
      throw new Error('lost');
    };
    await using reader = fleet.subscribe();
    const waited: number[] = [];
    const waitForAttempt = async (): Promise<void> => {
      const before = attempts;
      for (let seconds = 1; attempts === before; seconds += 1) {
        fleet.clock.advance(1000);
        await settled();
        if (attempts > before) waited.push(seconds);
      }
    };
    await until(() => attempts === 1);
    await settled();
    for (let attempt = 0; attempt < 7; attempt += 1) await waitForAttempt();
    expect(waited).toEqual([1, 2, 4, 8, 16, 30, 30]);
    member.watch = watch;
    fleet.log('alpha').add(1);
    fleet.clock.advance(30_000);
    await reader.takeEvents(1);
    member.watch = async function* () {
      attempts += 1;
      yield* [];
    };
    member.drop();
    await settled();
    await waitForAttempt();
    expect(waited.at(-1)).toBe(1);
  });

  test('a member that refuses its stream stays in the fleet: an upstream is wanted, and none is open', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    const member = fleet.member('alpha');
    const watch = member.watch.bind(member);
    member.watch = async function* () {
      yield* [];
      throw new Error('at capacity');
    };
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0' });
    await settled();
    expect(fleet.stream.counts().upstreams).toEqual({ open: 1, wanted: 2 });
    expect(fleet.registry.snapshot().map(({ state }) => state)).toEqual(['live', 'live']);
    member.watch = watch;
    fleet.log('alpha').add(1);
    fleet.clock.advance(1000);
    expect(summarize(await reader.take(1))).toEqual(['alpha 1']);
    expect(fleet.stream.counts().upstreams).toEqual({ open: 2, wanted: 2 });
  });

  test('when the last subscriber has left positions are forgotten: the next one is fresh', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    const first = fleet.subscribe();
    await fleet.watched();
    await first.leave();
    fleet.log('alpha').add(3);
    await using second = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(1);
    expect(summarize(await second.take(1))).toEqual(['alpha 4']);
  });

  test('a member that hangs delays nobody', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    fleet.log('alpha').add(5);
    await fleet.ready();
    fleet.member('alpha').hang();
    await using reader = fleet.subscribe({ after: 'alpha=0,beta=0,hq=0' });
    await fleet.watched(['beta']);
    fleet.log('beta').add(3);
    expect(offsetsOf(await reader.take(3), 'beta')).toEqual([1, 2, 3]);
  });

  test('a member that joins is one desync, and is read from the end of its log', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('beta').add(4);
    await using reader = fleet.subscribe();
    fleet.register(['alpha', 'beta']);
    await fleet.ready();
    await fleet.watched(['beta']);
    fleet.log('beta').add(1);
    expect(summarize(await reader.take(2))).toEqual(['desync beta joined', 'beta 5']);
  });

  test('a member that joins with an empty log is read from its beginning', async () => {
    await using fleet = openFanIn(['alpha']);
    await using reader = fleet.subscribe();
    fleet.register(['alpha', 'beta']);
    await fleet.ready();
    await fleet.watched(['beta']);
    fleet.log('beta').add(1);
    expect(summarize(await reader.take(1))).toEqual(['beta 1']);
  });

  test('a member that leaves is no longer read, nor in the cursor', async () => {
    await using fleet = openFanIn(['alpha', 'beta']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.register(['alpha']);
    await fleet.ready();
    await settled();
    fleet.log('beta').add(1);
    fleet.log('alpha').add(1);
    expect(await reader.take(1)).toMatchObject([{ instance: 'alpha', cursor: 'alpha=1,hq=0' }]);
    expect(fleet.member('beta').watches).toBe(0);
  });

  test('another instance under a known name is one desync, and is read from its end', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(3);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.register([{ name: 'alpha', url: 'http://elsewhere:4114' }]);
    await fleet.ready();
    expect(await reader.take(1)).toMatchObject([{ kind: 'desync', reason: 'rotated', instance: 'alpha' }]);
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 4']);
  });
});

describe('FleetStream: slow readers', () => {
  test('one that the window has left behind is given everything, and delays nobody', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    await using slow = fleet.subscribe();
    await using quick = fleet.subscribe();
    await fleet.watched();
    const log = fleet.log('alpha');
    log.add(10);
    await slow.take(3);
    const quickly: number[] = [];
    for (let burst = 0; burst < 12; burst += 1) {
      log.add(500);
      quickly.push(...offsetsOf(await quick.poll(), 'alpha'));
    }
    expect(quickly).toEqual(range(1, 6010));
    const slowly = [...slow.items.slice(0, 3), ...(await slow.take(6007))];
    expect(offsetsOf(slowly, 'alpha')).toEqual(range(1, 6010));
    expect(slowly.filter(({ kind }) => kind !== 'event')).toEqual([]);
  });

  test('large events leave the window by their size, and are not lost', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    const text = 'x'.repeat(500_000);
    for (let count = 0; count < 20; count += 1) {
      fleet.log('alpha').append([{ type: 'task.updated', level: 'INFO', source: 'tasks', data: { text } }]);
    }
    await settled();
    expect(offsetsOf(await reader.take(20), 'alpha')).toEqual(range(1, 20));
  });
});

describe('FleetStream: readers that pause', () => {
  test('one that was not read for two seconds gives up its page, and goes on where it was', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(400);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0' });
    await fleet.watched();
    const early = await reader.take(100);
    const { calls } = fleet.member('alpha');
    await fleet.rest();
    const late = await reader.take(300);
    expect(offsetsOf([...early, ...late], 'alpha')).toEqual(range(1, 400));
    expect(fleet.member('alpha').calls).toBe(calls + 1);
  });

  test('one that is read keeps its page', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(400);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0' });
    await fleet.watched();
    const items = await reader.take(100);
    const { calls } = fleet.member('alpha');
    for (let second = 0; second < 3; second += 1) {
      items.push(...(await reader.take(100)));
      fleet.clock.advance(1000);
      await settled();
    }
    expect(offsetsOf(items, 'alpha')).toEqual(range(1, 400));
    expect(fleet.member('alpha').calls).toBe(calls);
  });
});

describe('FleetStream: many who are behind', () => {
  test('they leave the event loop its turns, and read what they have in common together', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(2000);
    await fleet.ready();
    const before = fleet.member('alpha').calls;
    const readers = range(1, 100).map(() => fleet.subscribe({ after: 'alpha=0,hq=0' }));
    let isOver = false;
    const reading = Promise.all(readers.map((reader) => reader.take(100))).then(() => {
      isOver = true;
    });
    const count = (): number => readers.reduce((sum, { items }) => sum + items.length, 0);
    let most = 0;
    await setImmediate();
    for (let told = count(); !isOver; told = count()) {
      await setImmediate();
      most = Math.max(most, count() - told);
    }
    await reading;
    expect(most).toBeLessThanOrEqual(16 * 8);
    expect(fleet.member('alpha').calls - before).toBeLessThan(10);
    for (const reader of readers) await reader[Symbol.asyncDispose]();
  });
});

describe('FleetStream: who reads what comes', () => {
  test('is served before those who are caught up, however many they are', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(2000);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    const behind = range(1, 200).map(() => fleet.subscribe({ after: 'alpha=0,hq=0' }));
    const told = (): number => behind.reduce((sum, { items }) => sum + items.length, 0);
    const catchingUp = Promise.all(behind.map((one) => one.take(300)));
    await until(() => told() > 1000);
    const before = told();
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 2001']);
    // In the order of asking it would be served behind 8 items of each of them.
    expect(told() - before).toBeLessThan(400);
    await catchingUp;
    for (const one of behind) await one[Symbol.asyncDispose]();
  });
});

describe('FleetStream: what cannot be replayed', () => {
  test.each([
    ['empty', ''],
    ['an offset alone', '17'],
    ['a name alone', 'alpha'],
    ['negative', 'alpha=-1'],
    ['a trailing comma', 'alpha=1,'],
    ['a bad name', 'ALPHA=1'],
    ['a name twice', 'alpha=1,alpha=2'],
    ['a fraction', 'alpha=1.5'],
    ['too long', 'x'.repeat(9000)],
  ])('a cursor that cannot be read (%s) is one desync, and then the stream is live', async (_, after) => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(3);
    await fleet.ready();
    await using reader = fleet.subscribe({ after });
    expect(await reader.take(1)).toEqual([{ kind: 'desync', reason: 'bad-cursor', cursor: 'hq=0' }]);
    await fleet.watched();
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 4']);
  });

  test.each([['alpha=9'], ['alpha=9007199254740991']])(
    'a position beyond the end, %s, is one desync, and then the member is read from its end',
    async (position) => {
      await using fleet = openFanIn(['alpha', 'beta']);
      fleet.log('alpha').add(3);
      fleet.log('beta').add(2);
      await fleet.ready();
      await using reader = fleet.subscribe({ after: `${position},beta=0,hq=0` });
      const items = await reader.take(3);
      expect(summarize(items).filter((line) => line.startsWith('beta'))).toEqual(['beta 1', 'beta 2']);
      expect(items.filter(({ kind }) => kind === 'desync')).toMatchObject([{ instance: 'alpha' }]);
      fleet.log('alpha').add(1);
      expect(await reader.take(1)).toMatchObject([{ instance: 'alpha', event: { offset: 4 } }]);
      expect(await reader.poll()).toEqual([]);
    },
  );

  test('a position that the log has forgotten is one desync, and then the member is read from its end', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(30);
    fleet.log('alpha').truncate(20);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=5,hq=0' });
    expect(await reader.take(1)).toEqual([
      { kind: 'desync', reason: 'truncated', instance: 'alpha', cursor: 'alpha=30,hq=0' },
    ]);
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 31']);
  });

  test('a log that begins anew is one desync for each subscriber, quick or slow', async () => {
    await using opened = await openSlowAndQuick();
    const { fleet, log, slow, quick } = opened;
    await slow.take(1);
    log.reset();
    log.add(2);
    fleet.member('alpha').drop();
    await settled();
    fleet.clock.advance(1000);
    await until(() => fleet.member('alpha').opened === 2);
    await settled();
    fleet.log('alpha').add(1);
    expect(summarize(await quick.take(2))).toEqual(['desync alpha truncated', 'alpha 3']);
    const rest = summarize(await slow.poll());
    expect(rest.filter((line) => line.startsWith('desync'))).toEqual(['desync alpha truncated']);
    expect(rest.at(-1)).toBe('alpha 3');
  });

  test('a log that is cut while its member is away is one desync for who missed something, and for nobody else', async () => {
    await using opened = await openSlowAndQuick();
    const { fleet, log, slow, quick } = opened;
    await fleet.rest();
    await slow.take(1);
    fleet.member('alpha').drop();
    log.add(10);
    log.truncate(3000);
    await settled();
    fleet.clock.advance(1000);
    expect(offsetsOf(await quick.take(10), 'alpha')).toEqual(range(3001, 3010));
    const rest = await slow.poll();
    // The page that it had read is still told.
    expect(offsetsOf(rest, 'alpha')).toEqual(range(2, 500));
    expect(summarize(rest.slice(499))).toEqual(['desync alpha truncated']);
    log.add(1);
    expect(summarize(await slow.take(1))).toEqual(['alpha 3011']);
    expect(summarize(await quick.take(1))).toEqual(['alpha 3011']);
  });

  test('a log that is cut behind everybody is one desync for each', async () => {
    await using opened = await openSlowAndQuick();
    const { fleet, log, slow, quick } = opened;
    await slow.take(1);
    fleet.member('alpha').drop();
    log.add(40);
    log.truncate(3020);
    await settled();
    fleet.clock.advance(1000);
    await until(() => fleet.member('alpha').opened === 2);
    for (const reader of [slow, quick]) {
      const told = summarize(await reader.poll());
      expect(told.filter((line) => line.startsWith('desync'))).toEqual(['desync alpha truncated']);
      expect(reader.cursor).toBe('alpha=3040,hq=0');
    }
    log.add(1);
    for (const reader of [slow, quick]) expect(summarize(await reader.take(1))).toEqual(['alpha 3041']);
  });

  test('a log that is cut under a member that tells it itself is one desync', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(3);
    await reader.take(3);
    const member = fleet.member('alpha');
    const watch = member.watch.bind(member);
    member.watch = async function* (options) {
      fleet.log('alpha').truncate(10);
      yield { events: [], seen: 10, desync: 'truncated' };
      yield* watch({ ...options, after: 10 });
    };
    member.drop();
    fleet.log('alpha').add(12);
    await settled();
    fleet.clock.advance(1000);
    expect(summarize(await reader.take(1))).toEqual(['desync alpha truncated']);
    expect(await reader.poll()).toEqual([]);
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(1))).toEqual(['alpha 16']);
  });

  test('a log that began anew and is longer than before is one desync', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(5);
    await reader.take(5);
    fleet.member('alpha').drop();
    await settled();
    fleet.log('alpha').reset();
    fleet.clock.advance(500);
    fleet.log('alpha').add(9);
    fleet.clock.advance(500);
    await until(() => fleet.member('alpha').opened === 2);
    await settled();
    fleet.log('alpha').add(1);
    expect(summarize(await reader.take(2))).toEqual(['desync alpha rotated', 'alpha 10']);
  });

  test('so it is for one that resumes after nobody was there, and nothing for one that comes anew', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    const first = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(5);
    await first.take(5);
    await first.leave();
    fleet.log('alpha').reset();
    fleet.clock.advance(1000);
    fleet.log('alpha').add(9);
    await using fresh = fleet.subscribe();
    await using resumed = fleet.subscribe({ after: first.cursor });
    await fleet.watched();
    await settled();
    fleet.log('alpha').add(1);
    expect(summarize(await resumed.take(2))).toEqual(['desync alpha rotated', 'alpha 10']);
    expect(summarize(await fresh.take(1))).toEqual(['alpha 10']);
  });

  test('what was told of a log once is not told again to who resumes later', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    const first = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(5);
    await first.take(5);
    await first.leave();
    const second = fleet.subscribe({ after: first.cursor });
    await fleet.watched();
    fleet.member('alpha').drop();
    await settled();
    fleet.log('alpha').reset();
    fleet.clock.advance(500);
    fleet.log('alpha').add(9);
    fleet.clock.advance(500);
    expect(summarize(await second.take(1))).toEqual(['desync alpha rotated']);
    await second.leave();
    await using third = fleet.subscribe({ after: second.cursor });
    await fleet.watched();
    fleet.log('alpha').add(1);
    expect(summarize(await third.take(1))).toEqual(['alpha 10']);
  });

  test('who learned from its own page that the log was cut is not told again when the upstream is back', async () => {
    await using opened = await openSlowAndQuick();
    const { fleet, log, slow, quick } = opened;
    await fleet.rest();
    await slow.take(1);
    fleet.member('alpha').drop();
    log.add(40);
    log.truncate(3020);
    expect(summarize(await slow.poll()).at(-1)).toBe('desync alpha truncated');
    fleet.clock.advance(1000);
    await until(() => fleet.member('alpha').opened === 2);
    expect(summarize(await quick.take(1))).toEqual(['desync alpha truncated']);
    log.add(1);
    for (const reader of [slow, quick]) expect(summarize(await reader.take(1))).toEqual(['alpha 3041']);
  });

  test('a member that cannot page its log is one desync for who is behind', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(4);
    await fleet.ready();
    fleet.member('alpha').execute = async (): ReturnType<Member['execute']> => ({
      kind: 'failure',
      failure: { kind: 'notSupported', reason: 'no log' },
    });
    await using live = fleet.subscribe();
    await fleet.watched();
    fleet.log('alpha').add(1);
    expect(summarize(await live.take(1))).toEqual(['alpha 5']);
    await using behind = fleet.subscribe({ after: 'alpha=2,hq=0' });
    expect(summarize(await behind.take(1))).toEqual(['desync alpha member']);
    fleet.log('alpha').add(1);
    expect(summarize(await behind.take(1))).toEqual(['alpha 6']);
  });
});

describe('FleetStream: bookmarks', () => {
  test('who was told nothing is told its position after 5 s, if that has moved, and only then', async () => {
    await using fleet = openFanIn(['alpha']);
    await fleet.ready();
    await using reader = fleet.subscribe({ after: 'alpha=0,hq=0', filter: { types: ['config.*'] } });
    await fleet.watched();
    fleet.log('alpha').add(700);
    expect(await reader.poll()).toEqual([]);
    fleet.clock.advance(4999);
    expect(await reader.poll()).toEqual([]);
    fleet.clock.advance(1);
    expect(await reader.poll()).toEqual([{ kind: 'bookmark', cursor: 'alpha=700,hq=0' }]);
    fleet.clock.advance(5000);
    expect(await reader.poll()).toEqual([]);
    fleet.log('alpha').add(1);
    expect(await reader.poll()).toEqual([{ kind: 'bookmark', cursor: 'alpha=701,hq=0' }]);
    fleet.log('alpha').add(1);
    expect(await reader.poll()).toEqual([]);
  });

  test('a new subscriber is told where it began', async () => {
    await using fleet = openFanIn(['alpha']);
    fleet.log('alpha').add(4);
    await fleet.ready();
    await using reader = fleet.subscribe();
    await fleet.watched();
    await reader.poll();
    fleet.clock.advance(5000);
    expect(await reader.poll()).toEqual([{ kind: 'bookmark', cursor: 'alpha=4,hq=0' }]);
  });
});

describe('FleetStream: ends', () => {
  test('with the signal of the subscriber, also while it waits', async () => {
    await using fleet = openFanIn(['alpha']);
    const controller = new AbortController();
    await using reader = fleet.subscribe({ signal: controller.signal });
    await reader.poll();
    controller.abort();
    await reader.end();
    expect(fleet.stream.counts().subscribers).toBe(0);
  });

  test('with a signal that has aborted before', async () => {
    await using fleet = openFanIn(['alpha']);
    await using reader = fleet.subscribe({ signal: AbortSignal.abort() });
    await reader.end();
    expect(fleet.stream.counts().subscribers).toBe(0);
  });

  test('when the reader leaves, also before it has read anything', async () => {
    await using fleet = openFanIn(['alpha']);
    const reader = fleet.subscribe();
    expect(fleet.stream.counts().subscribers).toBe(1);
    await reader.leave();
    expect(fleet.stream.counts().subscribers).toBe(0);
  });

  test('with the fan-in; who comes later finds the end', async () => {
    await using fleet = openFanIn(['alpha']);
    await using reader = fleet.subscribe();
    await fleet.stream[Symbol.asyncDispose]();
    await reader.end();
    await using late = fleet.subscribe();
    await late.end();
    expect(fleet.stream.counts()).toEqual({ subscribers: 0, upstreams: { open: 0, wanted: 0 } });
  });
});

/** Two subscribers of `alpha`, whose log has 3,000 events: the quick one was given all of them, the slow one has not asked yet. */
async function openSlowAndQuick() {
  await using resources = new AsyncDisposableStack();
  const fleet = resources.use(openFanIn(['alpha']));
  await fleet.ready();
  const slow = resources.use(fleet.subscribe());
  const quick = resources.use(fleet.subscribe());
  await fleet.watched();
  const log = fleet.log('alpha');
  log.add(3000);
  await quick.take(3000);
  const owned = resources.move();
  return { fleet, log, slow, quick, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
