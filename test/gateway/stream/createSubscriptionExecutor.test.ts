import { setImmediate } from 'node:timers/promises';
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  parse,
  print,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { createFleetContext } from '../../../gateway/fleet/FleetContext.ts';
import {
  createSubscriptionExecutor,
  type FleetReader,
} from '../../../gateway/stream/createSubscriptionExecutor.ts';
import type { FleetStream } from '../../../gateway/stream/FleetStream.ts';
import { instanceTypeDefs } from '../../../subgraph/resolvers/index.ts';
import { settled } from '../../support/until.ts';
import { type FanIn, openFanIn } from './openFanIn.ts';

const SCHEMA = buildSubgraphSchema({ typeDefs: instanceTypeDefs() });

test.each(['events', 'taskEvents'])(
  '%s of a fleet whose positions no cursor holds is refused, and says so',
  async (field) => {
    await using fixture = openFixture(undefined, ofLargeFleet);
    expect(await fixture.start(`subscription { ${field} { cursor } }`)).toMatchObject({
      errors: [
        { message: expect.stringContaining('1025 instances'), originalError: { code: 'NOT_SUPPORTED' } },
      ],
    });
  },
);

test('taskEvents of one instance are followed, however large its fleet is', async () => {
  await using fixture = openFixture(undefined, ofLargeFleet);
  const results = await fixture.subscribe('subscription { taskEvents(instance: "alpha") { offset } }');
  fixture.fleet.log('alpha').add(1, 'task.created');
  expect(await results.take(1)).toEqual([{ data: { taskEvents: { offset: 1 } } }]);
});

describe('taskEvents', () => {
  test('gives the events of tasks, and no others', async () => {
    await using fixture = openFixture();
    fixture.fleet.log('alpha').add(1, 'config.updated');
    fixture.fleet.log('alpha').add(1, 'task.created');
    const results = await fixture.subscribe(
      'subscription { happened: taskEvents(after: "alpha=0,hq=0") { __typename c: cursor instance offset type at ref data } }',
    );
    expect(await results.take(1)).toEqual([
      {
        data: {
          happened: {
            __typename: 'TaskEvent',
            c: 'alpha=2,hq=0',
            instance: 'alpha',
            offset: 2,
            type: 'task.created',
            at: '2026-01-01T00:00:00.000Z',
            ref: 'o/r#1',
            data: { n: 2 },
          },
        },
      },
    ]);
  });

  test('gives the events of one ref, or of one instance', async () => {
    await using fixture = openFixture();
    fixture.fleet.log('alpha').add(1);
    fixture.fleet.log('alpha').add(1, 'task.updated', 'o/r#2');
    fixture.fleet.own.log.add(1, 'task.updated', 'o/r#2');
    const byRef = await fixture.subscribe(
      'subscription { taskEvents(after: "alpha=0,hq=0", ref: "o/r#2", instance: "alpha") { instance offset } }',
    );
    expect(await byRef.take(1)).toEqual([{ data: { taskEvents: { instance: 'alpha', offset: 2 } } }]);
    expect(await byRef.poll()).toEqual([]);
  });

  test('an instance that is not in the fleet is an error, and nobody subscribes', async () => {
    await using fixture = openFixture();
    const result = await fixture.start('subscription { taskEvents(instance: "gamma") { type } }');
    expect(result).toMatchObject({
      errors: [{ originalError: { code: 'NOT_FOUND' }, path: ['taskEvents'] }],
    });
    expect(fixture.fleet.stream.counts().subscribers).toBe(0);
  });

  test('desyncs and bookmarks of the stream are events', async () => {
    await using fixture = openFixture();
    fixture.fleet.log('alpha').add(3);
    const selection = '{ cursor instance offset type ref task { name } data }';
    const results = await fixture.subscribe(
      `subscription { taskEvents(after: "alpha=9,hq=0", ref: "o/r#9") ${selection} }`,
    );
    expect(await results.take(1)).toEqual([
      {
        data: {
          taskEvents: {
            cursor: 'alpha=3,hq=0',
            instance: 'alpha',
            offset: 3,
            type: 'stream.desync',
            ref: null,
            task: null,
            data: { reason: 'truncated' },
          },
        },
      },
    ]);
    fixture.fleet.log('alpha').add(1);
    await results.poll();
    fixture.fleet.clock.advance(5000);
    expect(await results.take(1)).toMatchObject([
      { data: { taskEvents: { type: 'stream.bookmark', instance: 'hq', cursor: 'alpha=4,hq=0', data: {} } } },
    ]);
  });
});

