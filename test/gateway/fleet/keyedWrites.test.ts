/** To whom a write goes that names a key and no instance: never to one of several holders (spec/manager.md §§ 8.2, 22 A5). */
import { expect, test } from 'vitest';
import { answeringError, failing } from '../../support/FakeMember.ts';
import type { FakeEntry } from '../../support/FakeRegistry.ts';
import { createFakeFleet, type FakeFleet, toEntry } from '../../support/fakeFleet.ts';

const REF = 'o/r#1';
const SEND = `mutation { sendMessage(ref: "${REF}", text: "x") { instance } }`;

interface Holder {
  /** The task's state. @default open */
  readonly state?: string;
  /** What the newest probe says of the ref. @default it is not managed */
  readonly isManaged?: boolean;
}

/** The own half and `alpha`, `beta`, `gamma`; `sent` has the instances that a mutation came to. */
function fleetOfHolders(holders: Readonly<Record<string, Holder>>): { fleet: FakeFleet; sent: string[] } {
  const sent: string[] = [];
  const entries = ['hq', 'alpha', 'beta', 'gamma'].map((name): FakeEntry => {
    const { state, isManaged = false } = holders[name] ?? {};
    const task = { ref: REF, id: 'x', name: 'x', createdAtMs: 0, ...(state && { state }) };
    const onMutation = () => void sent.push(name);
    const entry = toEntry({ name, tasks: name in holders ? [task] : [], onMutation });
    return { ...entry, managed: isManaged ? [REF] : [] };
  });
  return { fleet: createFakeFleet(entries), sent };
}

function change(fleet: FakeFleet, name: string, change: Partial<FakeEntry>): void {
  fleet.registry.entries = fleet.registry.entries.map((entry) =>
    entry.member.name === name ? { ...entry, ...change } : entry,
  );
}

test('a second holder that no probe knows yet makes it a CONFLICT, and nothing is sent', async () => {
  const { fleet, sent } = fleetOfHolders({ alpha: { isManaged: true }, beta: {} });
  const { errors } = await fleet.ask(SEND);
  expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', candidates: ['alpha', 'beta'] } }]);
  expect(sent).toEqual([]);
});

test('it goes where the task is open, whatever the probes say of an instance where it has ended', async () => {
  const { fleet, sent } = fleetOfHolders({
    alpha: { isManaged: true, state: 'COMPLETED' },
    beta: {},
    gamma: { state: 'CANCELED' },
  });
  const { data, context } = await fleet.ask(SEND);
  expect(data.sendMessage.instance).toBe('beta');
  expect(sent).toEqual(['beta']);
  expect([...context.contacted]).toEqual(['beta']);
});

test('where the task has ended everywhere, one holder says so and several are a CONFLICT', async () => {
  const one = fleetOfHolders({ alpha: { state: 'FAILED' } });
  await one.fleet.ask(SEND);
  expect(one.sent).toEqual(['alpha']);
  const two = fleetOfHolders({ alpha: { state: 'FAILED' }, gamma: { state: 'REJECTED' } });
  const { errors } = await two.fleet.ask(SEND);
  expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', candidates: ['alpha', 'gamma'] } }]);
  expect(two.sent).toEqual([]);
});

test('an instance that declares the ref holds it, also before it has a task of it', async () => {
  const { fleet, sent } = fleetOfHolders({ alpha: {} });
  change(fleet, 'beta', { managed: [REF], sources: ['declared'] });
  const { errors } = await fleet.ask(SEND);
  expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', candidates: ['alpha', 'beta'] } }]);
  expect(sent).toEqual([]);
});

test.each([
  ['is silent', () => failing({ kind: 'timeout', reason: 'timed out' })],
  ['answers garbage', () => failing({ kind: 'malformed', reason: 'not JSON' })],
  ['fails inside', answeringError('INTERNAL_SERVER_ERROR', 'broken')],
] as const)(
  'a live member that %s may hold it: the write is refused and can be repeated',
  async (_, answer) => {
    const { fleet, sent } = fleetOfHolders({ alpha: { isManaged: true } });
    fleet.member('gamma').answer = answer;
    const { errors } = await fleet.ask(SEND);
    expect(errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'gamma' } }]);
    expect(errors[0]?.message).toContain('gamma did not say');
    expect(sent).toEqual([]);
    expect(fleet.registry.expired).toEqual(['gamma']);
  },
);

