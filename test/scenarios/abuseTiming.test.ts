/** Members that hang, and what a read costs: waits and requests, counted (spec/manager.md § 22, A4; § 23, P1 and P4 to P8). */
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../lib/Clock.ts';
import { readFrames } from '../server/support/readFrames.ts';
import { eventually } from '../support/eventually.ts';
import { type HostileFleet, openHostileFleet } from '../support/HostileFleet.ts';
import { MISBEHAVIOURS } from '../support/MemberServer.ts';

const TIMEOUT_MS = 1000;
/** Longest list read with a member that hangs: the timeout and one second. */
const READ_BOUND_MS = TIMEOUT_MS + 1000;
/**
 * Everybody lives in this process, and the machine may be busy with other tests: on a clock that is so many times slower, the work itself
 * takes less of each second, and waits take as many seconds as ever.
 */
const SLOWNESS = 3;
const slowClock: Clock = {
  ...systemClock,
  monotonicMs: () => systemClock.monotonicMs() / SLOWNESS,
  schedule: (delayMs, callback) => systemClock.schedule(delayMs * SLOWNESS, callback),
};
const EIGHT = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'];
const HASTY = { timeoutSeconds: TIMEOUT_MS / 1000 };
/** Where requests are counted, nobody may be asked again, or left out, for being slow. */
const PATIENT = { timeoutSeconds: 60 };
const MUTATE = 'mutation ($ref: ID!, $text: String!) { sendMessage(ref: $ref, text: $text) { ref } }';

/*
 * Feature: Abuse of the fleet
 * Scenario: hung_member: a list read waits for a member that hangs once, and not a second time
 *   Requirement: spec/manager.md#A4
 *   Requirement: spec/manager.md#N-latency
 *   Requirement: spec/manager.md#P1
 *   Requirement: spec/manager.md#P8
 *   Requirement: spec/manager.md#T7
 *   Requirement: spec/manager.md#R2.9
 *   Given eight live members with fresh probes, and a timeout of one second of a slow clock
 *   When one of them stops to answer and a list is read, twice
 *   Then the first read is there within the timeout and one second, with the rows of the other seven and the one named
 *   And the second does not wait, the member is unreachable, which was told once, and its sockets are ended
 *   And the health is degraded and names it, each partial list is an event, and a keyed read with its name is 502
 */
test('hung_member: a list read waits for a member that hangs once, and not a second time', async () => {
  await using fleet = await openHostileFleet({ members: eightMembers(), manager: HASTY, clock: slowClock });
  await untilLive(fleet);
  const hung = fleet.server('m5');
  hung.misbehave(MISBEHAVIOURS.hang);

  const first = await fleet.get('/api/v1/work-items');
  const second = await fleet.get('/api/v1/work-items');

  expect(first.durationMs).toBeLessThan(READ_BOUND_MS * SLOWNESS);
  expect(second.durationMs).toBeLessThan((TIMEOUT_MS / 2) * SLOWNESS);
  for (const { status, headers, body } of [first, second]) {
    expect(status).toBe(200);
    expect(headers['the-loop-instances-unreachable']).toBe('m5');
    const names = EIGHT.filter((name) => name !== 'm5');
    expect(body.map(({ instance }: { instance: string }) => instance)).toEqual(names);
  }
  await expect.poll(() => hung.aborted).toEqual(['/graphql']);
  expect((await fleet.states()).m5).toMatchObject({ state: 'unreachable', detail: 'timed out' });
  const health = await fleet.get('/api/v1/health');
  expect(health.body.status).toBe('degraded');
  expect(health.body.instances).toContainEqual(
    expect.objectContaining({ name: 'm5', state: 'unreachable', detail: 'timed out' }),
  );
  const keyed = await fleet.get(`/api/v1/work-items/one?ref=${encodeURIComponent(refOf('m5'))}&instance=m5`);
  expect(keyed.status).toBe(502);
  expect(keyed.body).toMatchObject({ instance: 'm5', detail: expect.stringContaining('timed out') });
  expect(await fleet.events('instance.unreachable')).toMatchObject([{ about: 'm5', reason: 'timed out' }]);
  // Told within a second: partial reads are written together.
  await eventually(async () => {
    const events = await fleet.events('aggregate.partial');
    const partial = events.filter(({ operation }) => operation === 'tasks');
    expect(partial).toHaveLength(2);
    expect(partial[0]).toMatchObject({ level: 'debug', left_out: ['m5'] });
  });
});

