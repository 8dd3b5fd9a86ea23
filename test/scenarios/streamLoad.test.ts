/** Many subscribers, and one that stops to read, over real sockets (spec/manager.md § 23, P3 and P9). */
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { quantile } from '../../bench/support/measure.ts';
import type { StateEventLog } from '../../subgraph/log/createEventLog.ts';
import { EventReader } from '../support/EventReader.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { eventsOverSse, taskEventsOverSocket } from '../support/openStreams.ts';

const EIGHT = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'];
/** Before the first event of each log. */
const BEGINNING = [...EIGHT, 'gone', 'hq']
  .sort()
  .map((name) => `${name}=0`)
  .join(',');
/** Nothing listens there. */
const GONE = { name: 'gone', url: 'http://127.0.0.1:9' };

/*
 * Feature: One stream over the fleet
 * Scenario: eight subscribers of nine members, one of them down, cost each live member one connection
 *   Requirement: spec/manager.md#P3
 *   Requirement: spec/manager.md#T7
 *   Given eight live members, a ninth that is registered and down, and eight subscribers over both faces
 *   When each subscriber has seen an event of each live member
 *   Then each live member has counted one connection for events, made once
 *   And when the last subscriber has left it has none
 */
test('eight subscribers of nine members, one of them down, cost each live member one connection', async () => {
  await using fleet = await openHostileFleet({
    members: Object.fromEntries(EIGHT.map((name) => [name, []])),
    strangers: [GONE],
  });
  const readers = EIGHT.map((_, index) => {
    const open = index % 2 === 0 ? taskEventsOverSocket(fleet.url) : eventsOverSse(fleet.url);
    return new EventReader({ open, after: BEGINNING });
  });
  for (const name of EIGHT) append(fleet, { name, count: 1, text: 'hello' });
  for (const reader of readers) await reader.until(() => countMembers(reader) === EIGHT.length);

  for (const name of EIGHT) {
    const { streams, requests } = fleet.server(name);
    const upgrades = requests.filter(({ headers }) => headers.upgrade === 'websocket');
    expect({ name, streams, upgrades: upgrades.length }).toEqual({ name, streams: 1, upgrades: 1 });
  }
  expect((await fleet.states()).gone?.state).toBe('unreachable');

  for (const reader of readers) reader[Symbol.dispose]();
  await expect.poll(() => EIGHT.map((name) => fleet.server(name).streams)).toEqual(EIGHT.map(() => 0));
});

/*
 * Feature: One stream over the fleet
 * Scenario: one subscriber stops to read a thousand events a second, and loses nothing; nobody waits for it
 *   Requirement: spec/manager.md#P9
 *   Given three subscribers of one member, and one more that has stopped to read its socket
 *   When the member writes a thousand events of two thousand characters a second, for five seconds
 *   Then the three have each event at once and in order, and the manager's memory does not grow
 *   And when the fourth reads on it is given every event, in order, and is told of no gap
 */
test('one subscriber stops to read a thousand events a second, and loses nothing; nobody waits for it', async () => {
  const seconds = 5;
  await using fleet = await openHostileFleet({ members: { m1: [] } });
  const readers = [1, 2, 3].map(
    () => new EventReader({ open: taskEventsOverSocket(fleet.url), after: 'hq=0,m1=0' }),
  );
  using stalled = new StallingReader(fleet.url);
  append(fleet, { name: 'm1', count: 1, text: 'first' });
  await stalled.until(() => stalled.offsets.length > 0);
  stalled.pause();
  const held: Held[] = [];
  const lagsMs: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    for (let tenth = 0; tenth < 10; tenth += 1) {
      append(fleet, { name: 'm1', count: 100, text: 'x'.repeat(2000) });
      await delay(100);
    }
    const last = 1 + 1000 * (second + 1);
    const startMs = performance.now();
    for (const reader of readers) await reader.until(() => reader.events.at(-1)?.offset === last);
    lagsMs.push(performance.now() - startMs);
    held.push(heldAfterCollection());
  }

  const all = Array.from({ length: 1 + 1000 * seconds }, (_, index) => index + 1);
  for (const reader of readers) {
    expect(reader.events.map(({ offset }) => offset)).toEqual(all);
    expect(reader.desyncs).toBe(0);
  }
  // In the middle: the machine may be busy with other tests for a moment.
  expect(quantile(lagsMs, 0.5)).toBeLessThan(1000);
  // The readers here keep less than half of that, of what they have seen; what came meanwhile is three times as much.
  const [early, last] = [held[1], held.at(-1)] as [Held, Held];
  expect(last.heap - early.heap).toBeLessThan(2 ** 21);
  // Buffers grow once by four MiB, whatever is written; those of the fourth reader would take six.
  expect(last.external - early.external).toBeLessThan(5 * 2 ** 20);
  expect(stalled.offsets.length).toBeLessThan(all.length);
  stalled.resume();
  await stalled.until(() => stalled.offsets.length === all.length);
  expect(stalled.offsets).toEqual(all);
  expect(stalled.desyncs).toBe(0);
  for (const reader of readers) reader[Symbol.dispose]();
});

