/** A worker that is only data: the executable `instance` subgraph over given rows, paged as a real worker pages. */
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLSchema } from 'graphql';
import { badUserInput, conflict, notFound } from '../../schema/errors.ts';
import { formatPageCursor, parsePageCursor } from '../../schema/pageCursor.ts';
import { instanceTypeDefs } from '../../subgraph/index.ts';

export interface FakeTask {
  readonly ref: string;
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
  /** @default WORKING */
  readonly state?: string;
}

export interface FakeEvent {
  readonly offset: number;
  readonly atMs: number;
  readonly type: string;
}

export interface FakeInstanceData {
  readonly name: string;
  readonly tasks?: readonly FakeTask[];
  readonly events?: readonly FakeEvent[];
  readonly commands?: readonly string[];
  readonly eventTypes?: readonly (readonly [name: string, meaning: string])[];
  /** Called by every mutation, with its field. */
  readonly onMutation?: (field: string) => void | Promise<void>;
}

/** Tasks `alpha-0`, `alpha-1` … created one second apart, the first one first. */
export function fakeTasks(
  prefix: string,
  count: number,
  { startMs = 1_000_000, stepMs = 1000 } = {},
): FakeTask[] {
  return Array.from({ length: count }, (_, index) => ({
    ref: `o/${prefix}#${index}`,
    id: `${prefix}-${index}`,
    name: `${prefix} ${index}`,
    createdAtMs: startMs + index * stepMs,
  }));
}

export function fakeEvents(count: number, { startMs = 1_000_000, stepMs = 1000 } = {}): FakeEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    offset: index + 1,
    atMs: startMs + index * stepMs,
    type: 'task.status',
  }));
}

export function buildFakeInstanceSchema(data: FakeInstanceData): GraphQLSchema {
  const { name, tasks = [], events = [], commands = ['help'], eventTypes = [], onMutation = () => {} } = data;
  const byRef = (ref: string) => tasks.find((task) => task.ref === ref);
  const known = (ref: string) => {
    const task = byRef(ref);
    if (!task) throw notFound('task', ref);
    return toTask(task, name);
  };
  const mutation =
    <Args>(field: string, resolve: (args: Args) => unknown) =>
    async (_root: unknown, args: Args) => {
      await onMutation(field);
      return resolve(args);
    };
  const resolvers = {
    Query: {
      tasks: (_root: unknown, args: TasksArgs) => pageOfTasks(tasks, args, name),
      task: (_root: unknown, { ref }: { ref: string }) => known(ref),
      session: (_root: unknown, { ref }: { ref: string }) => toSession(known(ref)),
      sessions: () => tasks.map((task) => toSession(toTask(task, name))),
      commands: () => commands.map((command) => ({ ...COMMAND, instance: name, name: command })),
      events: (_root: unknown, args: EventsArgs) => pageOfEvents(events, args, name),
      eventTypes: () => eventTypes.map(([type, meaning]) => ({ name: type, meaning })),
      config: () => ({ path: `/${name}.yaml`, exists: true, version: '', config: { of: name } }),
      configSchema: () => ({ of: name }),
      instance: () => ({
        name,
        role: 'WORKER',
        version: '1',
        scope: { mode: 'open', workItems: [] },
        managed: tasks.map(({ ref }) => ({ ref, sources: ['session'] })),
        sessionCount: tasks.length,
      }),
      instances: () => [],
      health: () => ({ ...HEALTH, instances: [] }),
    },
    Mutation: {
      createTask: mutation('createTask', ({ input }: { input: { name?: string; ref?: string } }) =>
        toTask(
          { ref: input.ref ?? `flotilla:${name}/task#1`, id: 'new', name: input.name ?? '', createdAtMs: 0 },
          name,
        ),
      ),
      sendMessage: mutation('sendMessage', ({ ref }: { ref: string }) => ({
        ...known(ref),
        messageId: 'm',
        accepted: true,
        duplicate: false,
        cursor: '7',
      })),
      cancelTask: mutation('cancelTask', ({ ref }: { ref: string }) => known(ref)),
      completeTask: mutation('completeTask', ({ ref }: { ref: string }) => {
        throw conflict(`Cannot complete "${ref}": it is over, an open task is expected`, {
          reason: 'task.over',
        });
      }),
      updateConfig: mutation('updateConfig', () => {
        throw badUserInput('Cannot update: the patch is wrong, an object is expected');
      }),
    },
    HistoryItem: { __resolveType: (item: { kind: string }) => item.kind },
    Task: {
      __resolveReference: ({ ref }: { ref: string }) => {
        const task = byRef(ref);
        return task ? toTask(task, name) : null;
      },
    },
  };
  return buildSubgraphSchema({ typeDefs: instanceTypeDefs(), resolvers: resolvers as never });
}

interface TasksArgs {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly orderBy?: string | null;
  readonly filter?: { readonly instances?: readonly string[]; readonly text?: string } | null;
}

interface EventsArgs {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
}

const ORDERS: Readonly<Record<string, (task: FakeTask) => number | string>> = {
  CREATED_AT: (task) => task.createdAtMs,
  UPDATED_AT: (task) => task.createdAtMs,
  REF: (task) => task.ref,
};