/*
 * Feature: Abuse of the fleet
 * Scenario: hung_member: a probe that gets no answer holds nobody up for longer than a read may take
 *   Requirement: spec/manager.md#A4
 *   Requirement: spec/manager.md#P1
 *   Given a manager that starts, on a slow clock, over eight members of which one takes requests and answers none
 *   When a list is read at once
 *   Then it is there within the timeout and one second, with the rows of the other seven
 */
test('hung_member: a probe that gets no answer holds nobody up for longer than a read may take', async () => {
  await using other = await openHostileFleet({ members: { hung: [] } });
  other.server('hung').misbehave(MISBEHAVIOURS.hang);
  const { m8: _, ...seven } = eightMembers();
  await using fleet = await openHostileFleet({
    members: seven,
    strangers: [{ name: 'hung', url: other.server('hung').url }],
    manager: HASTY,
    clock: slowClock,
  });

  const { durationMs, body, headers } = await fleet.get('/api/v1/work-items');

  expect(durationMs).toBeLessThan(READ_BOUND_MS * SLOWNESS);
  expect(body).toHaveLength(7);
  expect(headers['the-loop-instances-unreachable']).toBe('hung');
});

/*
 * Feature: Abuse of the fleet
 * Scenario: hung_member: a stream that hangs delays nobody else's events
 *   Requirement: spec/manager.md#A4
 *   Given a subscriber, and the live members alpha and beta that it hears of, on a slow clock
 *   When alpha's process freezes in the middle of its stream and beta has an event
 *   Then the event of beta is delivered at once
 */
test("hung_member: a stream that hangs delays nobody else's events", async () => {
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'], beta: ['github:o/r#2'] },
    manager: HASTY,
    clock: slowClock,
  });
  await untilLive(fleet);
  using frames = await readFrames(`${fleet.url}/api/v1/stream`);
  await fleet.worker('alpha').ask(MUTATE, { ref: 'github:o/r#1', text: 'hello' });
  await frames.take(1);
  fleet.server('alpha').freeze();

  const startedAt = performance.now();
  await fleet.worker('beta').ask(MUTATE, { ref: 'github:o/r#2', text: 'hello' });
  const origins: string[] = [];
  while (!origins.includes('beta')) {
    const [frame] = await frames.take(1);
    origins.push(JSON.parse(frame?.data ?? '{}').instance);
  }

  expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS * SLOWNESS);
});

/*
 * Feature: Abuse of the fleet
 * Scenario: hung_member: a stream that cannot be opened is tried again after longer and longer waits
 *   Requirement: spec/manager.md#A4
 *   Given a subscriber, a live member whose stream ends as soon as it is opened, and a clock that runs a hundred times as fast
 *   When it is tried again and again
 *   Then the waits are 1, 2, 4, 8, 16, 30 and 30 seconds, each less the same jitter
 */
