/** A graph that is composed of more than ours: a subgraph of somebody else joins, changes, breaks and leaves a manager that is at work. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { stringify } from 'yaml';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import type { LoopReport } from '../support/hastyManager.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { REVIEWS, SubgraphServer } from '../support/SubgraphServer.ts';
import { awaitState, createTask } from '../support/taskClient.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { until } from '../support/until.ts';

const UPDATES = 100;
/** Longest turn of the event loop, in milliseconds. */
const MAX_TURN_MS = 100;
const READERS = 4;
const SUBSCRIBERS = 8;

const resources = new AsyncDisposableStack();
let reviews: SubgraphServer;
let worker: InstanceProcess;
let manager: ChildProcess;
let url: string;
let writeConfig: (subgraphs: readonly object[]) => void;

beforeAll(async () => {
  const { path } = resources.use(temporaryDirectory());
  reviews = resources.use(await SubgraphServer.start());
  worker = resources.use(new InstanceProcess('alpha', join(path, 'alpha')));
  await worker.start();
  const directory = join(path, 'hq');
  mkdirSync(directory);
  const configPath = join(directory, 'flotilla.yaml');
  writeConfig = (subgraphs) =>
    writeFileSync(
      configPath,
      stringify({
        instance: {
          name: 'hq',
          role: 'manager',
          // Of its own time, which goes faster.
          manager: {
            instances: [{ name: 'alpha', url: worker.url }],
            timeoutSeconds: 100,
            probeIntervalSeconds: 1,
          },
        },
        gateway: { subgraphs },
        log: { level: 'error' },
      }),
    );
  writeConfig([{ name: 'reviews', url: reviews.url }]);
  manager = fork(join(import.meta.dirname, '../support/hastyManager.ts'), [configPath], { execArgv: [] });
  resources.defer(() => void manager.kill('SIGKILL'));
  [url] = (await once(manager, 'message')) as [string];
  // A manager does not wait long for its subgraphs.
  await awaitState(() => readGraphQL(url, '{ instances { rack } }'));
  for (const instance of ['alpha', 'hq']) {
    await createTask(url, 'say hello', { ref: `github:o/${instance}#1`, instance });
  }
});

afterAll(() => resources.disposeAsync());

/*
 * Feature: A graph of several owners
 * Scenario: a subgraph of somebody else extends the tasks and the instances of the fleet
 *   Requirement: spec/manager.md#N-reload
 *   Given a manager hq over the worker alpha, whose configuration names the subgraph reviews
 *   When tasks of both and the instances are read with fields of the fleet and fields of reviews
 *   Then each row has both, and a row of alpha has what reviews says of alpha
 */
test('a subgraph of somebody else extends the tasks and the instances of the fleet', async () => {
  const { data, errors } = await askGraphQL(
    url,
    `{ tasks(filter: { text: "#1" }, orderBy: REF_ASC) { nodes { instance ref review owner { state rack } } }
       instances { name state rack } }`,
  );

  expect(errors).toBeUndefined();
  expect(data).toEqual({
    tasks: {
      nodes: ['alpha', 'hq'].map((instance) => ({
        instance,
        ref: `github:o/${instance}#1`,
        review: `github:o/${instance}#1 of ${instance} is fine`,
        owner: { state: 'LIVE', rack: `rack of ${instance}` },
      })),
    },
    instances: ['hq', 'alpha'].map((name) => ({ name, state: 'LIVE', rack: `rack of ${name}` })),
  });
});

/*
 * Feature: A graph of several owners
 * Scenario: a hundred updates of the graph end no query and no subscription, and keep nobody waiting
 *   Requirement: spec/manager.md#N-reload
 *   Given clients that read tasks without and with fields of reviews all the time, and clients that are subscribed to task events
 *   When reviews publishes another schema a hundred times, and each is taken over
 *   Then no read has failed, no subscription has ended, and each has told every event of alpha once and in order
 *   And no turn of the event loop of hq has taken 100 milliseconds
 */
test('a hundred updates of the graph end no query and no subscription, and keep nobody waiting', async () => {
  const load = startLoad();
  await load.warm;
  await loopReport();

  for (let number = 1; number <= UPDATES; number += 1) {
    reviews.publish(
      `${REVIEWS} type Update${number} { number: Int } extend type Query { u: Update${number} }`,
    );
    await awaitState(async () => {
      const { __type } = await readGraphQL(url, `{ __type(name: "Update${number}") { name } }`);
      expect(__type).not.toBeNull();
    });
    if (number % 10 === 0) {
      await createTask(url, 'say hello', { ref: `github:o/update#${number}`, instance: 'alpha' });
    }
  }
  const loop = await loopReport();
  await load.told(`github:o/update#${UPDATES}`);
  const { reads, failures, streams } = await load.stop();

  expect(failures).toEqual([]);
  expect(reads).toBeGreaterThan(UPDATES);
  for (const { events, ends } of streams) {
    expect(ends).toEqual([]);
    const created = events.filter(({ type }) => type === 'task.created');
    expect(created.map(({ ref }) => ref)).toEqual(
      Array.from({ length: UPDATES / 10 }, (_, index) => `github:o/update#${(index + 1) * 10}`),
    );
    expect(created.every(({ review }) => review?.endsWith('of alpha is fine'))).toBe(true);
    const offsets = events.map(({ offset }) => offset);
    expect(offsets).toEqual([...new Set(offsets)].sort((one, other) => one - other));
  }
  expect(loop.cpuMs).toBeLessThan(MAX_TURN_MS);
}, 180_000);