/*
 * Feature: One stream over the fleet
 * Scenario: what a subscriber that has stopped to read cannot be given any more is one gap that it is told of, and nobody else's
 *   Requirement: spec/manager.md#P9
 *   Given a subscriber of one member, and one more that has stopped to read its socket
 *   When the member writes a thousand events of two thousand characters a second, for five seconds, and then keeps the newest hundred only
 *   Then the one has each event, in order
 *   And the other, when it reads on, is told of one gap, and then given what comes after it
 */
test("what a subscriber that has stopped to read cannot be given any more is one gap that it is told of, and nobody else's", async () => {
  await using fleet = await openHostileFleet({ members: { m1: [] } });
  using reader = new EventReader({ open: taskEventsOverSocket(fleet.url), after: 'hq=0,m1=0' });
  using stalled = new StallingReader(fleet.url);
  append(fleet, { name: 'm1', count: 1, text: 'first' });
  await stalled.until(() => stalled.offsets.length > 0);
  stalled.pause();
  for (let tenth = 0; tenth < 50; tenth += 1) {
    append(fleet, { name: 'm1', count: 100, text: 'x'.repeat(2000) });
    await delay(100);
  }
  const all = Array.from({ length: 5001 }, (_, index) => index + 1);
  await reader.until(() => reader.events.at(-1)?.offset === all.length);
  const log = fleet.worker('m1').worker.log as StateEventLog;
  while (log.prune({ count: 100, sinceMs: 0, step: 1000 }));

  stalled.resume();
  await stalled.until(() => stalled.desyncs > 0);
  const given = stalled.offsets.length;
  append(fleet, { name: 'm1', count: 1, text: 'last' });
  await stalled.until(() => stalled.offsets.length > given);
  await reader.until(() => reader.events.at(-1)?.offset === all.length + 1);

  expect(given).toBeLessThan(all.length - 100);
  expect(stalled.offsets).toEqual([...all.slice(0, given), all.length + 1]);
  expect(stalled.desyncs).toBe(1);
  expect(reader.events.map(({ offset }) => offset)).toEqual([...all, all.length + 1]);
  expect(reader.desyncs).toBe(0);
});

interface Growth {
  readonly name: string;
  readonly count: number;
  readonly text: string;
}

function append(fleet: HostileFleet, { name, count, text }: Growth): void {
  const event = {
    type: 'task.updated',
    level: 'INFO' as const,
    source: 'tasks',
    ref: 'o/r#1',
    data: { text },
  };
  fleet.worker(name).worker.log.append(Array.from({ length: count }, () => event));
}

function countMembers({ events }: EventReader): number {
  return new Set(events.map(({ instance }) => instance).filter((name) => name !== 'hq')).size;
}

/** Memory of this process, of which the manager is a part, in bytes. */
interface Held {
  readonly heap: number;
  readonly external: number;
}

function heldAfterCollection(): Held {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, external };
}

/** A subscriber of the member's task events, from the beginning, which stops to read its socket when it is told to. */
class StallingReader implements Disposable {
  readonly offsets: number[] = [];
  desyncs = 0;
  readonly #socket: WebSocket;
  #awaited: { readonly condition: () => boolean; readonly resolve: () => void } | undefined;

  constructor(url: string) {
    this.#socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    this.#socket.on('open', () => this.#socket.send(JSON.stringify({ type: 'connection_init' })));
    this.#socket.on('message', (data) => this.#take(JSON.parse(String(data))));
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Resolves with the event that makes it true. */
  async until(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      this.#awaited = { condition, resolve };
    });
  }

  [Symbol.dispose](): void {
    this.#socket.terminate();
  }

  #take({
    type,
    payload,
  }: {
    type: string;
    payload?: { data: { taskEvents: { type: string; offset: number } } };
  }) {
    if (type === 'connection_ack') {
      const query = 'subscription { taskEvents(after: "hq=0,m1=0") { type offset data } }';
      this.#socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    }
    if (type !== 'next' || !payload) return;
    const event = payload.data.taskEvents;
    if (event.type === 'stream.desync') this.desyncs += 1;
    else if (event.type !== 'stream.bookmark') this.offsets.push(event.offset);
    if (this.#awaited?.condition()) this.#awaited.resolve();
  }
}
