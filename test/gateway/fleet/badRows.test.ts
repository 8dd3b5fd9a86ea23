/** A bad row costs one row (design § 3). */
import { expect, test } from 'vitest';
import { answering, FakeMember } from '../../support/FakeMember.ts';
import { createFakeFleet, type FakeFleet, fleetOf, toEntry } from '../../support/fakeFleet.ts';
import { fakeTasks } from '../../support/fakeInstance.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of any shape is broken in any way
type Data = any;

const TEXT = `{ tasks(orderBy: REF_ASC) {
  nodes { ref state history { nodes { __typename ... on HistoryMessage { text } } } plan { steps { id state } } record settings { model } }
  pageInfo { hasNextPage }
} }`;

/** The answers of `alpha`, which has the rows 0 to 2, are changed by `change` before they are read. */
function fleetWith(change: (data: Data) => void): FakeFleet {
  const fleet = fleetOf([
    { name: 'hq', tasks: fakeTasks('hq', 1) },
    { name: 'alpha', tasks: fakeTasks('alpha', 3) },
  ]);
  const { answer } = fleet.member('alpha');
  fleet.member('alpha').answer = async (request) => {
    const result = structuredClone(await answer(request));
    if (result.kind === 'answer' && result.answer.data) change(result.answer.data);
    return result;
  };
  return fleet;
}

const refs = (data: Data) => data.tasks.nodes.map(({ ref }: { ref: string }) => ref);

test.each<[string, (row: Data) => void, string]>([
  ['null where it may not be', (row) => (row.state = null), 'state: it is null, TaskState! is expected'],
  [
    'an unknown enum value',
    (row) => (row.state = 'DREAMING'),
    'state: it is no value of TaskState, one is expected',
  ],
  [
    'an enum that is no text',
    (row) => (row.state = { a: 1 }),
    'state: it is no value of TaskState, one is expected',
  ],
  ['a missing field', (row) => delete row.state, 'state: it is missing, TaskState! is expected'],
  ['a scalar of another kind', (row) => (row.ref = { x: 1 }), 'ref: it is no ID, one is expected'],
  ['no object', (row) => (row.history = 'text'), 'history: it is no object, an object is expected'],
  ['no list', (row) => (row.history.nodes = {}), 'history.nodes: it is no list, a list is expected'],
])('a row with %s is dropped with one error that names path and member', async (_, change, reason) => {
  const fleet = fleetWith(({ tasks }) => change(tasks.nodes[1]));
  const { data, errors } = await fleet.ask(TEXT);
  expect(refs(data)).toEqual(['o/alpha#0', 'o/alpha#2', 'o/hq#0']);
  expect(errors).toEqual([
    {
      message: `alpha: Cannot serve 1.${reason}`,
      path: ['tasks', 'nodes'],
      extensions: { code: 'MEMBER_ERROR', instance: 'alpha', row: 1 },
    },
  ]);
});

test('several bad values in one row are one error', async () => {
  const fleet = fleetWith(({ tasks }) =>
    Object.assign(tasks.nodes[0], { ref: null, state: 'X', plan: 3, settings: null }),
  );
  const { data, errors } = await fleet.ask(TEXT);
  expect(refs(data)).toEqual(['o/alpha#1', 'o/alpha#2', 'o/hq#0']);
  expect(errors).toHaveLength(1);
});

test('a bad value in a list below a row costs that list one row', async () => {
  const fleet = fleetWith(({ tasks }) => {
    tasks.nodes[1].plan.steps[0].state = 'X';
    tasks.nodes[2].history.nodes[1].fleet_hidden_typename = 'HistoryDream';
  });
  const { data, errors } = await fleet.ask(TEXT);
  expect(data.tasks.nodes[1].plan.steps).toEqual([{ id: 's2', state: 'PENDING' }]);
  expect(data.tasks.nodes[2].history.nodes.map(({ __typename }: Data) => __typename)).toEqual([
    'HistoryMessage',
    'HistoryToolResult',
  ]);
  expect(errors.map(({ path, message }) => [path, message])).toEqual([
    [
      ['tasks', 'nodes', 1, 'plan', 'steps'],
      'alpha: Cannot serve 0.state: it is no value of PlanStepState, one is expected',
    ],
    [
      ['tasks', 'nodes', 2, 'history', 'nodes'],
      'alpha: Cannot serve 1: its type is unknown, one of HistoryMessage, HistoryToolCall, HistoryToolResult is expected',
    ],
  ]);
});

