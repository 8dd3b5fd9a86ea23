/** A worker of values: the instance SDL over arrays, so that a face can be tested without an engine behind it. */
import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { toIsoTime } from '../../../lib/Clock.ts';
import { closableIterable } from '../../../lib/closableIterable.ts';
import { type Config, ConfigSchema } from '../../../schema/config/ConfigSchema.ts';
import { badUserInput, conflict, notFound } from '../../../schema/errors.ts';
import type { EventRecord, NewEvent, Worker } from '../../../subgraph/index.ts';

const AT = '2026-01-01T00:00:00.000Z';

type Json = Record<string, unknown>;

export interface FakeWorkerOptions {
  readonly name?: string;
  /** Raw configuration beside the defaults. */
  readonly config?: Json;
  readonly tasks?: readonly Json[];
  /** Root fields in place of the built-in ones. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly subscription?: Readonly<Record<string, unknown>>;
}

export interface FakeWorker extends Worker {
  /** Everything that was appended, in order. */
  readonly records: readonly EventRecord[];
  /** Readers of the `events` subscription that have not ended. */
  readonly readers: number;
  /** Values that readers have pulled. */
  readonly pulled: number;
  /** Arguments of the mutations, in order. */
  readonly mutations: readonly Json[];
  isClosed: boolean;
}

export function fakeWorker(options: FakeWorkerOptions = {}): FakeWorker {
  const { name = 'alpha', tasks = [], query, subscription } = options;
  const records: EventRecord[] = [];
  const mutations: Json[] = [];
  const wakers = new Set<() => void>();
  const counts = { readers: 0, pulled: 0 };
  const config = ConfigSchema.parse({ instance: { name }, ...options.config }) as Config;

  const append = (events: readonly NewEvent[]): number => {
    for (const event of events) {
      records.push({ ...event, offset: records.length + 1, atMs: Date.parse(AT) + records.length, pid: 7 });
    }
    for (const wake of wakers) wake();
    return records.length;
  };
  const watch = (after: number) =>
    closableIterable(async function* (signal) {
      counts.readers += 1;
      try {
        for (let offset = after; !signal.aborted; ) {
          const record = records[offset];
          if (record) {
            offset += 1;
            counts.pulled += 1;
            yield { events: toEvent(record, name) };
            continue;
          }
          await new Promise<void>((resolve) => {
            wakers.add(resolve);
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
        }
      } finally {
        counts.readers -= 1;
      }
    });

  const resolvers = {
    Query: {
      tasks: (_: unknown, { first, after }: { first: number; after?: string }) => page(tasks, first, after),
      task: (_: unknown, { ref, instance }: { ref: string; instance?: string }) => {
        assertSelf(name, instance);
        const found = tasks.filter((task) => task.ref === ref);
        if (found.length > 1)
          throw conflict(`Cannot find task: several hold "${ref}"`, { candidates: ['a', 'b'] });
        if (found.length === 0 && !instance) throw notFound('task', ref);
        return found[0] ?? null;
      },
      sessions: (_: unknown, { status }: { status?: string }) =>
        tasks.map(toSession).filter((session) => !status || session.status === status),
      session: (_: unknown, { ref }: { ref: string }) => {
        const found = tasks.find((task) => task.ref === ref);
        return found ? toSession(found) : null;
      },
      commands: () => [],
      events: (_: unknown, { first, last, after }: { first?: number; last?: number; after?: string }) => {
        const nodes = records.map((record) => toEvent(record, name));
        return first === undefined || first === null
          ? page(nodes.slice(-(last ?? 50)), 1000)
          : page(nodes, first, after);
      },
      eventTypes: () => [{ name: 'task.created', meaning: 'A task was created.' }],
      instance: (_: unknown, { instance }: { instance?: string }) => {
        assertSelf(name, instance);
        return {
          name,
          role: 'WORKER',
          version: '0.1.0',
          scope: { mode: 'open', workItems: [] },
          managed: tasks.map(({ ref }) => ({ ref, sources: ['session'] })),
          sessionCount: tasks.length,
        };
      },
      instances: () => [
        {
          name,
          url: 'http://127.0.0.1:4114',
          role: 'WORKER',
          state: 'LIVE',
          version: '0.1.0',
          mode: 'open',
          managedCount: tasks.length,
          sessionCount: tasks.length,
          probedAt: AT,
        },
      ],
      health: () => ({
        status: 'ok',
        version: '0.1.0',
        role: 'WORKER',
        configPath: '/etc/flotilla.yaml',
        stateRoot: '/var/lib/flotilla',
        ingresses: [{ name: 'engine', enabled: true, running: true }],
        instances: [],
      }),
      ...query,
    },
    Mutation: {
      replySession: (_: unknown, args: Json) => done(args, { delivered: true }),
      controlSession: (_: unknown, args: Json) => done(args, { verb: args.verb, effect: 'noop' }),
      closeSession: (_: unknown, args: Json) => done(args, { closed: true }),
      registerInstance: (_: unknown, args: Json) => edited(args),
      unregisterInstance: (_: unknown, args: Json) => edited(args),
    },
    Subscription: {
      events: {
        subscribe: (_: unknown, { after }: { after?: string }) => {
          if (after !== undefined && after !== null && !/^\d+$/.test(after))
            throw badUserInput('Cannot read events: bad cursor');
          return watch(after ? Number(after) : records.length);
        },
      },
      ...subscription,
    },
  };

  function done(args: Json, facts: Json): Json {
    mutations.push(args);
    return {
      instance: name,
      ref: args.ref,
      exitCode: 0,
      messages: [{ stream: 'out', text: 'done' }],
      ...facts,
    };
  }

  function edited(args: Json): Json {
    mutations.push(args);
    return {
      instance: args.name,
      path: '/etc/flotilla.yaml',
      exists: true,
      changed: ['instance.manager.instances'],
      restartRequired: [],
      written: true,
      config: { instance: {} },
    };
  }

  const sdl = readFileSync(new URL('../../../schema/instance.graphql', import.meta.url), 'utf8');
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers: resolvers as never });
  return {
    schema,
    schemaWith: () => schema,
    records,
    mutations,
    get readers() {
      return counts.readers;
    },
    get pulled() {
      return counts.pulled;
    },
    isClosed: false,
    log: {
      append,
      end: () => records.length,
      start: () => 0,
      read: () => records,
      watch: async function* () {},
    },
    engine: {} as never,
    config: {
      path: '/etc/flotilla.yaml',
      current: () => config,
      authored: () => ({ exists: true, document: {} }),
      update: neverUsed,
      edit: neverUsed,
    },
    pushConfigs: { dueAfter: () => ({ targets: [], next: undefined }) } as never,
    commands: [],
    allowedModels: [],
    identity: neverUsed,
    canStore: () => true,
    async [Symbol.asyncDispose]() {
      this.isClosed = true;
    },
  };
}