describe('taskEvents { task }', () => {
  test('is what the client selected, with its aliases, fragments, variables and abstract types', async () => {
    await using fixture = openFixture();
    const results = await fixture.subscribe(
      `subscription Watch($flotillaMany: Int = 2, $brief: Boolean!) {
        taskEvents(after: "alpha=0,hq=0") {
          offset
          ...Subject
          again: task { name @skip(if: $brief) ref }
        }
      }
      fragment Subject on TaskEvent { job: task { title: name ...Talk } }
      fragment Talk on Task {
        history(first: $flotillaMany) {
          entries: nodes {
            kind: __typename
            ... on HistoryMessage { said: text }
            ... on HistoryToolCall { said: tool }
          }
        }
      }`,
      { brief: true },
    );
    fixture.fleet.log('alpha').add(1);
    expect(await results.take(1)).toEqual([
      {
        data: {
          taskEvents: {
            offset: 1,
            job: {
              title: 'o/r#1 on alpha',
              history: {
                entries: [
                  { kind: 'HistoryMessage', said: 'hello' },
                  { kind: 'HistoryToolCall', said: 'search' },
                ],
              },
            },
            again: { ref: 'o/r#1' },
          },
        },
      },
    ]);
  });

  test('is read once for each member, for all events that are there', async () => {
    await using fixture = openFixture();
    const log = fixture.fleet.log('alpha');
    log.add(2);
    log.add(2, 'task.updated', 'o/r#2');
    fixture.fleet.own.log.add(1, 'task.updated', 'o/r#3');
    await settled();
    const results = await fixture.subscribe(
      'subscription { taskEvents(after: "alpha=0,hq=0") { offset task { name } } }',
    );
    const names = (await results.take(5)).map((result) => taskEventOf(result).task?.name);
    expect(names.sort()).toEqual([
      'o/r#1 on alpha',
      'o/r#1 on alpha',
      'o/r#2 on alpha',
      'o/r#2 on alpha',
      'o/r#3 on hq',
    ]);
    // The own log is at hand at once, a page of the member's log comes a little later.
    expect(fixture.requests).toHaveLength(2);
  });

  test('is as it is when the event is told', async () => {
    await using fixture = openFixture();
    const results = await fixture.subscribe('subscription { taskEvents { task { turns } } }');
    const turns: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      fixture.turns += 1;
      fixture.fleet.own.log.add(1);
      turns.push(...(await results.take(1)).map((result) => taskEventOf(result).task?.turns));
    }
    expect(turns).toEqual([1, 2, 3]);
  });

  test('is null with one error when it cannot be read, and the event is delivered', async () => {
    const error = new GraphQLError('alpha: connection refused', {
      path: ['task0'],
      extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' },
    });
    await using fixture = openFixture(async () => ({ data: { task0: null }, errors: [error] }));
    const results = await fixture.subscribe('subscription { taskEvents { offset t: task { name } } }');
    fixture.fleet.own.log.add(1);
    const [result] = await results.take(1);
    expect(result?.data).toEqual({ taskEvents: { offset: 1, t: null } });
    expect(result?.errors?.map((each) => each.toJSON())).toMatchObject([
      {
        message: 'alpha: connection refused',
        path: ['taskEvents', 't'],
        extensions: { code: 'MEMBER_UNAVAILABLE', instance: 'alpha' },
      },
    ]);
  });

  test('is null without an error when the instance has none with the ref', async () => {
    await using fixture = openFixture(async () => ({ data: { task0: null } }));
    const results = await fixture.subscribe('subscription { taskEvents { task { name } } }');
    fixture.fleet.own.log.add(1);
    expect(await results.take(1)).toEqual([{ data: { taskEvents: { task: null } } }]);
  });

  test('has an error of a field below it at that field', async () => {
    const errors = [
      new GraphQLError('no plan', { path: ['task0', 'p'] }),
      new GraphQLError('no owner', { path: ['task0', 'owner', 'mode'] }),
    ];
    await using fixture = openFixture(async () => ({
      data: { task0: { n: 'a', p: null, owner: {} } },
      errors,
    }));
    const results = await fixture.subscribe(
      'subscription { taskEvents { offset task { n: name p: plan { steps { id } } } } }',
    );
    fixture.fleet.own.log.add(1);
    const [result] = await results.take(1);
    expect(result?.data).toEqual({ taskEvents: { offset: 1, task: { n: 'a', p: null } } });
    expect(result?.errors?.map(({ message, path }) => ({ message, path }))).toEqual([
      { message: 'no plan', path: ['taskEvents', 'task', 'p'] },
    ]);
  });

  test('is not read when it is not selected, or the event is of no task', async () => {
    await using fixture = openFixture();
    const results = await fixture.subscribe(
      'subscription ($no: Boolean!) { taskEvents { offset task @include(if: $no) { name } } }',
      { no: false },
    );
    fixture.fleet.own.log.add(1);
    await results.take(1);
    expect(fixture.requests).toEqual([]);
  });

  test('does not change the order of events when it takes long', async () => {
    const slow = Promise.withResolvers<void>();
    await using fixture = openFixture(async ({ variables = {} }) => {
      if (Object.values(variables).includes('alpha')) await slow.promise;
      return { data: { task0: { name: 'a task' } } };
    });
    const results = await fixture.subscribe('subscription { taskEvents { instance task { name } } }');
    fixture.fleet.log('alpha').add(1);
    await settled();
    fixture.fleet.own.log.add(1);
    await settled();
    expect(await results.poll()).toEqual([]);
    slow.resolve();
    const instances = (await results.take(2)).map((result) => taskEventOf(result).instance);
    expect(instances).toEqual(['alpha', 'hq']);
  });
});