function pageOfTasks(tasks: readonly FakeTask[], { first, after, orderBy, filter }: TasksArgs, name: string) {
  if (filter?.instances)
    throw badUserInput('Cannot read tasks: "instances" was forwarded, nothing is expected');
  const [, key = '', direction] = /^(.+)_(ASC|DESC)$/.exec(orderBy ?? 'CREATED_AT_DESC') ?? [];
  const value = ORDERS[key]!;
  const sign = direction === 'ASC' ? 1 : -1;
  const compare = (a: readonly [number | string, string], b: readonly [number | string, string]) =>
    sign * (compareValues(a[0], b[0]) || compareValues(a[1], b[1]));
  const position = after ? parsePageCursor(after) : undefined;
  const rows = tasks
    .filter((task) => !filter?.text || task.name.includes(filter.text))
    .toSorted((a, b) => compare([value(a), a.id], [value(b), b.id]))
    .filter((task) => !position || compare([value(task), task.id], [position.value, position.id]) > 0);
  return toConnection(rows, first ?? 50, {
    hasPreviousPage: position !== undefined,
    toNode: (task) => toTask(task, name),
    toCursor: (task) => formatPageCursor({ value: value(task), id: task.id }),
  });
}

function pageOfEvents(events: readonly FakeEvent[], { first, last, after }: EventsArgs, name: string) {
  const rows = events.filter(({ offset }) => offset > Number(after ?? 0));
  const size = first ?? last ?? 50;
  const kept = first === null || first === undefined ? rows.slice(Math.max(0, rows.length - size)) : rows;
  return toConnection(kept, size, {
    hasPreviousPage: Number(after ?? 0) > 0 || kept.length < rows.length,
    toNode: (event) => toEvent(event, name),
    toCursor: ({ offset }) => String(offset),
  });
}

function toConnection<Row>(
  rows: readonly Row[],
  size: number,
  {
    hasPreviousPage,
    toNode,
    toCursor,
  }: {
    hasPreviousPage: boolean;
    toNode: (row: Row) => unknown;
    toCursor: (row: Row) => string;
  },
) {
  const page = rows.slice(0, size);
  return {
    nodes: page.map(toNode),
    edges: page.map((row) => ({ cursor: toCursor(row), node: toNode(row) })),
    pageInfo: {
      hasNextPage: rows.length > size,
      hasPreviousPage,
      startCursor: page[0] === undefined ? null : toCursor(page[0]),
      endCursor: page.length > 0 ? toCursor(page.at(-1)!) : null,
    },
  };
}

function compareValues(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toTask({ ref, id, name, createdAtMs, state = 'WORKING' }: FakeTask, instance: string) {
  const at = new Date(createdAtMs).toISOString();
  return {
    __typename: 'Task',
    instance,
    ref,
    id,
    contextId: `context of ${id}`,
    state,
    subState: null,
    lifecycle: 'CONVERSATION',
    name,
    goal: `do ${name}`,
    lastReply: null,
    statusMessage: null,
    paused: false,
    createdAt: at,
    updatedAt: at,
    version: 1,
    turns: 2,
    queuedMessages: 0,
    history: () => history(at),
    participants: [{ id: 'operator', kind: 'HUMAN', role: 'REPORTER', displayName: 'Operator' }],
    settings: { model: 'm', effort: 'LOW' },
    description: null,
    acceptanceCriteria: [{ text: 'it adds up', met: false }],
    usage: {
      inputTokens: 1,
      cachedTokens: 0,
      outputTokens: 3,
      cost: 0.5,
      byModel: [{ model: 'm', inputTokens: 1, cachedTokens: 0, outputTokens: 3, cost: null }],
    },
    budget: { turns: 9, tokens: 4_000_000_000, cost: null },
    heldBy: 'COST',
    question: {
      participant: 'operator',
      text: 'which?',
      options: ['a', 'b'],
      messageId: 'q',
      askedAt: at,
    },
    skills: ['summarize'],
    parent: null,
    children: () => [toTask({ ref: `${ref}1`, id: `${id}.1`, name: `${name}.1`, createdAtMs }, instance)],
    origin: { ref: 'o/origin#1', version: 3 },
    inboxAudit: [{ messageId: 'm', participant: 'operator', accepted: false, reason: 'no', at }],
    plan: {
      steps: [
        { ...STEP, id: 's1', dependsOn: [] },
        { ...STEP, id: 's2', dependsOn: ['s1'] },
      ],
    },
    owner: { name: instance },
    record: { instance, of: ref, nested: [1, { two: 3 }] },
  };
}

function history(at: string) {
  const items = [
    { kind: 'HistoryMessage', id: 1, role: 'USER', participant: 'operator', text: 'hello', at },
    { kind: 'HistoryToolCall', id: 2, callId: 'c', tool: 'read', arguments: { path: '/' }, at },
    { kind: 'HistoryToolResult', id: 3, callId: 'c', tool: 'read', text: 'ok', isError: false, at },
  ];
  return {
    nodes: items,
    edges: items.map((node) => ({ cursor: String(node.id), node })),
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: '1', endCursor: '3' },
  };
}

function toSession({ instance, ref, createdAt }: { instance: string; ref: string; createdAt: string }) {
  return {
    __typename: 'Session',
    instance,
    ref,
    harness: 'flotilla',
    harnessSessionId: `session of ${ref}`,
    cwd: '',
    status: 'ACTIVE',
    createdAt,
    recentDeliveries: [],
    model: null,
    effort: 'LOW',
  };
}

function toEvent({ offset, atMs, type }: FakeEvent, instance: string) {
  const at = new Date(atMs).toISOString();
  return {
    cursor: String(offset),
    instance,
    offset,
    type,
    at,
    level: 'INFO',
    ref: null,
    source: 'tasks',
    pid: 1,
    data: { offset },
  };
}

const COMMAND = { description: 'Helps.', usage: '/help' };
const STEP = { name: 'step', description: '', state: 'PENDING', output: null };
const HEALTH = {
  status: 'ok',
  version: '1',
  role: 'WORKER',
  configPath: '/c',
  stateRoot: '/s',
  ingresses: [{ name: 'engine', enabled: true, running: true }],
};
