/** Two roads, one result: the first road and the stock gateway give equal answers (design § 3). */
import fc from 'fast-check';
import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import type { MemberAnswer } from '../../../gateway/member/Member.ts';
import {
  arbitraryOperation,
  type GeneratedOperation,
  type OperationSource,
} from '../../support/arbitraryOperation.ts';
import type { FakeAnswer, FakeMember } from '../../support/FakeMember.ts';
import { type FakeFleet, fleetOf, SUPERGRAPH } from '../../support/fakeFleet.ts';
import { buildFakeInstanceSchema, fakeEvents, fakeTasks } from '../../support/fakeInstance.ts';

const EVENT_TYPES = [['task.created', 'A task was created.']] as const;

function buildFleet(): FakeFleet {
  return fleetOf([
    { name: 'hq', tasks: fakeTasks('hq', 3), events: fakeEvents(4), eventTypes: EVENT_TYPES },
    {
      name: 'alpha',
      tasks: fakeTasks('alpha', 4, { startMs: 1_000_500 }),
      events: fakeEvents(3, { startMs: 900_000 }),
    },
    { name: 'beta', tasks: fakeTasks('beta', 2), commands: ['help', 'model'], eventTypes: EVENT_TYPES },
  ]);
}

// The registry knows these; what crosses into another subgraph has no first road.
const OF_REGISTRY = [
  'url',
  'role',
  'state',
  'version',
  'mode',
  'managedCount',
  'sessionCount',
  'probedAt',
  'detail',
].map((field) => `Instance.${field}`);

const SOURCE: OperationSource = {
  schema: SUPERGRAPH.apiSchema,
  roots: [
    'tasks',
    'task',
    'commands',
    'events',
    'eventTypes',
    'config',
    'configSchema',
    'instance',
    'health',
    'sessions',
    'session',
  ],
  argumentTexts: {
    'Query.tasks': [
      '',
      '(first: 3)',
      '(first: $first)',
      '(orderBy: REF_ASC, first: 4)',
      '(filter: { text: $text, instances: ["alpha", "beta"] })',
      '(filter: $filter)',
    ],
    'Query.task': [
      '(ref: "o/alpha#1")',
      '(ref: $ref)',
      '(ref: "o/nobody#1")',
      '(ref: $ref, instance: "beta")',
      '(ref: "o/hq#0", instance: $instance)',
    ],
    'Query.session': ['(ref: $ref)', '(ref: "o/beta#0", instance: "beta")'],
    'Query.events': ['', '(last: 3)', '(first: $first)', '(last: $first)'],
    'Query.config': ['', '(instance: "alpha")', '(instance: $instance)', '(instance: "nobody")'],
    'Query.configSchema': ['', '(instance: $instance)'],
    'Query.instance': ['', '(instance: "beta")'],
    'Query.health': ['', '(instance: $instance)'],
    'Task.history': ['', '(first: 2)', '(first: $first)'],
  },
  excluded: new Set(OF_REGISTRY),
  variables: {
    yes: { type: 'Boolean!', value: true },
    no: { type: 'Boolean!', value: false },
    first: { type: 'Int', value: 2 },
    text: { type: 'String', value: 'a' },
    ref: { type: 'ID!', value: 'o/beta#1' },
    instance: { type: 'String', value: 'alpha' },
    filter: { type: 'TaskFilter', value: { instances: ['hq', 'beta'], states: ['WORKING'] } },
  },
};

const operations = arbitraryOperation(SOURCE);

/** Over one instance; cursors are the manager's own. */
const operationsWithoutCursors = arbitraryOperation({
  ...SOURCE,
  roots: ['tasks', 'task', 'commands', 'events', 'eventTypes', 'sessions', 'session'],
  argumentTexts: {
    'Query.tasks': [
      '',
      '(first: 1)',
      '(first: $first)',
      '(orderBy: REF_ASC, first: 4)',
      '(filter: { text: $text })',
    ],
    'Query.task': ['(ref: "o/hq#0")', '(ref: $own)'],
    'Query.session': ['(ref: $own)'],
    'Query.events': ['', '(last: 3)', '(first: $first)', '(last: $first)'],
    'Task.history': ['', '(first: 2)', '(first: $first)'],
  },
  excluded: new Set([
    ...OF_REGISTRY,
    ...[
      'TaskEdge.cursor',
      'EventEdge.cursor',
      'EventRecord.cursor',
      'PageInfo.startCursor',
      'PageInfo.endCursor',
    ],
  ]),
  variables: { ...SOURCE.variables, own: { type: 'ID!', value: 'o/hq#1' } },
});