describe('events', () => {
  test('more than 64 transcripts are an error, and nobody subscribes', async () => {
    await using fixture = openFixture();
    const transcripts = Array.from({ length: 65 }, (_, index) => `o/r#${index}`);
    const result = await fixture.start(
      `subscription { events(transcripts: ${JSON.stringify(transcripts)}) { type } }`,
    );
    expect(result).toMatchObject({ errors: [{ originalError: { code: 'BAD_USER_INPUT' } }] });
    expect(fixture.fleet.stream.counts().subscribers).toBe(0);
  });

  test('gives every event that matches the filter', async () => {
    await using fixture = openFixture();
    const { log } = fixture.fleet.own;
    log.add(1);
    log.append([
      { type: 'config.updated', level: 'WARNING', source: 'config', data: { keys: ['log.level'] } },
    ]);
    const results = await fixture.subscribe(
      `subscription ($filter: EventFilter) {
        events(after: "hq=0", filter: $filter) { cursor instance offset type at level ref source pid data }
      }`,
      { filter: { types: ['config.*', 'service.*'], level: 'INFO', since: '2026-01-01T00:00:00Z' } },
    );
    expect(await results.take(1)).toEqual([
      {
        data: {
          events: {
            cursor: 'alpha=0,hq=2',
            instance: 'hq',
            offset: 2,
            type: 'config.updated',
            at: '2026-01-01T00:00:00.000Z',
            level: 'WARNING',
            ref: null,
            source: 'config',
            pid: 1,
            data: { keys: ['log.level'] },
          },
        },
      },
    ]);
  });

  test('what two subscribers with one document are told of an event is executed once', async () => {
    await using fixture = openFixture();
    const text = 'subscription { events { cursor offset data } }';
    const one = await fixture.subscribe(text);
    const other = await fixture.subscribe(text);
    fixture.fleet.log('alpha').add(1);
    const [result] = await one.take(1);
    expect(result?.data?.events).toEqual({ cursor: 'alpha=1,hq=0', offset: 1, data: { n: 1 } });
    expect((await other.take(1))[0]).toBe(result);
  });

  test('subscribers at different positions are each told their own', async () => {
    await using fixture = openFixture();
    fixture.fleet.own.log.add(1);
    const text = 'subscription ($after: String) { events(after: $after) { cursor } }';
    const one = await fixture.subscribe(text, { after: 'alpha=0,hq=1' });
    const other = await fixture.subscribe(text, { after: 'alpha=0,hq=0' });
    expect(await other.take(1)).toEqual([{ data: { events: { cursor: 'alpha=0,hq=1' } } }]);
    fixture.fleet.log('alpha').add(1);
    const told = [{ data: { events: { cursor: 'alpha=1,hq=1' } } }];
    expect([await one.take(1), await other.take(1)]).toEqual([told, told]);
  });

  test('a filter that cannot be read is an error', async () => {
    await using fixture = openFixture();
    const result = await fixture.start('subscription { events(filter: { since: "yesterday" }) { type } }');
    expect(result).toMatchObject({ errors: [{ originalError: { code: 'BAD_USER_INPUT' } }] });
  });
});