test('a member that the probe after its silence finds gone is named, and holds nothing up', async () => {
  const { fleet, sent } = fleetOfHolders({ alpha: { isManaged: true } });
  fleet.member('gamma').answer = () => {
    change(fleet, 'gamma', { state: 'unreachable', detail: 'connection refused' });
    return failing({ kind: 'transport', reason: 'connection refused' });
  };
  const { errors, context } = await fleet.ask(SEND);
  expect(errors).toEqual([]);
  expect(sent).toEqual(['alpha']);
  expect([...context.unreachable.keys()]).toEqual(['gamma']);
});

test('a member that cannot have tasks holds none', async () => {
  const { fleet, sent } = fleetOfHolders({ alpha: { isManaged: true } });
  fleet.member('gamma').answer = answeringError('NOT_SUPPORTED', 'no tasks');
  await fleet.ask(SEND);
  expect(sent).toEqual(['alpha']);
});

test('who is not live is named beside a read and beside a write of what another holds', async () => {
  const { fleet } = fleetOfHolders({ alpha: { isManaged: true }, beta: { isManaged: true } });
  change(fleet, 'beta', { state: 'unreachable', detail: 'connection refused' });
  for (const text of [SEND, `{ task(ref: "${REF}") { instance } }`]) {
    const { errors, context } = await fleet.ask(text);
    expect(errors).toEqual([]);
    expect([...context.unreachable.values()]).toEqual([
      { instance: 'beta', state: 'unreachable', detail: 'connection refused' },
    ]);
  }
});

test('a ref that an instance numbered itself is asked of nobody else, whoever is down', async () => {
  const { fleet, sent } = fleetOfHolders({});
  change(fleet, 'beta', { state: 'unreachable' });
  const { context } = await fleet.ask(
    'mutation { sendMessage(ref: "flotilla:alpha/task#1", text: "x") { ref } }',
  );
  expect(sent).toEqual(['alpha']);
  expect(fleet.member('gamma').requests).toEqual([]);
  expect([...context.unreachable.keys()]).toEqual([]);
});

test.each(['{ task(ref: $ref) { ref } }', 'mutation { cancelTask(ref: $ref) { ref } }'])(
  'a ref whose issuer is not live is MEMBER_UNAVAILABLE: %s',
  async (text) => {
    const { fleet, sent } = fleetOfHolders({});
    change(fleet, 'alpha', { state: 'unreachable', detail: 'connection refused' });
    const { errors } = await fleet.ask(text.replace('$ref', '"flotilla:alpha/task#1"'));
    expect(errors).toMatchObject([
      {
        message: 'Cannot reach instance "alpha": it is unreachable (connection refused), live is expected',
        extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' },
      },
    ]);
    expect(sent).toEqual([]);
  },
);

test.each(['{ task(ref: $ref) { ref } }', 'mutation { cancelTask(ref: $ref) { ref } }'])(
  'a ref of an agent has that agent as its issuer, and one of the other kind has not: %s',
  async (text) => {
    const { fleet, sent } = fleetOfHolders({});
    change(fleet, 'alpha', { kind: 'a2a', state: 'unreachable', detail: 'connection refused' });
    change(fleet, 'beta', { state: 'unreachable' });
    const codeOf = async (ref: string) =>
      (await fleet.ask(text.replace('$ref', JSON.stringify(ref)))).errors[0]?.extensions.code;
    expect(await codeOf('a2a:alpha/t%2F1#1')).toBe('MEMBER_UNAVAILABLE');
    expect(fleet.member('gamma').requests).toEqual([]);
    for (const ref of ['flotilla:alpha/task#1', 'a2a:alpha/t#2', 'a2a:beta/t#1']) {
      expect(await codeOf(ref), ref).toBe('NOT_FOUND');
    }
    expect(sent).toEqual([]);
  },
);

test.each(['{ task(ref: $ref) { ref } }', 'mutation { cancelTask(ref: $ref) { ref } }'])(
  'that nobody has the ref says who could not be asked: %s',
  async (text) => {
    const { fleet } = fleetOfHolders({});
    change(fleet, 'beta', { state: 'unreachable' });
    change(fleet, 'alpha', { state: 'mismatched' });
    const { errors } = await fleet.ask(text.replace('$ref', `"${REF}"`));
    expect(errors).toMatchObject([
      {
        message: `Cannot find task: no task has the key "${REF}"; alpha, beta could not be asked`,
        extensions: { code: 'NOT_FOUND' },
      },
    ]);
  },
);

test('a ref of an issuer that left the fleet is looked for like any other', async () => {
  const { fleet } = fleetOfHolders({});
  const { errors } = await fleet.ask('{ task(ref: "flotilla:delta/task#1") { ref } }');
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
});