/*
 * Feature: A graph of several owners
 * Scenario: a broken schema leaves the graph as it is and is told once, until it is mended
 *   Requirement: spec/manager.md#N-reload
 *   Given a graph with the fields of reviews
 *   When reviews publishes a schema that does not fit, then does not answer, then is mended
 *   Then tasks are read with reviews after the first as before
 *   And there is one event for each trouble, which says why
 *   And what the mended schema adds can be read
 */
test('a broken schema leaves the graph as it is and is told once, until it is mended', async () => {
  reviews.publish(`${REVIEWS} extend type Query { tasks: Int }`);
  await awaitState(async () => expect(await refusals()).toHaveLength(1));
  const { task } = await readGraphQL(url, '{ task(ref: "github:o/alpha#1") { state review } }');
  expect(task).toMatchObject({ review: 'github:o/alpha#1 of alpha is fine' });

  reviews.misbehave((response) => response.socket?.destroy());
  await awaitState(async () => expect(await refusals()).toHaveLength(2));
  const { data, errors } = await askGraphQL(url, '{ task(ref: "github:o/alpha#1") { ref review } }');
  expect(data.task).toEqual({ ref: 'github:o/alpha#1', review: null });
  expect(errors).toMatchObject([{ extensions: { code: 'MEMBER_UNAVAILABLE', subgraph: 'reviews' } }]);

  reviews.behave();
  reviews.publish(`${REVIEWS} extend type Query { mended: Boolean }`, { Query: { mended: () => true } });
  await awaitState(async () => expect(await readGraphQL(url, '{ mended }')).toEqual({ mended: true }));
  expect(await refusals()).toEqual([
    { subgraph: 'reviews', reason: expect.stringContaining('Query.tasks') },
    { subgraph: 'reviews', reason: expect.stringContaining('connection') },
  ]);
});

/*
 * Feature: A graph of several owners
 * Scenario: a subgraph that leaves the configuration leaves the graph, without a restart
 *   Requirement: spec/manager.md#N-reload
 *   Given a graph with the fields of reviews
 *   When the configuration is edited so that it does not name reviews any more
 *   Then its fields are not known any more, and the fleet's are read as before
 */
test('a subgraph that leaves the configuration leaves the graph, without a restart', async () => {
  writeConfig([]);

  await awaitState(async () => {
    const { errors } = await askGraphQL(url, '{ task(ref: "github:o/alpha#1") { review } }');
    expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
  });
  const { task } = await readGraphQL(url, '{ task(ref: "github:o/alpha#1") { ref owner { state } } }');
  expect(task).toEqual({ ref: 'github:o/alpha#1', owner: { state: 'LIVE' } });
});

async function refusals(): Promise<unknown[]> {
  const query = '{ events(first: 100, filter: { types: ["supergraph.refused"] }) { nodes { data } } }';
  const { events } = await readGraphQL(url, query);
  return events.nodes.map(({ data }: { data: unknown }) => data);
}

/** What kept the event loop of the manager longest since it was asked before. */
async function loopReport(): Promise<LoopReport> {
  manager.send('report');
  const [report] = (await once(manager, 'message')) as [LoopReport];
  return report;
}

interface ReadEvent {
  readonly type: string;
  readonly offset: number;
  readonly ref: string;
  readonly review?: string;
}

function startLoad() {
  const queries = [
    '{ tasks { nodes { instance ref state } } }',
    '{ tasks { nodes { ref review owner { name rack } } } }',
    '{ task(ref: "github:o/alpha#1") { ref review } }',
    'mutation { sendMessage(ref: "github:o/hq#1", text: "/status") { ref } }',
  ];
  const failures: unknown[] = [];
  let reads = 0;
  let isOver = false;
  const read = async (first: number): Promise<void> => {
    for (let turn = first; !isOver; turn += 1) {
      const { status, data, errors, extensions } = await askGraphQL(url, queries[turn % queries.length]!);
      reads += 1;
      if (status !== 200 || errors || extensions || !data)
        failures.push({ turn, status, errors, extensions });
    }
  };
  const readers = Array.from({ length: READERS }, (_, first) =>
    read(first).catch((error: unknown) => void failures.push(error)),
  );
  const subscribers = Array.from({ length: SUBSCRIBERS }, () => subscribe());
  return {
    warm: awaitState(async () => expect(reads).toBeGreaterThan(100)),
    /** Every subscriber has the creation of `ref`, or has ended. */
    told: (ref: string) =>
      until(() =>
        subscribers.every(
          ({ events, ends }) =>
            ends.length > 0 || events.some((event) => event.type === 'task.created' && event.ref === ref),
        ),
      ),
    async stop() {
      isOver = true;
      await Promise.all(readers);
      const streams = subscribers.map(({ events, ends }) => ({ events: [...events], ends: [...ends] }));
      for (const { client } of subscribers) await client.dispose();
      return { reads, failures, streams };
    },
  };
}

function subscribe() {
  const client = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  const events: ReadEvent[] = [];
  const ends: unknown[] = [];
  client.subscribe<{ taskEvents: ReadEvent & { task: { review: string } | null } }>(
    {
      query: 'subscription { taskEvents(instance: "alpha") { type offset ref task { review } } }',
    },
    {
      next: ({ data, errors }) => {
        if (errors || !data) return void ends.push(errors);
        const { task, ...event } = data.taskEvents;
        if (!event.type.startsWith('stream.')) events.push({ ...event, review: task?.review });
      },
      error: (error) => void ends.push(error),
      complete: () => void ends.push('complete'),
    },
  );
  return { client, events, ends };
}
