/** Lists over the fleet, and who is left out of them (spec/manager.md §§ 7, 10.2, 11). */
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import {
  answering,
  answeringData,
  answeringError,
  FakeMember,
  failing,
  hanging,
} from '../../support/FakeMember.ts';
import { createFakeFleet, fleetOf, toEntry } from '../../support/fakeFleet.ts';

const COMMANDS = '{ commands { instance name } }';

function threeInstances(clock?: FakeClock) {
  return fleetOf(
    [
      { name: 'hq', commands: ['help', 'model'] },
      { name: 'alpha', commands: ['help'] },
      { name: 'beta', commands: ['zap', 'help'] },
    ],
    { clock, timeoutMs: 1000 },
  );
}

test('blocks are in fleet order, rows in the order of their source', async () => {
  const { data, context } = await threeInstances().ask(COMMANDS);
  expect(data.commands.map(({ instance, name }: Record<string, string>) => `${instance} ${name}`)).toEqual([
    'hq help',
    'hq model',
    'alpha help',
    'beta zap',
    'beta help',
  ]);
  expect([...context.contacted].sort()).toEqual(['alpha', 'beta']);
});

test('what every instance tells is served once, the own words first, members fill the gaps', async () => {
  const fleet = fleetOf([
    { name: 'hq', eventTypes: [['a', 'own a']] },
    {
      name: 'alpha',
      eventTypes: [
        ['b', 'b of alpha'],
        ['a', 'a of alpha'],
      ],
    },
    { name: 'beta', eventTypes: [['b', 'b of beta']] },
  ]);
  const { data } = await fleet.ask('{ eventTypes { meaning } }');
  expect(data.eventTypes).toEqual([{ meaning: 'own a' }, { meaning: 'b of alpha' }]);
});

test.each([
  [
    'refuses the connection',
    failing({ kind: 'transport', reason: 'connection refused' }),
    'unreachable',
    ['alpha'],
  ],
  ['answers with a status', failing({ kind: 'status', reason: 'HTTP 502', status: 502 }), 'error', []],
  ['is malformed', failing({ kind: 'malformed', reason: 'the answer is not JSON' }), 'error', []],
  ['cannot do it', failing({ kind: 'notSupported', reason: 'no commands' }), 'error', []],
  ['answers with an error', await answeringError('CONFLICT', 'no')({} as never), 'error', []],
  ['answers with no list', answering({ data: { commands: 'x' }, errors: [] }), 'error', []],
  ['answers with nothing', answering({ data: {}, errors: [] }), 'error', []],
] as const)('a member that %s is left out and named', async (_, answer, state, reported) => {
  const fleet = threeInstances();
  fleet.member('alpha').answer = () => answer;
  const { data, errors, context } = await fleet.ask(COMMANDS);
  expect(errors).toEqual([]);
  expect(new Set(data.commands.map(({ instance }: { instance: string }) => instance))).toEqual(
    new Set(['hq', 'beta']),
  );
  expect([...context.unreachable.values()]).toMatchObject([{ instance: 'alpha', state }]);
  expect(fleet.partial).toEqual([['commands', ['alpha']]]);
  expect(fleet.registry.failures.map(([name]) => name)).toEqual(reported);
});

test('members that are not live are not asked, and named with what the probe found', async () => {
  const fleet = threeInstances();
  fleet.registry.entries = fleet.registry.entries.map((entry, index) =>
    index === 0
      ? entry
      : { ...entry, state: index === 1 ? 'unreachable' : 'mismatched', detail: `why ${index}` },
  );
  const { context } = await fleet.ask(COMMANDS);
  expect([...context.unreachable.values()]).toEqual([
    { instance: 'alpha', state: 'unreachable', detail: 'why 1' },
    { instance: 'beta', state: 'mismatched', detail: 'why 2' },
  ]);
  expect(fleet.member('alpha').requests).toEqual([]);
  expect(fleet.partial).toEqual([['commands', ['alpha', 'beta']]]);
});

test('a member that hangs holds the answer for no longer than its timeout, and is unreachable afterwards', async () => {
  const clock = new FakeClock();
  const fleet = threeInstances(clock);
  fleet.member('alpha').answer = hanging;
  const asked = fleet.ask(COMMANDS);
  await clock.waiting(4);
  // The others have answered: what is left are the timers of the wave and of the member that hangs.
  await eventually(() => expect(clock.timers).toBe(2));
  clock.advance(1000);
  const { data, context } = await asked;
  expect(data.commands).toHaveLength(4);
  expect([...context.unreachable.values()]).toEqual([
    { instance: 'alpha', state: 'timeout', detail: 'timed out' },
  ]);
  expect(fleet.registry.failures).toEqual([['alpha', 'timed out']]);
});

test('a failure of the own half is the error of the read, not a part that is missing', async () => {
  const fleet = threeInstances();
  fleet.member('hq').answer = answeringError('BAD_USER_INPUT', 'Cannot read: wrong, right is expected', {
    reason: 'r',
  });
  const { data, errors } = await fleet.ask(COMMANDS);
  expect(data).toBeNull();
  expect(errors).toEqual([
    {
      message: 'Cannot read: wrong, right is expected',
      path: ['commands'],
      extensions: { code: 'BAD_USER_INPUT', reason: 'r' },
    },
  ]);
});

test('seventeen members are asked in waves of eight and none is lost to queueing', async () => {
  let running = 0;
  let most = 0;
  const members = Array.from({ length: 17 }, (_, index) => {
    const name = `m${index}`;
    return {
      member: new FakeMember(name, async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return answeringData({ commands: [{ instance: 'x', name: 'help' }] })({} as never);
      }),
    };
  });
  const fleet = createFakeFleet([toEntry({ name: 'hq' }), ...members]);
  const { data, context } = await fleet.ask(COMMANDS);
  expect(data.commands).toHaveLength(18);
  expect(context.unreachable.size).toBe(0);
  expect(most).toBe(8);
});