test('a bad value below a field that may be null costs that field', async () => {
  const fleet = fleetWith(({ tasks }) => {
    tasks.nodes[0].plan.steps = null;
    tasks.nodes[2].settings.model = 7;
  });
  const { data, errors } = await fleet.ask(TEXT);
  expect(data.tasks.nodes).toHaveLength(4);
  expect(data.tasks.nodes[0].plan).toBeNull();
  expect(data.tasks.nodes[2].settings).toEqual({ model: null });
  expect(errors.map(({ path, extensions }) => [path, extensions])).toEqual([
    [['tasks', 'nodes', 0, 'plan'], { code: 'MEMBER_ERROR', instance: 'alpha' }],
    [['tasks', 'nodes', 2, 'settings', 'model'], { code: 'MEMBER_ERROR', instance: 'alpha' }],
  ]);
});

test.each<[string, (tasks: Data) => void, readonly string[]]>([
  ['nodes', (tasks) => tasks.nodes.pop(), ['o/alpha#0', 'o/alpha#1']],
  ['edges', (tasks) => tasks.edges.splice(1), ['o/alpha#0']],
  ['cursors', (tasks) => tasks.fleet_hidden_edges.pop(), ['o/alpha#0', 'o/alpha#1']],
  [
    'cursors that can be read',
    (tasks) => (tasks.fleet_hidden_edges[0].cursor = 'junk'),
    ['o/alpha#1', 'o/alpha#2'],
  ],
])('a member with too few %s costs the rows that are missing, in every list', async (_, change, expected) => {
  const fleet = fleetWith(({ tasks }) => change(tasks));
  const { data, errors } = await fleet.ask(
    '{ tasks(orderBy: REF_ASC, filter: { instances: ["alpha"] }) { nodes { ref } edges { node { ref } } } }',
  );
  expect(refs(data)).toEqual(expected);
  expect(data.tasks.edges.map(({ node }: Data) => node.ref)).toEqual(expected);
  expect(errors).toHaveLength(3 - expected.length);
  for (const { extensions } of errors)
    expect(extensions).toMatchObject({ code: 'MEMBER_ERROR', instance: 'alpha' });
});

test.each<[string, (row: Data) => void]>([
  ['no id', (row) => (row.id = null)],
  ['a time that is none', (row) => (row.createdAt = 'soon')],
])('a row with %s has no place in the list: it is dropped with one error', async (_, change) => {
  const fleet = fleetWith(({ tasks }) => change(tasks.nodes[1]));
  const { data, errors } = await fleet.ask(
    '{ tasks(filter: { instances: ["alpha"] }) { nodes { ref id createdAt } } }',
  );
  expect(refs(data)).toEqual(['o/alpha#2', 'o/alpha#0']);
  expect(errors).toEqual([
    {
      message: 'alpha: Cannot serve 1: its place in the list cannot be read',
      path: ['tasks'],
      extensions: { code: 'MEMBER_ERROR', instance: 'alpha', row: 1 },
    },
  ]);
});

test('a walk goes on past bad rows', async () => {
  const fleet = fleetWith(({ tasks }) => {
    for (const node of tasks.nodes) if (node.ref !== 'o/alpha#2') node.state = 'X';
  });
  const seen: string[] = [];
  let after: string | undefined;
  for (let turn = 0; turn < 4; turn += 1) {
    const { data } = await fleet.ask(
      'query ($after: String) { tasks(first: 1, after: $after, orderBy: REF_ASC) { nodes { ref state } pageInfo { endCursor } } }',
      { variables: { after } },
    );
    seen.push(...refs(data));
    after = data.tasks.pageInfo.endCursor;
  }
  expect(seen).toEqual(['o/alpha#2', 'o/hq#0']);
});

test.each<[string, Data]>([
  ['no page', 'text'],
  ['no cursors', { nodes: [] }],
  ['no list of rows', { fleet_hidden_edges: [], fleet_hidden_pageInfo: { hasNextPage: false }, nodes: null }],
  ['no page info', { fleet_hidden_edges: [], nodes: [] }],
])('a member whose answer has %s is left out, named, and reported', async (_, page) => {
  const fleet = fleetWith((data) => (data.tasks = page));
  const { data, errors, context } = await fleet.ask(TEXT);
  expect(refs(data)).toEqual(['o/hq#0']);
  expect(errors).toEqual([]);
  expect([...context.unreachable.values()]).toMatchObject([{ instance: 'alpha', state: 'error' }]);
  expect(fleet.malformed).toMatchObject([['alpha', 'tasks', expect.any(String)]]);
});

