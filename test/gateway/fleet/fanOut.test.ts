import { expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import { fanOut, waveMs } from '../../../gateway/fleet/fanOut.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { answering, FakeMember, hanging } from '../../support/FakeMember.ts';
import { FakeRegistry } from '../../support/FakeRegistry.ts';
import { settled, until } from '../../support/until.ts';

test.each([
  [0, 1000, 2000],
  [8, 1000, 2000],
  [9, 1000, 4000],
  [17, 2000, 9000],
  [1, 10_000, 9000],
  [40, 10_000, 9000],
  [1, 11_000, 12_000],
  [1000, 11_000, 192_000],
])('waveMs(): %i members with a timeout of %i ms have %i ms', (members, timeoutMs, expected) => {
  expect(waveMs(members, timeoutMs)).toBe(expected);
});

/*
 * Feature: Fan-out
 * Scenario: fanOut() ends every call at the deadline of the wave, and leaves out those that were not asked
 *   Requirement: spec/manager.md#T1
 *   Given more members than are asked at a time, of which some never answer
 *   When all of them are to be asked, on a clock of the test
 *   Then the calls of a wave end at its deadline, and who was not asked in time is left out with a reason
 */
test('fanOut() ends every call at the deadline of the wave, and leaves out those that were not asked', async () => {
  const clock = new FakeClock();
  const members = Array.from({ length: 10 }, (_, index) => new FakeMember(`m${index}`, hanging));
  const own = new FakeMember('hq', () => answering({ data: {}, errors: [] }));
  const entries = new FakeRegistry([own, ...members].map((member) => ({ member }))).snapshot();
  const context = createFleetContext(new AbortController().signal);
  const request = { text: '', document: { kind: 'Document' as never, definitions: [] }, variables: {} };
  const asked = fanOut(entries, {
    ask: ({ member }, signal) => member.execute(request, { signal }),
    context,
    clock,
    timeoutMs: 1000,
  });
  await clock.waiting(1);
  clock.advance(4000);
  const { results, leftOut } = await asked;
  expect(results.map(({ entry }) => entry.member.name)).toEqual(['hq']);
  expect(leftOut.map(({ instance, state }) => `${instance} ${state}`)).toEqual(
    members.map(({ name }) => `${name} timeout`),
  );
  expect(members.map(({ requests }) => requests.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 0, 0]);
  expect(clock.timers).toBe(0);
});

test('fanOut() asks everybody, however many hang: who is slow gives its place up, and is still waited for', async () => {
  const clock = new FakeClock();
  const late = Promise.withResolvers<void>();
  const answer = answering({ data: {}, errors: [] });
  const slow = new FakeMember('m0', async () => {
    await late.promise;
    return answer;
  });
  const others = Array.from({ length: 16 }, (_, index) => new FakeMember(`m${index + 1}`, hanging));
  const healthy = ['m17', 'm18'].map((name) => new FakeMember(name, () => answer));
  const own = new FakeMember('hq', () => answer);
  const members = [own, slow, ...others, ...healthy];
  const request = { text: '', document: { kind: 'Document' as never, definitions: [] }, variables: {} };
  const asked = fanOut(new FakeRegistry(members.map((member) => ({ member }))).snapshot(), {
    ask: ({ member }, signal) => member.execute(request, { signal }),
    context: createFleetContext(new AbortController().signal),
    clock,
    timeoutMs: 10_000,
  });
  await clock.waiting(9);
  expect(members.filter(({ requests }) => requests.length > 0)).toHaveLength(9);
  clock.advance(1000);
  await until(() => members[16]?.requests.length === 1);
  clock.advance(1000);
  await until(() => healthy.every(({ requests }) => requests.length === 1));
  late.resolve();
  await settled();
  clock.advance(7000);
  const { results, leftOut } = await asked;
  expect(results.map(({ entry }) => entry.member.name)).toEqual(['hq', 'm0', 'm17', 'm18']);
  expect(leftOut.map(({ detail }) => detail)).toEqual(Array.from({ length: 16 }, () => 'timed out'));
  expect(clock.timers).toBe(0);
});

test('fanOut() counts its deadline from the start of the read, however long the probes have taken', async () => {
  const clock = new FakeClock();
  const entries = new FakeRegistry([
    { member: new FakeMember('hq', () => answering({ data: {}, errors: [] })) },
    { member: new FakeMember('alpha', hanging) },
  ]).snapshot();
  const request = { text: '', document: { kind: 'Document' as never, definitions: [] }, variables: {} };
  const startedMs = clock.monotonicMs();
  clock.advance(1500);
  const asked = fanOut(entries, {
    ask: ({ member }, signal) => member.execute(request, { signal }),
    context: createFleetContext(new AbortController().signal),
    clock,
    timeoutMs: 3000,
    startedMs,
  });
  expect(clock.delaysMs).toEqual([2500]);
  clock.advance(2500);
  expect((await asked).leftOut).toMatchObject([{ instance: 'alpha', state: 'timeout' }]);
});

test('fanOut() ends with the client', async () => {
  const client = new AbortController();
  const entries = new FakeRegistry([
    { member: new FakeMember('hq', hanging) },
    { member: new FakeMember('alpha', hanging) },
  ]).snapshot();
  const request = { text: '', document: { kind: 'Document' as never, definitions: [] }, variables: {} };
  const asked = fanOut(entries, {
    ask: ({ member }, signal) => member.execute(request, { signal }),
    context: createFleetContext(client.signal),
    clock: new FakeClock(),
    timeoutMs: 1000,
  });
  client.abort();
  expect((await asked).results.map(({ result }) => result.kind)).toEqual(['failure']);
});
