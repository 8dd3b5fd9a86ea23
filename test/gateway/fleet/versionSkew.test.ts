/** Members of another version (design § 3 "Version skew"). */
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLSchema,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import { expect, test } from 'vitest';
import { answering, answeringFrom } from '../../support/FakeMember.ts';
import { type FakeFleet, fleetOf } from '../../support/fakeFleet.ts';
import { buildFakeInstanceSchema, fakeTasks } from '../../support/fakeInstance.ts';

const DATA = { name: 'alpha', tasks: fakeTasks('alpha', 1) };

/** `alpha` refuses documents with what its older SDL lacks; what it understands it answers as before. */
function fleetWith(lacks: readonly string[]): FakeFleet {
  const fleet = fleetOf([{ name: 'hq', tasks: fakeTasks('hq', 1, { startMs: 1 }) }, DATA]);
  const sdl = print(without(parse(printSchema(buildFakeInstanceSchema(DATA))), lacks));
  const older: GraphQLSchema = buildASTSchema(parse(sdl), { assumeValid: true, assumeValidSDL: true });
  const refusing = answeringFrom(older);
  const honest = answeringFrom(buildFakeInstanceSchema(DATA));
  fleet.member('alpha').answer = async (request) => {
    if (request.text.includes('_service')) return answering({ data: { _service: { sdl } }, errors: [] });
    const checked = await refusing(request);
    const isRefused =
      checked.kind === 'answer' &&
      checked.answer.errors.some(({ extensions }) => extensions?.code === 'GRAPHQL_VALIDATION_FAILED');
    return isRefused ? checked : honest(request);
  };
  return fleet;
}

/** The SDL without some fields, given as `Type.field`. */
function without(document: DocumentNode, coordinates: readonly string[]): DocumentNode {
  return visit(document, {
    ObjectTypeDefinition: ({ fields, ...type }) => ({
      ...type,
      fields: fields?.filter(({ name }) => !coordinates.includes(`${type.name.value}.${name.value}`)),
    }),
  });
}

test('a field that a member does not have is not asked of it and is null in its rows, with a warning', async () => {
  const fleet = fleetWith(['Task.plan', 'Task.lastReply']);
  const text = '{ tasks { nodes { instance name lastReply plan { steps { id } } } } }';
  const { data, errors, context } = await fleet.ask(text);
  expect(errors).toEqual([]);
  expect(data.tasks.nodes).toEqual([
    { instance: 'alpha', name: 'alpha 0', lastReply: null, plan: null },
    { instance: 'hq', name: 'hq 0', lastReply: null, plan: { steps: [{ id: 's1' }, { id: 's2' }] } },
  ]);
  expect(context.warnings).toEqual(['alpha does not have Task.lastReply', 'alpha does not have Task.plan']);
  expect(context.unreachable.size).toBe(0);
});

test('what was learned holds for the next documents: they are refused no more', async () => {
  const fleet = fleetWith(['Task.lastReply']);
  await fleet.ask('{ tasks { nodes { lastReply } } }');
  expect(fleet.member('alpha').requests).toHaveLength(3);
  const { data } = await fleet.ask('{ task(ref: "o/alpha#0") { lastReply name } }');
  expect(data.task).toEqual({ lastReply: null, name: 'alpha 0' });
  expect(fleet.member('alpha').requests).toHaveLength(4);
});

test('a member of a new version is asked for everything again', async () => {
  const fleet = fleetWith(['Task.lastReply']);
  await fleet.ask('{ tasks { nodes { lastReply } } }');
  fleet.registry.entries = fleet.registry.entries.map((entry) => ({ ...entry, version: '2' }));
  fleet.member('alpha').answer = answeringFrom(buildFakeInstanceSchema(DATA));
  const { context } = await fleet.ask('{ tasks { nodes { lastReply } } }');
  expect(context.warnings).toEqual([]);
});

