/** Which instance a keyed operation goes to (spec/manager.md § 8), and what its errors become (§ 9). */
import { expect, test } from 'vitest';
import { answeringData, answeringError, type FakeAnswer, failing } from '../../support/FakeMember.ts';
import type { FakeEntry } from '../../support/FakeRegistry.ts';
import { createFakeFleet, type FakeFleet, toEntry } from '../../support/fakeFleet.ts';
import { fakeTasks } from '../../support/fakeInstance.ts';

const TASK =
  'query ($ref: ID!, $instance: String) { task(ref: $ref, instance: $instance) { instance name } }';

/** Members with one task each, `o/alpha#0` …; what the probes know is `changes`' business. */
function fleetWith(changes: Record<string, Partial<FakeEntry>> = {}): FakeFleet {
  return createFakeFleet(
    ['hq', 'alpha', 'beta'].map((name) => ({
      ...toEntry({ name, tasks: fakeTasks(name, 1) }),
      ...changes[name],
    })),
  );
}

function askedBy(fleet: FakeFleet): Record<string, number> {
  return Object.fromEntries(
    fleet.registry.entries.map(({ member }) => [member.name, fleet.member(member.name).requests.length]),
  );
}

/*
 * Feature: Resolvers
 * Scenario: H1: the newest probes name the holder, who alone is asked, once
 *   Requirement: spec/manager.md#T1
 *   Given a ref that one member manages by its last probe
 *   When the task is read by ref
 *   Then this member is asked once, and nobody else
 */
test('H1: the newest probes name the holder, who alone is asked, once', async () => {
  const fleet = fleetWith();
  const { data, context } = await fleet.ask(TASK, { variables: { ref: 'o/beta#0' } });
  expect(data.task).toEqual({ instance: 'beta', name: 'beta 0' });
  expect(askedBy(fleet)).toEqual({ hq: 0, alpha: 0, beta: 1 });
  expect([...context.contacted]).toEqual(['beta']);
  expect(fleet.registry.refreshes).toBe(0);
});

test('a ref that an instance numbered itself goes to that instance, though no probe knows it', async () => {
  const task = { ref: 'flotilla:beta/task#7', id: 'x', name: 'ended', createdAtMs: 0 };
  const fleet = createFakeFleet([
    toEntry({ name: 'hq' }),
    { ...toEntry({ name: 'beta', tasks: [task] }), managed: [] },
  ]);
  const { data } = await fleet.ask(TASK, { variables: { ref: task.ref } });
  expect(data.task).toEqual({ instance: 'beta', name: 'ended' });
  expect(askedBy(fleet)).toEqual({ hq: 0, beta: 1 });
});

test('H2: a forced round of probes finds what the last one did not know', async () => {
  const fleet = fleetWith({ alpha: { managed: [], managedAfterRefresh: ['o/alpha#0'] } });
  const { data } = await fleet.ask(TASK, { variables: { ref: 'o/alpha#0' } });
  expect(data.task.instance).toBe('alpha');
  expect(fleet.registry.refreshes).toBe(1);
  expect(askedBy(fleet)).toEqual({ hq: 0, alpha: 1, beta: 0 });
});

test('H3: everybody is asked when no probe knows it', async () => {
  const fleet = fleetWith({ alpha: { managed: [] } });
  const { data } = await fleet.ask(TASK, { variables: { ref: 'o/alpha#0' } });
  expect(data.task).toEqual({ instance: 'alpha', name: 'alpha 0' });
  expect(askedBy(fleet)).toEqual({ hq: 1, alpha: 2, beta: 1 });
});

/*
 * Feature: Resolvers
 * Scenario: nobody has it: NOT_FOUND, and those who could not be asked are named
 *   Requirement: spec/manager.md#T1
 *   Given a ref that no live member has, and a member that is unreachable
 *   When the task is read by ref
 *   Then the answer is NOT_FOUND and names who could not be asked
 */
test('nobody has it: NOT_FOUND, and those who could not be asked are named', async () => {
  const fleet = fleetWith({ alpha: { state: 'unreachable', detail: 'refused' } });
  fleet.member('beta').answer = () => failing({ kind: 'timeout', reason: 'timed out' });
  const { data, errors, context } = await fleet.ask(TASK, { variables: { ref: 'o/alpha#0' } });
  expect(data).toEqual({ task: null });
  expect(errors).toMatchObject([{ path: ['task'], extensions: { code: 'NOT_FOUND' } }]);
  expect(Object.fromEntries([...context.unreachable].map(([name, { state }]) => [name, state]))).toEqual({
    alpha: 'unreachable',
    beta: 'timeout',
  });
});

test('a fleet without members refreshes no probes', async () => {
  const fleet = createFakeFleet([toEntry({ name: 'hq' })]);
  const { errors } = await fleet.ask(TASK, { variables: { ref: 'o/x#0' } });
  expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(fleet.registry.refreshes).toBe(0);
});

