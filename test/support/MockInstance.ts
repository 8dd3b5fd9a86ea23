/** A manager for the tests of the dashboard: the instance's schema over HTTP and WebSocket on top of a `MockFleet`. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { buildASTSchema, GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { closableIterable } from '../../lib/closableIterable.ts';
import type { MockFleet, MockTask } from './MockFleet.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

const COMMANDS = [
  { name: 'compact', usage: '/compact', description: 'Shorten the conversation' },
  { name: 'effort', usage: '/effort [level]', description: 'Show or set how hard the model thinks' },
  { name: 'model', usage: '/model [name]', description: 'Show or set the model' },
  { name: 'status', usage: '/status', description: 'Say what the task is doing' },
];

export interface MockInstance extends AsyncDisposable {
  /** With a trailing slash. */
  readonly url: string;
  readonly fleet: MockFleet;
  /** Cuts every live stream; clients may come back. */
  dropConnections(): void;
}

/** `assets` is the directory of the built dashboard. */
export async function createMockInstance(fleet: MockFleet, assets: string): Promise<MockInstance> {
  const schema = readSchema();
  const rootValue = createRoots(fleet);
  const handle = createHandler({
    schema,
    rootValue,
    onOperation: (_request, _args, result) => ({
      ...result,
      extensions: { fleet: { unreachable: unreachable(fleet) } },
    }),
  });
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/graphql')) void handle(request, response);
    else
      void serveFile(assets, request.url ?? '/').then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type }).end(body);
      });
  });
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  const live = useServer({ schema, roots: { subscription: rootValue, query: rootValue } }, sockets);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    fleet,
    dropConnections() {
      for (const socket of sockets.clients) socket.terminate();
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      await live.dispose();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createRoots(fleet: MockFleet) {
  return {
    instances: () =>
      fleet.instances.map((name, index) => ({
        name,
        url: `http://127.0.0.1:${4114 + index}`,
        role: index === 0 ? 'MANAGER' : 'WORKER',
        probedAt: new Date().toISOString(),
        ...(fleet.unreachable.has(name)
          ? {
              state: 'UNREACHABLE',
              version: '',
              mode: '',
              managedCount: 0,
              sessionCount: 0,
              detail: 'connection refused',
            }
          : {
              state: 'LIVE',
              version: '0.1.0',
              mode: 'open',
              managedCount: fleet.tasks.filter(({ instance }) => instance === name).length,
              sessionCount: 0,
              detail: null,
            }),
      })),
    health: () => ({ ingresses: fleet.daemons }),
    commands: () =>
      fleet.instances.flatMap((instance) => COMMANDS.map((command) => ({ instance, ...command }))),
    events: () => ({ pageInfo: { hasNextPage: false, endCursor: fleet.log.at(-1)?.cursor ?? null } }),
    tasks: (args: TasksArguments) => pageOf(listed(fleet, args.filter ?? {}), args, ({ id }) => id),
    task({ ref, instance, atVersion }: Address & { atVersion?: number | null }) {
      const task = reachable(fleet, ref, instance);
      return toTask(fleet, atVersion == null ? task : pastOf(fleet, task, atVersion));
    },
    createTask({ input, instance }: { input: Record<string, string | null>; instance?: string | null }) {
      const { message, name, ref } = input;
      const task = fleet.add({
        instance: instance ?? fleet.instances[0]!,
        name: name ?? message ?? '',
        goal: message ?? '',
        ...(ref && { ref }),
      });
      if (message) fleet.say(task, message);
      return toTask(fleet, task);
    },
    forkTask({
      ref,
      instance,
      atVersion,
      message,
    }: Address & { atVersion: number; message?: string | null }) {
      const past = pastOf(fleet, reachable(fleet, ref, instance), atVersion);
      const fork = fleet.add({
        instance: past.instance,
        name: past.name,
        goal: past.goal,
        history: structuredClone(past.history),
        origin: { ref, version: atVersion },
      });
      if (message) fleet.say(fork, message);
      return toTask(fleet, fork);
    },
    answerQuestion({ ref, instance, text, messageId }: Address & { text: string; messageId: string }) {
      const task = reachable(fleet, ref, instance);
      fleet.change(task, { question: null }, 'task.answered');
      fleet.say(task, text);
      return {
        instance: task.instance,
        ref,
        messageId,
        accepted: true,
        duplicate: false,
        state: task.state,
        cursor: '',
      };
    },
    pauseTask: ({ ref, instance }: Address) =>
      changed(fleet, reachable(fleet, ref, instance), { paused: true }),
    resumeTask: ({ ref, instance }: Address) =>
      changed(fleet, reachable(fleet, ref, instance), { paused: false }),
    setTaskBudget: ({ ref, instance, budget }: Address & { budget: Record<string, number | null> }) =>
      changed(fleet, reachable(fleet, ref, instance), { budget }),
    sendMessage({ ref, instance, text, messageId }: Address & { text: string; messageId: string }) {
      const task = reachable(fleet, ref, instance);
      fleet.say(task, text);
      return {
        instance: task.instance,
        ref,
        messageId,
        accepted: true,
        duplicate: false,
        state: task.state,
        cursor: '',
      };
    },
    runCommand({ ref, instance, text }: Address & { text: string }) {
      const task = reachable(fleet, ref, instance);
      const name = text.slice(1).split(' ')[0]!;
      const ok = COMMANDS.some((command) => command.name === name);
      const reply = {
        messageId: `command-${task.version}`,
        name,
        ok,
        text: ok
          ? `${task.name}: ${task.history.length} entries, version ${task.version}`
          : `There is no command /${name}`,
        error: ok ? null : 'command.unknown',
      };
      fleet.change(task, {}, 'task.commandReplied', reply);
      return { ...reply, instance: task.instance, ref };
    },
    completeTask: ({ ref, instance }: Address) => ended(fleet, reachable(fleet, ref, instance), 'COMPLETED'),
    cancelTask: ({ ref, instance }: Address) => ended(fleet, reachable(fleet, ref, instance), 'CANCELED'),
    taskEvents: ({ after }: { after?: string | null }) =>
      closableIterable((signal) => stream(fleet, after, signal)),
  };
}

interface Address {
  readonly ref: string;
  readonly instance?: string | null;
}

interface TasksArguments {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: {
    readonly instances?: readonly string[];
    readonly states?: readonly string[];
    readonly subStates?: readonly string[];
    readonly text?: string;
  } | null;
}

function listed(
  fleet: MockFleet,
  { instances, states, subStates, text }: NonNullable<TasksArguments['filter']>,
) {
  const part = text?.toLowerCase() ?? '';
  return fleet.tasks
    .filter(
      (task) =>
        !fleet.unreachable.has(task.instance) &&
        (!instances || instances.includes(task.instance)) &&
        (!states || states.includes(task.state)) &&
        (!subStates || subStates.includes(task.subState ?? '')) &&
        [task.name, task.goal, task.ref, task.lastReply].some((value) => value?.toLowerCase().includes(part)),
    )
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .map((task) => toTask(fleet, task));
}

function reachable(fleet: MockFleet, ref: string, instance?: string | null): MockTask {
  const task = fleet.find(ref, instance);
  if (!task)
    throw new GraphQLError(`Cannot find task: no task has the key "${ref}"`, {
      extensions: { code: 'NOT_FOUND' },
    });
  if (fleet.unreachable.has(task.instance)) {
    throw new GraphQLError(`Cannot reach "${task.instance}": it is not live`, {
      extensions: { code: 'MEMBER_UNAVAILABLE', instance: task.instance },
    });
  }
  return task;
}

function ended(fleet: MockFleet, task: MockTask, state: string) {
  fleet.change(task, { state, subState: null });
  return toTask(fleet, task);
}

function changed(fleet: MockFleet, task: MockTask, patch: Partial<MockTask>) {
  fleet.change(task, patch, 'task.updated');
  return toTask(fleet, task);
}

function pastOf(fleet: MockFleet, task: MockTask, version: number): MockTask {
  const past = fleet.past(task, version);
  if (past) return past;
  throw new GraphQLError(`Cannot read task "${task.ref}" in the past: version is ${version}`, {
    extensions: { code: 'NOT_FOUND' },
  });
}

type Fields = Readonly<Record<string, unknown>>;

function toTask(fleet: MockFleet, task: MockTask): Omit<MockTask, 'history'> & Fields {
  const parent = fleet.tasks.find(({ ref }) => ref === task.parentRef);
  return {
    ...task,
    parent: () => parent && toTask(fleet, parent),
    children: () =>
      fleet.tasks.filter(({ parentRef }) => parentRef === task.ref).map((child) => toTask(fleet, child)),
    contextId: `context-${task.id}`,
    lifecycle: 'CONVERSATION',
    turns: task.history.length,
    queuedMessages: 0,
    participants: [{ id: 'operator', kind: 'HUMAN', role: 'REPORTER', displayName: 'Operator' }],
    settings: { model: 'gpt-5', effort: 'MEDIUM' },
    usage: {
      inputTokens: 18_204,
      cachedTokens: 9_100,
      outputTokens: 2_310,
      cost: 0.75,
      byModel: [
        { model: 'gpt-5', inputTokens: 18_204, cachedTokens: 9_100, outputTokens: 2_310, cost: 0.75 },
      ],
    },
    history: (args: { first?: number | null; last?: number | null; after?: string | null }) =>
      pageOf(task.history, args, ({ id }) => String(id)),
  };
}

function pageOf<Row>(
  rows: readonly Row[],
  {
    first,
    last: newest,
    after,
  }: { readonly first?: number | null; readonly last?: number | null; readonly after?: string | null },
  cursorOf: (row: Row) => string,
) {
  const size = first ?? newest ?? rows.length;
  const begin = after ? rows.findIndex((row) => cursorOf(row) === after) + 1 : 0;
  const start = first == null ? Math.max(begin, rows.length - size) : begin;
  const nodes = rows.slice(start, start + size);
  const last = nodes.at(-1);
  return {
    nodes,
    pageInfo: {
      hasNextPage: start + size < rows.length,
      hasPreviousPage: start > 0,
      endCursor: last === undefined ? null : cursorOf(last),
    },
  };
}

async function* stream(fleet: MockFleet, after: string | null | undefined, signal: AbortSignal) {
  let position = after ? fleet.log.findIndex(({ cursor }) => cursor === after) + 1 : fleet.log.length;
  while (!signal.aborted) {
    for (const event of fleet.log.slice(position)) {
      position += 1;
      const task = fleet.find(event.ref ?? '', event.instance);
      yield { taskEvents: { ...event, task: task && toTask(fleet, task) } };
    }
    if (position === fleet.log.length) await fleet.changed(signal);
  }
}

function unreachable(fleet: MockFleet) {
  return [...fleet.unreachable].map((instance) => ({
    instance,
    state: 'UNREACHABLE',
    detail: 'connection refused',
  }));
}

/** The subgraph's SDL without its link to the federation spec; directives that this leaves undefined are not looked at. */
function readSchema(): GraphQLSchema {
  const sdl = readFileSync(join(import.meta.dirname, '../../schema/instance.graphql'), 'utf8');
  const { kind, definitions } = parse(sdl);
  return buildASTSchema(
    { kind, definitions: definitions.filter((definition) => definition.kind !== 'SchemaExtension') },
    { assumeValidSDL: true },
  );
}

async function serveFile(
  assets: string,
  url: string,
): Promise<{ status: number; type: string; body: string | Buffer }> {
  const path = normalize(new URL(url, 'http://any').pathname);
  const name = path === '/' ? '/index.html' : path;
  try {
    const body = await readFile(join(assets, name));
    return { status: 200, type: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream', body };
  } catch {
    return { status: 404, type: 'text/plain', body: 'not found' };
  }
}

function listen(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once('error', reject);
  server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  return promise;
}