describe('a subscription ends', () => {
  test('when its client leaves, also while it waits', async () => {
    await using fixture = openFixture();
    const results = await fixture.subscribe('subscription { taskEvents { type } }');
    await results.poll();
    await results.leave();
    expect(fixture.fleet.stream.counts().subscribers).toBe(0);
  });

  test('with the signal of its client', async () => {
    await using fixture = openFixture();
    const results = await fixture.subscribe('subscription { taskEvents { type } }');
    await results.poll();
    fixture.controller.abort();
    await results.end();
    expect(fixture.fleet.stream.counts().subscribers).toBe(0);
  });
});

interface TaskEvent {
  readonly instance?: string;
  readonly task?: { readonly name?: string; readonly turns?: number } | null;
}

function taskEventOf({ data }: ExecutionResult): TaskEvent {
  return data?.taskEvents as TaskEvent;
}

/** The stream of a fleet with more instances than a cursor has room for. */
function ofLargeFleet(stream: FleetStream): FleetStream {
  return {
    size: 1025,
    knows: (instance) => stream.knows(instance),
    subscribe: (subscription) => stream.subscribe(subscription),
    counts: () => stream.counts(),
    stats: () => stream.stats(),
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}

/** A fleet of `hq` and `alpha`, and a gateway that has every task. */
function openFixture(answer?: FleetReader, streamOf = (stream: FleetStream): FleetStream => stream) {
  const fleet: FanIn = openFanIn(['alpha']);
  const controller = new AbortController();
  const requests: string[] = [];
  const fixture = { fleet, controller, requests, turns: 0 };
  const run = createSubscriptionExecutor({
    schema: () => SCHEMA,
    stream: streamOf(fleet.stream),
    ownName: () => 'hq',
    clock: fleet.clock,
    execute: async (request, schema) => {
      requests.push(print(request.document));
      expect(validate(SCHEMA, request.document)).toEqual([]);
      return answer ? answer(request, schema) : executeTasks(request, () => fixture.turns);
    },
  });
  const documents = new Map<string, DocumentNode>();
  const start = async (text: string, variables = {}) => {
    const document = documents.get(text) ?? parse(text);
    documents.set(text, document);
    expect(validate(SCHEMA, document)).toEqual([]);
    return run({ document, variables, context: createFleetContext(controller.signal) });
  };
  return Object.assign(fixture, {
    start,
    async subscribe(text: string, variables = {}): Promise<ResultReader> {
      await fleet.ready();
      const results = await start(text, variables);
      if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
      await fleet.watched();
      return new ResultReader(results);
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await fleet[Symbol.asyncDispose]();
    },
  });
}

const TASKS = buildSubgraphSchema({
  typeDefs: instanceTypeDefs(),
  resolvers: {
    Query: {
      task: async (root: { turns: () => number }, { ref, instance }: { ref: string; instance: string }) => {
        await setImmediate();
        return { ref, name: `${ref} on ${instance}`, turns: root.turns() };
      },
    },
    Task: {
      history: (_task: unknown, { first }: { first: number }) => ({ nodes: HISTORY.slice(0, first) }),
    },
    // biome-ignore lint/suspicious/noExplicitAny: the type of resolvers of a library
  } as any,
});

const HISTORY = [
  { __typename: 'HistoryMessage', text: 'hello' },
  { __typename: 'HistoryToolCall', tool: 'search' },
  { __typename: 'HistoryMessage', text: 'too much' },
];

async function executeTasks(
  { document, variables }: Parameters<FleetReader>[0],
  turns: () => number,
): Promise<ExecutionResult> {
  return execute({ schema: TASKS, document, variableValues: variables, rootValue: { turns } });
}

/** Reads results when it is told to. */
class ResultReader {
  readonly #iterator: AsyncIterator<ExecutionResult>;
  readonly #results: ExecutionResult[] = [];
  #pending: Promise<void> | undefined;
  #hasEnded = false;

  constructor(results: AsyncIterable<ExecutionResult>) {
    this.#iterator = results[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<ExecutionResult[]> {
    while (this.#results.length < count && !this.#hasEnded) await this.#pull();
    return this.#results.splice(0, count);
  }

  async poll(): Promise<ExecutionResult[]> {
    while (!this.#hasEnded) {
      const hasMore = await Promise.race([this.#pull().then(() => true), settled().then(() => false)]);
      if (!hasMore) break;
    }
    return this.#results.splice(0);
  }

  async end(): Promise<void> {
    while (!this.#hasEnded) await this.#pull();
  }

  async leave(): Promise<void> {
    await this.#iterator.return?.();
  }

  #pull(): Promise<void> {
    this.#pending ??= this.#iterator.next().then(({ value, done }) => {
      this.#pending = undefined;
      if (done) this.#hasEnded = true;
      else this.#results.push(value);
    });
    return this.#pending;
  }
}