/** A task with every field that is not null, as the graph has it. */
export function fakeTask(ref: string, fields: Json = {}): Json {
  return {
    instance: 'alpha',
    ref,
    id: `task-${ref}`,
    contextId: 'context',
    state: 'INPUT_REQUIRED',
    subState: 'AWAITING_MESSAGE',
    lifecycle: 'CONVERSATION',
    name: 'A task',
    goal: 'To be done',
    paused: false,
    createdAt: AT,
    updatedAt: '2026-01-02T03:04:05.678Z',
    version: 1,
    turns: 1,
    queuedMessages: 0,
    settings: {},
    usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 2 },
    ...fields,
  };
}

function toSession({ instance, ref, id, state, createdAt, updatedAt, record }: Json): Json {
  return {
    instance,
    ref,
    harness: 'flotilla',
    harnessSessionId: id,
    cwd: '',
    status: state === 'COMPLETED' ? 'CLOSED' : 'ACTIVE',
    createdAt,
    lastEventAt: updatedAt,
    recentDeliveries: [],
    record,
  };
}

function toEvent({ offset, atMs, ref, ...event }: EventRecord, instance: string): Json {
  return { ...event, cursor: String(offset), offset, instance, at: toIsoTime(atMs), ref };
}

function page(rows: readonly Json[], first: number, after?: string): Json {
  const start = after ? Number(after) : 0;
  const nodes = rows.slice(start, start + first);
  return {
    nodes,
    edges: [],
    pageInfo: { hasNextPage: start + first < rows.length, endCursor: String(start + nodes.length) },
  };
}

function assertSelf(name: string, instance: string | undefined | null): void {
  if (instance && instance !== name) throw notFound('instance', instance);
}

function neverUsed(): never {
  throw new Error('Not a part of this fake');
}