test.each(['H1', 'H3'])(
  '%s: several holders are a CONFLICT in fleet order, and a write is sent to neither',
  async (stage) => {
    const tasks = [{ ref: 'o/r#1', id: 'x', name: 'x', createdAtMs: 0 }];
    const managed = stage === 'H1' ? ['o/r#1'] : [];
    const sent: string[] = [];
    const instance = (name: string): FakeEntry => ({
      ...toEntry({ name, tasks, onMutation: () => void sent.push(name) }),
      managed,
    });
    const fleet = createFakeFleet([toEntry({ name: 'hq' }), instance('beta'), instance('alpha')]);
    const text = 'mutation { sendMessage(ref: "o/r#1", text: "x") { ref } }';
    const { data, errors } = await fleet.ask(text);
    expect(data).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT', candidates: ['beta', 'alpha'] } }]);
    expect(sent).toEqual([]);
    const named = await fleet.ask(text.replace('text:', 'instance: "alpha", text:'));
    expect(named.errors).toEqual([]);
    expect(sent).toEqual(['alpha']);
  },
);

/*
 * Feature: Resolvers
 * Scenario: an explicit instance is asked whatever the probes say, and its nothing is null
 *   Requirement: spec/manager.md#T1
 *   Given a member whose probe does not name a ref
 *   When the task is read with the name of this member
 *   Then it is asked, and what it does not have is null
 */
test('an explicit instance is asked whatever the probes say, and its nothing is null', async () => {
  const fleet = fleetWith();
  const { data, errors } = await fleet.ask(TASK, { variables: { ref: 'o/beta#0', instance: 'alpha' } });
  expect(data).toEqual({ task: null });
  expect(errors).toEqual([]);
  expect(askedBy(fleet)).toEqual({ hq: 0, alpha: 1, beta: 0 });
});

test('a holder that has nothing any more is NOT_FOUND, never an empty answer', async () => {
  const fleet = fleetWith();
  fleet.member('beta').answer = answeringData({ task: null });
  const { data, errors } = await fleet.ask(TASK, { variables: { ref: 'o/beta#0' } });
  expect(data).toEqual({ task: null });
  expect(errors).toMatchObject([{ path: ['task'], extensions: { code: 'NOT_FOUND' } }]);
});

test.each([
  ['', 'hq'],
  ['hq', 'hq'],
  ['alpha', 'alpha'],
])(
  'config(instance: "%s") is the document of %s, which says so only when it is another instance’s',
  async (instance, of) => {
    const { data } = await fleetWith().ask('query ($i: String) { config(instance: $i) { instance path } }', {
      variables: { i: instance },
    });
    expect(data.config).toEqual({ instance: of === 'hq' ? null : of, path: `/${of}.yaml` });
  },
);

test.each(['unreachable', 'mismatched'] as const)(
  'an instance that is %s is MEMBER_UNAVAILABLE with the reason',
  async (state) => {
    const fleet = fleetWith({ alpha: { state, detail: 'why it is so' } });
    const { errors } = await fleet.ask('{ config(instance: "alpha") { path } }');
    expect(errors).toMatchObject([
      {
        message: expect.stringMatching(`${state} \\(why it is so\\)`),
        extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' },
      },
    ]);
    expect(fleet.member('alpha').requests).toEqual([]);
  },
);

test.each(['gamma', 'Alpha', '../alpha', 'alpha@x', 'http://evil.test/', 'a'.repeat(300)])(
  'the unknown instance "%s" is NOT_FOUND and nothing is sent',
  async (instance) => {
    const fleet = fleetWith();
    const { errors } = await fleet.ask('query ($i: String) { config(instance: $i) { path } }', {
      variables: { i: instance },
    });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    if (instance !== 'gamma') expect(errors[0]?.message).not.toContain(instance);
    expect(askedBy(fleet)).toEqual({ hq: 0, alpha: 0, beta: 0 });
  },
);

const failure =
  (kind: 'transport' | 'timeout' | 'malformed' | 'status' | 'notSupported', reason: string): FakeAnswer =>
  () =>
    failing({ kind, reason });