test('hung_member: a stream that cannot be opened is tried again after longer and longer waits', async () => {
  const waits: number[] = [];
  // With a jitter that always takes a tenth off, no other timer has these delays.
  const backoffs = [900, 1800, 3600, 7200, 14_400, 27_000];
  const clock: Clock = {
    ...systemClock,
    schedule(delayMs, callback) {
      if (!backoffs.includes(delayMs)) return systemClock.schedule(delayMs, callback);
      waits.push(delayMs);
      return systemClock.schedule(delayMs / 100, callback);
    },
  };
  await using fleet = await openHostileFleet({
    members: { alpha: ['github:o/r#1'] },
    manager: { timeoutSeconds: 7 },
    clock,
    ids: { newId: () => crypto.randomUUID(), random: () => 0.25 },
  });
  await untilLive(fleet);
  const alpha = fleet.server('alpha');
  alpha.refuseUpgrades();
  using _frames = await readFrames(`${fleet.url}/api/v1/stream`);

  await expect.poll(() => waits.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(7);

  expect(waits.slice(0, 7)).toEqual([...backoffs, 27_000]);
  expect((await fleet.states()).alpha?.state).toBe('live');
});

/*
 * Feature: The cost of a read
 * Scenario: with fresh probes a list costs one request of each member, and a keyed read one of the holder
 *   Requirement: spec/manager.md#P4
 *   Requirement: spec/manager.md#P6
 *   Requirement: spec/manager.md#N-cost
 *   Given eight live members with fresh probes
 *   When a list is read, then a task of the third, then the same task with its instance
 *   Then each member had one request for the list, the third one more for each keyed read, and nobody anything else
 */
test('with fresh probes a list costs one request of each member, and a keyed read one of the holder', async () => {
  await using fleet = await openHostileFleet({ members: eightMembers(), manager: PATIENT });
  await untilLive(fleet);
  const ref = encodeURIComponent(refOf('m3'));

  const list = await requestsDuring(fleet, () => fleet.get('/api/v1/work-items'));
  const keyed = await requestsDuring(fleet, () => fleet.get(`/api/v1/work-items/one?ref=${ref}`));
  const named = await requestsDuring(fleet, () => fleet.get(`/api/v1/work-items/one?ref=${ref}&instance=m3`));

  expect(list).toEqual(Object.fromEntries(EIGHT.map((name) => [name, ['POST /graphql']])));
  expect(keyed).toEqual({ m3: ['POST /graphql'] });
  expect(named).toEqual({ m3: ['POST /graphql'] });
});

/*
 * Feature: The cost of a read
 * Scenario: a ref that nobody has costs one round of probes and one question to each member
 *   Requirement: spec/manager.md#P5
 *   Given eight live members with fresh probes
 *   When a task is read whose ref nobody has
 *   Then it is 404, and each member was probed once and asked once
 */
test('a ref that nobody has costs one round of probes and one question to each member', async () => {
  await using fleet = await openHostileFleet({ members: eightMembers(), manager: PATIENT });
  await untilLive(fleet);
  let status = 0;

  const requests = await requestsDuring(fleet, async () => {
    ({ status } = await fleet.get('/api/v1/work-items/one?ref=github:o/nobody%231'));
  });

  expect(status).toBe(404);
  const expected = ['GET /api/v1/instance', 'GET /api/v1/health', 'POST /graphql'];
  expect(requests).toEqual(Object.fromEntries(EIGHT.map((name) => [name, expected])));
});

/*
 * Feature: The cost of a read
 * Scenario: a hundred reads at once share one round of probes
 *   Requirement: spec/manager.md#P7
 *   Given eight members whose probes are older than the interval
 *   When a list is read a hundred times at once
 *   Then each member was probed once, with its two requests, before it was asked for its rows
 */
test('a hundred reads at once share one round of probes', async () => {
  let passedMs = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + passedMs };
  await using fleet = await openHostileFleet({
    members: eightMembers(),
    manager: PATIENT,
    clock,
  });
  await untilLive(fleet);
  passedMs = 3_600_000;

  const requests = await requestsDuring(fleet, () =>
    Promise.all(Array.from({ length: 100 }, () => fleet.ask('{ tasks { nodes { ref } } }'))),
  );

  for (const name of EIGHT) {
    const [first, second, ...others] = requests[name] ?? [];
    expect([first, second]).toEqual(['GET /api/v1/instance', 'GET /api/v1/health']);
    expect(others).toHaveLength(100);
    expect(new Set(others)).toEqual(new Set(['POST /graphql']));
  }
});

/** All were probed, and no probe is on its way. */
async function untilLive(fleet: HostileFleet): Promise<void> {
  const states = async (): Promise<readonly string[]> =>
    Object.values(await fleet.states()).map(({ state }) => state);
  await expect.poll(async () => new Set(await states()), { timeout: 20_000 }).toEqual(new Set(['live']));
}

function eightMembers(): Record<string, readonly string[]> {
  return Object.fromEntries(EIGHT.map((name) => [name, [refOf(name)]]));
}

function refOf(name: string): string {
  return `github:o/${name}#1`;
}

/** What each member was asked meanwhile; members that were not asked are absent. */
async function requestsDuring(
  fleet: HostileFleet,
  work: () => Promise<unknown>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const before = new Map(EIGHT.map((name) => [name, fleet.server(name).requests.length]));
  await work();
  const requests = EIGHT.map((name) => {
    const asked = fleet.server(name).requests.slice(before.get(name));
    return [name, asked.map(({ method, path }) => `${method} ${path}`)] as const;
  });
  return Object.fromEntries(requests.filter(([, asked]) => asked.length > 0));
}