test('a bad keyed answer is null where it may be, and the error of the whole where it may not', async () => {
  const fleet = fleetWith((data) => {
    for (const key of ['task', 'cancelTask']) if (data[key]) data[key].state = 'X';
  });
  const read = await fleet.ask('{ task(ref: "o/alpha#0") { state } }');
  expect(read.data).toEqual({ task: null });
  expect(read.errors).toMatchObject([
    { path: ['task'], extensions: { code: 'MEMBER_ERROR', instance: 'alpha' } },
  ]);
  const written = await fleet.ask('mutation { cancelTask(ref: "o/alpha#0") { state } }');
  expect(written.data).toBeNull();
  expect(written.errors).toMatchObject([{ path: ['cancelTask'] }]);
});

test("the stamp is the registered name, whatever a member's row claims", async () => {
  const claims = ['ci-box', 7, { a: 1 }, 'hq', null, undefined];
  const fleet = createFakeFleet([
    toEntry({ name: 'hq' }),
    {
      member: new FakeMember('alpha', ({ text }) =>
        answering({
          data: text.includes('commands')
            ? { commands: claims.map((instance) => ({ instance, me: instance, name: 'x' })) }
            : {
                config: { instance: 'hq', path: '/x' },
                instance: { managed: [{ ref: 'r', instance: 'hq' }] },
                task: { instance: 3, owner: { name: 'hq' } },
              },
          errors: [],
        }),
      ),
      managed: ['o/r#1'],
    },
  ]);
  const list = await fleet.ask('{ commands { instance me: instance } }');
  const own = { instance: 'hq', me: 'hq' };
  expect(list.data.commands).toEqual([own, ...claims.map(() => ({ instance: 'alpha', me: 'alpha' }))]);
  expect(list.errors).toEqual([]);
  const keyed = await fleet.ask(
    '{ config(instance: "alpha") { instance path } instance(instance: "alpha") { managed { ref instance } } task(ref: "o/r#1") { instance owner { name } } }',
  );
  expect(keyed.data).toEqual({
    config: { instance: 'alpha', path: '/x' },
    instance: { managed: [{ ref: 'r', instance: 'alpha' }] },
    task: { instance: 'alpha', owner: { name: 'alpha' } },
  });
});

test('keys that JavaScript gives a meaning are nothing but keys', async () => {
  const row = JSON.parse(
    '{"ref":"r","__proto__":{"polluted":true},"constructor":null,"toString":"t","record":{"__proto__":{"polluted":true}}}',
  );
  const fleet = createFakeFleet([
    toEntry({ name: 'hq' }),
    { member: new FakeMember('alpha', () => answering({ data: { task: row }, errors: [] })), managed: ['r'] },
  ]);
  const { data, errors } = await fleet.ask(
    '{ task(ref: "r") { ref record toString: name __proto__: plan { steps { id } } valueOf: lastReply } }',
  );
  expect(({} as Data).polluted).toBeUndefined();
  expect(data.task.polluted).toBeUndefined();
  expect('hasOwnProperty' in data.task).toBe(false);
  expect(Object.keys(data.task)).toEqual(['ref', 'record', 'toString', '__proto__', 'valueOf']);
  expect(Object.getOwnPropertyDescriptor(data.task, 'toString')?.value).toBe('t');
  expect(errors.map(({ path }) => path)).toEqual([
    ['task', '__proto__'],
    ['task', 'valueOf'],
  ]);
});

test('a value is never shown', async () => {
  const fleet = fleetWith(({ tasks }) => {
    tasks.nodes[0].state = 'the secret';
    tasks.nodes[1].plan = 'the secret';
    tasks.nodes[2].history.nodes[0].fleet_hidden_typename = 'the secret';
  });
  const { errors, context } = await fleet.ask(TEXT);
  expect(JSON.stringify([errors, [...context.unreachable]])).not.toContain('secret');
});

test('a member cannot flood the response with errors', async () => {
  const rows = Array.from({ length: 3000 }, () => ({ name: null }));
  const fleet = createFakeFleet([
    toEntry({ name: 'hq' }),
    {
      member: new FakeMember('alpha', () =>
        answering({
          data: { commands: rows },
          errors: Array.from({ length: 3000 }, () => ({ message: 'x' })),
        }),
      ),
    },
  ]);
  const { data, errors } = await fleet.ask('{ commands { name } }');
  expect(data.commands).toEqual([{ name: 'help' }]);
  expect(errors).toHaveLength(1001);
  expect(errors.at(-1)).toMatchObject({
    message: 'alpha: Cannot serve: 2000 more parts of the answer break the schema',
    path: ['commands'],
  });
});