const fleet = buildFleet();
afterAll(() => fleet.gateway.stop());

test('generated operations are answered alike on both roads', async () => {
  await fc.assert(
    fc.asyncProperty(operations, async (operation) => expectEqualRoads(operation)),
    { numRuns: 150, endOnFailure: true },
  );
}, 60_000);

test('generated operations are answered alike on both roads when a member breaks the schema', async () => {
  const member = fleet.member('alpha');
  const honest = member.answer;
  try {
    await fc.assert(
      fc.asyncProperty(operations, fc.nat(10_000), async (operation, seed) => {
        member.answer = breaking(honest, seed);
        await expectEqualRoads(operation);
      }),
      { numRuns: 150, endOnFailure: true },
    );
  } finally {
    member.answer = honest;
  }
}, 60_000);

test('generated operations of a fleet of one are answered as graphql-js answers them, order included', async () => {
  const data = { name: 'hq', tasks: fakeTasks('hq', 3), events: fakeEvents(4), eventTypes: EVENT_TYPES };
  const alone = fleetOf([data]);
  const schema = buildFakeInstanceSchema(data);
  await fc.assert(
    fc.asyncProperty(operationsWithoutCursors, async ({ text, variables }) => {
      const document = parse(text);
      const context = createFleetContext(new AbortController().signal);
      const result = await alone.source.execute({ document, text, variables, context });
      const expected = await execute({ schema, document, variableValues: variables });
      expect(JSON.stringify(result.data), text).toBe(JSON.stringify(expected.data));
      expect(result.errors, text).toBeUndefined();
    }),
    { numRuns: 300, endOnFailure: true },
  );
}, 60_000);

async function expectEqualRoads({ text, variables }: GeneratedOperation): Promise<void> {
  const document = parse(text);
  expect(validate(SUPERGRAPH.apiSchema, document), text).toEqual([]);
  const contexts = [
    createFleetContext(new AbortController().signal),
    createFleetContext(new AbortController().signal),
  ] as const;
  const first = await fleet.source.execute({ document, text, variables, context: contexts[0] });
  const second = await fleet.gateway.executeWithPlanner({ document, text, variables, context: contexts[1] });
  expect(told(second), text).toEqual(told(first));
  expect([...contexts[1].unreachable.keys()].sort(), text).toEqual(
    [...contexts[0].unreachable.keys()].sort(),
  );
}

function told({ data, errors = [] }: ExecutionResult) {
  return {
    data: JSON.parse(JSON.stringify(data ?? null)),
    // Of several bad values in one row, the one that is met first is named; the planner orders fields in its own way.
    errors: errors
      .map(({ message, path, extensions }) => ({
        message: message.replace(/(Cannot serve \d*).*/, '$1'),
        path: extensions.row === undefined ? path : path?.slice(0, 1),
        extensions,
      }))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  };
}

/** Changes some of an answer's values, the same ones whenever the same path is answered. */
function breaking(honest: FakeMember['answer'], seed: number): FakeAnswer {
  return async (request) => {
    const result = await honest(request);
    if (result.kind === 'failure') return result;
    return { kind: 'answer', answer: breakValue(result.answer, { path: '', seed }) as MemberAnswer };
  };
}

function breakValue(value: unknown, { path, seed }: { path: string; seed: number }): unknown {
  if (path.includes('typename') || path === '' || path === '/data' || path.startsWith('/errors'))
    return breakBelow(value, { path, seed });
  const hash = [...`${seed}${path}`].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_003, 7);
  switch (hash % 40) {
    case 0:
      return null;
    case 1:
      return undefined;
    case 2:
      return { odd: true };
    case 3:
      return Array.isArray(value) ? value.slice(1) : 'odd';
    default:
      return breakBelow(value, { path, seed });
  }
}

function breakBelow(value: unknown, { path, seed }: { path: string; seed: number }): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => breakValue(item, { path: `${path}/${index}`, seed }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      breakValue(item, { path: `${path}/${key.replace('fleet_renamed_', '')}`, seed }),
    ]),
  );
}