test('what the probe has read of the schema is not asked in the first place', async () => {
  const fleet = fleetWith(['Task.lastReply']);
  const sdl = print(without(parse(printSchema(buildFakeInstanceSchema(DATA))), ['Task.lastReply']));
  fleet.registry.entries = fleet.registry.entries.map((entry) =>
    entry.member.name === 'alpha' ? { ...entry, schema: { hash: 'a', sdl } } : entry,
  );
  const { context } = await fleet.ask('{ tasks { nodes { lastReply } } }');
  expect(context.warnings).toEqual(['alpha does not have Task.lastReply']);
  expect(fleet.member('alpha').requests).toHaveLength(1);
});

test('a member that was rebuilt at the same version is asked for everything again', async () => {
  const fleet = fleetWith(['Task.lastReply']);
  const probed = (hash: string) => {
    fleet.registry.entries = fleet.registry.entries.map((entry) => ({
      ...entry,
      schema: { hash, sdl: undefined },
    }));
  };
  probed('a');
  expect((await fleet.ask('{ tasks { nodes { lastReply } } }')).context.warnings).toHaveLength(1);
  fleet.member('alpha').answer = answeringFrom(buildFakeInstanceSchema(DATA));
  probed('b');
  expect((await fleet.ask('{ tasks { nodes { lastReply } } }')).context.warnings).toEqual([]);
});

test('a row cannot do without a field that is never null', async () => {
  const { data, errors } = await fleetWith(['Task.queuedMessages', 'Task.lastReply']).ask(
    '{ tasks { nodes { instance queuedMessages } } }',
  );
  expect(data.tasks.nodes).toEqual([{ instance: 'hq', queuedMessages: 0 }]);
  expect(errors).toMatchObject([{ extensions: { code: 'MEMBER_ERROR', instance: 'alpha' } }]);
});

test('a member without the root field is left out of lists and cannot do what is asked of it alone', async () => {
  const fleet = fleetWith(['Query.commands', 'Query.config']);
  const list = await fleet.ask('{ commands { instance } }');
  expect(list.data.commands).toEqual([{ instance: 'hq' }]);
  expect([...list.context.unreachable.values()]).toMatchObject([{ instance: 'alpha', state: 'error' }]);
  const keyed = await fleet.ask('{ config(instance: "alpha") { path } }');
  expect(keyed.errors).toMatchObject([
    {
      message: 'alpha: Cannot do config: it does not have Query.config',
      extensions: { code: 'NOT_SUPPORTED', instance: 'alpha' },
    },
  ]);
});

test.each([
  'mutation { sendMessage(ref: $key, text: "x") { instance } }',
  'mutation { deleteStanding(name: $key) { __typename } }',
])('a member whose schema has no such thing holds none: %s', async (text) => {
  const keyed = (fleet: FakeFleet, key: string) => fleet.ask(text.replace('$key', JSON.stringify(key)));
  const fleet = fleetWith(['Query.task', 'Query.standingSession']);
  for (const _ of ['before its schema is known', 'after it']) {
    const { errors, context } = await keyed(fleet, 'o/nobody#1');
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect([...context.unreachable.keys()]).toEqual([]);
  }
  const asked = fleet.member('alpha').requests.filter(({ text }) => text.includes('_service'));
  expect(asked).toHaveLength(1);
});

test('a member that lacks something else of the look-up may hold the key', async () => {
  const fleet = fleetWith(['Task.state']);
  const { errors } = await fleet.ask('mutation { sendMessage(ref: "o/hq#0", text: "x") { instance } }');
  expect(errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' } }]);
});

test('a member that refuses what it should understand is told as a member error', async () => {
  const fleet = fleetWith([]);
  const refusal = { message: 'too deep', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
  const { answer } = fleet.member('alpha');
  fleet.member('alpha').answer = (request) =>
    request.text.includes('_service') ? answer(request) : answering({ data: null, errors: [refusal] });
  const { errors } = await fleet.ask('{ config(instance: "alpha") { path } }');
  expect(errors).toMatchObject([{ message: 'alpha: too deep', extensions: { code: 'MEMBER_ERROR' } }]);
});
