/** A manager whose graph is extended by a subgraph of somebody else, while it runs. */

import { parse } from 'graphql';
import { expect, test, vi } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import { type Clock, systemClock } from '../../../lib/Clock.ts';
import { openManager } from '../../support/openManager.ts';
import { REVIEWS, SubgraphServer } from '../../support/SubgraphServer.ts';

type OpenManager = Awaited<ReturnType<typeof openManager>>;

/** The start waits for its subgraphs for five seconds, in which a busy machine may not compose a graph: here it waits for as long as that takes. */
const PATIENT: Clock = {
  ...systemClock,
  schedule: (delayMs, callback) => systemClock.schedule(delayMs === 5_000 ? 50_000 : delayMs, callback),
};

function configOf(server: SubgraphServer, name = 'reviews'): object {
  return {
    gateway: { subgraphs: [{ name, url: server.url }] },
    instance: { manager: { probeIntervalSeconds: 1 } },
  };
}

async function createTasks(manager: OpenManager, count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await manager.ask(
      `mutation { createTask(input: { name: "t${number}", goal: "g", ref: "github:o/r#${number}" }) { ref } }`,
    );
  }
}

/** Asks until there is no error: the graph follows within a second or two. */
function askUntilKnown(manager: OpenManager, query: string) {
  return vi.waitFor(
    async () => {
      const answer = await manager.ask(query);
      expect(answer.errors).toEqual([]);
      return answer.data;
    },
    { timeout: 15_000, interval: 50 },
  );
}

function refusals(manager: OpenManager): unknown[] {
  return manager.worker.log
    .read({ limit: 100, filter: { types: ['supergraph.refused'] } })
    .map(({ data, level }) => [level, data]);
}

test('tasks and instances are read with what a subgraph adds to them, from the first request on', async () => {
  await using server = await SubgraphServer.start();
  await using manager = await openManager({ config: configOf(server), clock: PATIENT });
  await createTasks(manager, 2);
  const { data, errors } = await manager.ask(
    '{ tasks(orderBy: REF_ASC) { nodes { ref: name review owner { name state rack } } } instances { name rack } }',
  );
  expect(errors).toEqual([]);
  const owner = { name: 'alpha', state: 'LIVE', rack: 'rack of alpha' };
  expect(data).toEqual({
    tasks: {
      nodes: [
        { ref: 't1', review: 'github:o/r#1 of alpha is fine', owner },
        { ref: 't2', review: 'github:o/r#2 of alpha is fine', owner },
      ],
    },
    instances: [{ name: 'alpha', rack: 'rack of alpha' }],
  });
});

test('a subgraph that is added, changed and removed by an edit of the configuration is followed', async () => {
  await using server = await SubgraphServer.start();
  await using manager = await openManager();
  await createTasks(manager, 1);
  const schemas: unknown[] = [];
  manager.manager.gateway.onSchemaLoadOrUpdate?.(({ apiSchema }) => schemas.push(apiSchema));
  await manager.worker.config.update(configOf(server));
  const added = await askUntilKnown(manager, '{ task(ref: "github:o/r#1") { name review } }');
  expect(added.task).toEqual({ name: 't1', review: 'github:o/r#1 of alpha is fine' });

  server.publish(`${REVIEWS} extend type Query { reviewers: [String!]! }`, {
    Query: { reviewers: () => ['ada'] },
  });
  expect(await askUntilKnown(manager, '{ reviewers }')).toEqual({ reviewers: ['ada'] });

  await manager.worker.config.update({ gateway: { subgraphs: [] } });
  await vi.waitFor(
    async () => {
      const { errors } = await manager.ask('{ reviewers }');
      expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    },
    { timeout: 15_000, interval: 50 },
  );
  expect(schemas).toHaveLength(3);
  expect(manager.manager.schema).toBe(schemas[2]);
  const updates = manager.worker.log.read({ limit: 100, filter: { types: ['supergraph.updated'] } });
  expect(updates.map(({ data }) => data)).toEqual([
    { subgraphs: ['reviews'] },
    { subgraphs: ['reviews'] },
    { subgraphs: [] },
  ]);
});

test('a broken update keeps the last good graph, says why once, and is mended by the next', async () => {
  await using server = await SubgraphServer.start();
  await using manager = await openManager({ config: configOf(server), clock: PATIENT });
  await createTasks(manager, 1);
  server.publish('extend type Query { tasks: Int }');
  const { reads } = server;
  await vi.waitFor(() => expect(refusals(manager)).toHaveLength(1), { timeout: 15_000 });
  await vi.waitFor(() => expect(server.reads).toBeGreaterThan(reads + 3), { timeout: 15_000 });
  const kept = await manager.ask('{ task(ref: "github:o/r#1") { name review } }');
  expect(kept.data.task.name).toBe('t1');
  expect(refusals(manager)).toEqual([
    ['WARNING', { subgraph: 'reviews', reason: expect.stringContaining('Query.tasks') }],
  ]);

  server.publish(`${REVIEWS} extend type Query { reviewers: [String!]! }`, {
    Query: { reviewers: () => ['ada'] },
  });
  expect(await askUntilKnown(manager, '{ reviewers }')).toEqual({ reviewers: ['ada'] });
  expect(refusals(manager)).toHaveLength(1);
});