test.each<[string, FakeAnswer, Record<string, unknown>, readonly string[]]>([
  [
    'BAD_USER_INPUT',
    answeringError('BAD_USER_INPUT', 'bad'),
    { code: 'BAD_USER_INPUT', instance: 'alpha' },
    [],
  ],
  ['NOT_FOUND', answeringError('NOT_FOUND', 'bad'), { code: 'NOT_FOUND', instance: 'alpha' }, []],
  [
    'CONFLICT with its candidates',
    answeringError('CONFLICT', 'bad', { candidates: ['x', 'y'], secret: 's' }),
    { code: 'CONFLICT', instance: 'alpha', candidates: ['x', 'y'] },
    [],
  ],
  ['NOT_SUPPORTED', answeringError('NOT_SUPPORTED', 'bad'), { code: 'NOT_SUPPORTED', instance: 'alpha' }, []],
  [
    'UNAUTHENTICATED',
    answeringError('UNAUTHENTICATED', 'bad'),
    { code: 'MEMBER_ERROR', instance: 'alpha' },
    [],
  ],
  ['a code of its own', answeringError('WHATEVER', 'bad'), { code: 'MEMBER_ERROR', instance: 'alpha' }, []],
  [
    'INTERNAL_SERVER_ERROR',
    answeringError('INTERNAL_SERVER_ERROR', 'bad'),
    { code: 'MEMBER_ERROR', instance: 'alpha' },
    [],
  ],
  [
    'no connection',
    failure('transport', 'bad'),
    { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' },
    ['alpha'],
  ],
  ['a timeout', failure('timeout', 'bad'), { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' }, ['alpha']],
  ['a status', failure('status', 'bad'), { code: 'MEMBER_ERROR', instance: 'alpha' }, []],
  ['a malformed answer', failure('malformed', 'bad'), { code: 'MEMBER_ERROR', instance: 'alpha' }, []],
  [
    'an adapter that cannot',
    failure('notSupported', 'bad'),
    { code: 'NOT_SUPPORTED', instance: 'alpha' },
    [],
  ],
])("a member's %s is told with its name", async (_, answer, extensions, reported) => {
  const fleet = fleetWith();
  fleet.member('alpha').answer = answer;
  const { data, errors } = await fleet.ask('{ config(instance: "alpha") { path } }');
  expect(data).toBeNull();
  expect(errors).toEqual([{ message: 'alpha: bad', path: ['config'], extensions }]);
  expect(fleet.registry.failures.map(([name]) => name)).toEqual(reported);
});

test("a member's text is one line of bounded length", async () => {
  const fleet = fleetWith();
  fleet.member('alpha').answer = answeringError('BAD_USER_INPUT', `a\nb${'x'.repeat(2000)}`);
  const { errors } = await fleet.ask('{ config(instance: "alpha") { path } }');
  expect(errors[0]?.message).toMatch(/^alpha: a b(x{490,500})…$/);
});

test('an error below the answer is told where the client finds the value', async () => {
  const fleet = fleetWith();
  fleet.member('alpha').answer = () => ({
    kind: 'answer',
    answer: {
      data: { t: { plan: null } },
      errors: [{ message: 'no plan', path: ['t', 'plan'], extensions: { code: 'NOT_FOUND' } }],
    },
  });
  const { data, errors } = await fleet.ask('{ t: task(ref: "o/alpha#0") { plan { __typename } } }');
  expect(data).toEqual({ t: { plan: null } });
  expect(errors).toEqual([
    { message: 'alpha: no plan', path: ['t', 'plan'], extensions: { code: 'NOT_FOUND', instance: 'alpha' } },
  ]);
});

test('query fields for the same instance share one request, and one that fails does not take the others with it', async () => {
  const fleet = fleetWith();
  const text =
    '{ a: task(ref: "o/alpha#0") { name } b: task(ref: "o/alpha#0") { ref } c: config(instance: "alpha") { path } d: config { path } }';
  const { data } = await fleet.ask(text);
  expect(data).toEqual({
    a: { name: 'alpha 0' },
    b: { ref: 'o/alpha#0' },
    c: { path: '/alpha.yaml' },
    d: { path: '/hq.yaml' },
  });
  expect(askedBy(fleet)).toEqual({ hq: 1, alpha: 1, beta: 0 });

  const honest = fleet.member('alpha').answer;
  fleet.member('alpha').answer = (request) =>
    request.text.includes('config') ? answeringError('CONFLICT', 'no config')(request) : honest(request);
  const partly = await fleet.ask(
    '{ a: task(ref: "o/alpha#0") { name } s: session(ref: "o/alpha#0") { ref } c: config(instance: "alpha") { path } }',
  );
  expect(partly.errors).toMatchObject([{ path: ['c'], extensions: { code: 'CONFLICT' } }]);
});

test('the own document names who is missing from what the fleet manages, and only where that is asked', async () => {
  const fleet = fleetWith({ alpha: { state: 'unreachable', detail: 'refused' } });
  const whole = await fleet.ask('{ instance { name managed { ref } } }');
  expect([...whole.context.unreachable.values()]).toEqual([
    { instance: 'alpha', state: 'unreachable', detail: 'refused' },
  ]);
  for (const text of ['{ instance { name } }', '{ instance(instance: "beta") { managed { ref } } }']) {
    expect((await fleet.ask(text)).context.unreachable.size).toBe(0);
  }
});

test('the own half is not kept waiting for probes', async () => {
  const fleet = fleetWith();
  fleet.registry.fleet = () => new Promise(() => {});
  const { data } = await fleet.ask('{ config { path } own: config(instance: "hq") { path } }');
  expect(data).toEqual({ config: { path: '/hq.yaml' }, own: { path: '/hq.yaml' } });
});

test('a null that comes in a variable where none may be is the mistake of the client', async () => {
  const text = 'query ($ref: ID = "o/alpha#0") { task(ref: $ref) { ref } }';
  const { data, errors } = await fleetWith().ask(text, { variables: { ref: null } });
  expect(data).toEqual({ task: null });
  expect(errors).toMatchObject([{ path: ['task'], extensions: { code: 'BAD_USER_INPUT' } }]);
});
