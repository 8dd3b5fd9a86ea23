/** Readers of the fleet's events that are cut off, while tasks run and the manager dies. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import { EventReader, type SeenEvent } from '../support/EventReader.ts';
import { eventsOverSse, taskEventsOverSocket, taskEventsOverUrql } from '../support/openStreams.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, awaitState, createTask, readTask } from '../support/taskClient.ts';

const NAMES = ['alpha', 'beta', 'hq'];
/** Before the first event of each log. */
const BEGINNING = 'alpha=0,beta=0,hq=0';
/** A message of several lines becomes a plan with one turn and several events per line. */
const LONG_WORK = ['Collect', 'Sort', 'Count', 'Compare', 'Report'].join('\n');
/** Makes the work last a second, so that cuts and deaths fall into it. */
const SLOW = { scripted: { delayMs: 120 } };

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({ workers: { alpha: SLOW, beta: SLOW }, manager: SLOW });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

/*
 * Feature: One stream over the fleet
 * Scenario: clients that are cut off see every event exactly once, also across the death of the manager
 *   Requirement: spec/manager.md#R2.8
 *   Requirement: spec/manager.md#T2
 *   Given clients of hq that read task events from the beginning, through graphql-ws, through urql and as server-sent events
 *   And each of them is cut off after every few events and goes on after its cursor
 *   When tasks run on all three instances, and hq is killed meanwhile and started again
 *   Then each client has seen, of each instance, exactly the events of its log, in order
 *   And nobody was told that it missed something
 */
test('clients that are cut off see every event exactly once, also across the death of the manager', async () => {
  using socket = new EventReader({ open: taskEventsOverSocket(fleet.url), after: BEGINNING, cutAfter: 5 });
  using urql = new EventReader({ open: taskEventsOverUrql(fleet.url), after: BEGINNING, cutAfter: 7 });
  using sse = new EventReader({ open: eventsOverSse(fleet.url), after: BEGINNING, cutAfter: 9 });
  const readers = { socket, urql, sse };
  await Promise.all(
    NAMES.map((name) => createTask(fleet.url, LONG_WORK, { ref: `github:o/${name}#1`, instance: name })),
  );
  await socket.until(() => socket.events.length >= 12);

  await fleet.manager.kill();
  await fleet.manager.start();
  await createTask(fleet.url, LONG_WORK, { ref: 'github:o/alpha#2', instance: 'alpha' });
  const refs = [...NAMES.map((name) => `github:o/${name}#1`), 'github:o/alpha#2'];
  await Promise.all(refs.map((ref) => awaitParked(fleet.url, { ref })));

  for (const [client, reader] of Object.entries(readers)) {
    const isPublic = client === 'sse' ? isOnTheStream : isTaskEvent;
    for (const name of NAMES) {
      const log = (await readLog(name)).filter(isPublic);
      const { offset: last } = log.findLast(isTaskEvent) as SeenEvent;
      const seen = () => reader.events.filter(({ instance }) => instance === name);
      await reader.until(() => (seen().at(-1)?.offset ?? 0) >= last);
      expect(upTo(last, seen()), `${client} of ${name}`).toEqual(upTo(last, log));
    }
    expect(reader.desyncs, client).toBe(0);
    expect(reader.connections, client).toBeGreaterThan(5);
  }
});

/*
 * Feature: One stream over the fleet
 * Scenario: a member that dies and comes back goes on in the stream where it was
 *   Requirement: spec/manager.md#R2.8
 *   Given a client of hq that reads task events and is never cut off itself
 *   When alpha is killed while its task runs, and started again
 *   Then the client has seen exactly the events of alpha's log, in order, on one connection
 */
test('a member that dies and comes back goes on in the stream where it was', async () => {
  const ref = 'github:o/alpha#3';
  using reader = new EventReader({ open: taskEventsOverSocket(fleet.url), after: BEGINNING });
  await createTask(fleet.url, LONG_WORK, { ref, instance: 'alpha' });
  await awaitState(async () =>
    expect((await readTask(fleet.url, { ref, instance: 'alpha' })).turns).toBeGreaterThan(1),
  );

  await fleet.instance('alpha').kill();
  await fleet.instance('alpha').start();
  await awaitParked(fleet.instance('alpha').url, { ref });
  const log = (await readLog('alpha')).filter(isTaskEvent);
  await reader.until(() =>
    reader.events.some(({ instance, offset }) => instance === 'alpha' && offset === log.at(-1)?.offset),
  );

  expect(reader.events.filter(({ instance }) => instance === 'alpha')).toEqual(log);
  expect(reader).toMatchObject({ desyncs: 0, connections: 1 });
});

/*
 * Feature: One stream over the fleet
 * Scenario: a position that a log does not have is told once
 *   Requirement: spec/manager.md#R2.8
 *   Given a worker, and its manager
 *   When a client reads task events after a position that the worker's log has not reached
 *   Then it gets one stream.desync, and then what happens from now on
 */
test.each([
  { name: 'alpha', after: '999999' },
  { name: 'hq', after: 'alpha=999999,beta=0,hq=0' },
])('a position that a log does not have is told once', async ({ name, after }) => {
  using reader = new EventReader({ open: taskEventsOverSocket(fleet.instance(name).url), after });
  await reader.until(() => reader.desyncs > 0);
  const ref = `github:o/desync-${name}#1`;

  await createTask(fleet.url, 'Say something', { ref, instance: 'alpha' });
  const created = (await readLog('alpha')).findLast(({ type }) => type === 'task.created') as SeenEvent;
  await reader.until(() =>
    reader.events.some(({ offset, instance }) => instance === 'alpha' && offset >= created.offset),
  );

  expect(reader.events.filter(({ instance }) => instance === 'alpha')[0]).toEqual(created);
  expect(reader.desyncs).toBe(1);
  // What the task still does is not to be the first thing that the next reader sees.
  await awaitParked(fleet.instance('alpha').url, { ref });
});

/** The whole log of one instance, asked of itself. */
async function readLog(name: string): Promise<SeenEvent[]> {
  const query = `query ($after: String) {
    events(first: 1000, after: $after) { nodes { instance offset type } pageInfo { hasNextPage endCursor } }
  }`;
  const { url } = fleet.instance(name);
  const log: SeenEvent[] = [];
  let after: string | undefined;
  do {
    const { events } = await readGraphQL(url, query, { after });
    log.push(...events.nodes.filter(({ instance }: SeenEvent) => instance === name));
    after = events.pageInfo.hasNextPage ? events.pageInfo.endCursor : undefined;
  } while (after);
  return log;
}

function isTaskEvent({ type }: SeenEvent): boolean {
  return type.startsWith('task.');
}

/** Records of requests are never on the stream: it would feed itself (spec/manager.md § 14.2). */
function isOnTheStream({ type }: SeenEvent): boolean {
  return type !== 'api.request';
}

function upTo(last: number, events: readonly SeenEvent[]): SeenEvent[] {
  return events.filter(({ offset }) => offset <= last);
}