test('a subgraph that does not answer costs nothing but itself, and joins when it does', async () => {
  await using reviews = await SubgraphServer.start();
  await using costs = await SubgraphServer.start({ sdl: 'type Query { cheapest: String }' });
  reviews.misbehave((response) => response.socket?.destroy());
  const subgraphs = [
    { name: 'reviews', url: reviews.url },
    { name: 'costs', url: costs.url },
  ];
  await using manager = await openManager({ config: { gateway: { subgraphs } }, clock: PATIENT });
  expect(await manager.ask('{ cheapest }')).toMatchObject({ errors: [], data: { cheapest: null } });
  expect(refusals(manager)).toEqual([
    ['WARNING', { subgraph: 'reviews', reason: expect.stringContaining('connection') }],
  ]);
  reviews.behave();
  const { instances } = await askUntilKnown(manager, '{ instances { rack } }');
  expect(instances).toEqual([{ rack: 'rack of alpha' }]);
  expect(refusals(manager)).toHaveLength(1);
});

test('a subgraph that goes down stays in the graph: its fields are null with an error, the others are served', async () => {
  await using server = await SubgraphServer.start();
  await using manager = await openManager({ config: configOf(server), clock: PATIENT });
  await createTasks(manager, 1);
  server.misbehave((response) => response.socket?.destroy());
  await vi.waitFor(() => expect(refusals(manager)).toHaveLength(1), { timeout: 15_000 });
  const { data, errors } = await manager.ask('{ task(ref: "github:o/r#1") { name review } }');
  expect(data.task).toEqual({ name: 't1', review: null });
  expect(errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE', subgraph: 'reviews' } }]);
});

test('an operation finishes on the graph that it began with, although that one is gone meanwhile', async () => {
  await using server = await SubgraphServer.start();
  await using manager = await openManager({ config: configOf(server), clock: PATIENT });
  await createTasks(manager, 1);
  const asked = Promise.withResolvers<() => void>();
  server.misbehave((response, { query }) => {
    const body = query.includes('_service')
      ? { data: null, errors: [{ message: 'not now' }] }
      : { data: { _entities: [{ review: 'late' }] } };
    const answer = (): void => void response.end(JSON.stringify(body));
    if (query.includes('_service')) answer();
    else asked.resolve(answer);
  });
  const before = manager.manager.schema;
  const running = manager.ask('{ task(ref: "github:o/r#1") { name review } }');
  const answer = await asked.promise;
  await manager.worker.config.update({ gateway: { subgraphs: [] } });
  await vi.waitFor(() => expect(manager.manager.schema).not.toBe(before), { timeout: 15_000 });
  answer();
  expect(await running).toMatchObject({ errors: [], data: { task: { name: 't1', review: 'late' } } });
});

test('a subscription lives on when its graph is replaced; a field that is gone costs the task, not the event', async () => {
  await using server = await SubgraphServer.start();
  await using manager = await openManager({ config: configOf(server), clock: PATIENT });
  const client = new AbortController();
  const stream = await manager.manager.subscribe({
    document: parse('subscription { taskEvents { type task { name review } } }'),
    context: createFleetContext(client.signal),
  });
  if (!(Symbol.asyncIterator in stream)) throw new Error('A stream was expected');
  const events = stream[Symbol.asyncIterator]();
  const nextCreated = async (): Promise<unknown> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error('The subscription has ended');
      const told = JSON.parse(JSON.stringify(value));
      if (told.data.taskEvents.type === 'task.created') return told;
    }
  };
  const first = nextCreated();
  await createTasks(manager, 1);
  expect(await first).toEqual({
    data: {
      taskEvents: { type: 'task.created', task: { name: 't1', review: 'github:o/r#1 of alpha is fine' } },
    },
  });

  const before = manager.manager.schema;
  await manager.worker.config.update({ gateway: { subgraphs: [] } });
  await vi.waitFor(() => expect(manager.manager.schema).not.toBe(before), { timeout: 15_000 });
  const second = nextCreated();
  await manager.ask('mutation { createTask(input: { name: "t2", goal: "g", ref: "github:o/r#2" }) { ref } }');
  expect(await second).toMatchObject({
    data: { taskEvents: { type: 'task.created', task: null } },
    errors: [{ message: expect.stringContaining('review') }],
  });
  client.abort();
});
