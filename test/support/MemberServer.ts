/** A real member over HTTP and WebSocket on a free port: a worker's schema and documents. It can misbehave and lie. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { type ExecutionResult, execute, type GraphQLError, getOperationAST, parse, validate } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { FlotillaError } from '../../schema/errors.ts';
import type { Worker } from '../../subgraph/index.ts';

/** What a member does with requests in place of an answer. */
export type Misbehaviour = (response: ServerResponse) => void;

export const MISBEHAVIOURS = {
  /** Takes the request and never answers. */
  hang: () => {},
  /** One byte more than the manager reads. */
  oversized: (response) => {
    response.setHeader('content-type', 'application/json');
    response.write('"');
    response.end(`${'x'.repeat(16 * 1024 * 1024 - 1)}"`);
  },
  /** Writes for as long as somebody reads. */
  endless: (response) => {
    const chunk = Buffer.alloc(65_536, ' ');
    const write = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', write);
    write();
  },
  html: (response) => response.end('<h1>Welcome, your secret is 4711</h1>'),
  notUtf8: (response) => response.end(Buffer.from([0x22, 0xff, 0x22])),
  wrongShape: (response) => response.end('[1, 2, 3]'),
  reset: (response) => response.socket?.destroy(),
  cutOff: (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"data":', () => response.socket?.destroy());
  },
} as const satisfies Readonly<Record<string, Misbehaviour>>;

export function redirectTo(location: string): Misbehaviour {
  return (response) => response.writeHead(302, { location }).end();
}

export function answerWith(status: number, body: unknown): Misbehaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** What a member tells in place of a body or an event: the JSON that it would have sent, as a lie. */
export type Lie = (body: unknown) => unknown;

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** The parts of a worker that a member is made of. */
export type MemberSource = Pick<Worker, 'schema' | 'identity'>;

export interface MemberServer extends AsyncDisposable {
  readonly url: string;
  /** Everything that was asked, WebSocket upgrades included, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** GraphQL mutations that were asked for. */
  readonly mutations: number;
  /** Requests that were given up before they were answered, by path. */
  readonly aborted: readonly string[];
  /** Sockets that are open. */
  readonly connections: number;
  /** Streams that are open. */
  readonly streams: number;
  /** Bytes that were written to sockets so far. */
  readonly bytesWritten: number;
  /** Answers requests to `path` (every path, if absent) in this way until `behave`. */
  misbehave(how: Misbehaviour, path?: string): void;
  /** Sends what this makes of every answer and event, until `behave`. */
  lie(how: Lie): void;
  behave(): void;
  /** Ends every WebSocket before it is opened, until `behave`. */
  refuseUpgrades(): void;
  /** Stops to read, and so to answer; sockets stay open: what SIGSTOP does to a process. */
  freeze(): void;
  /** Cuts every socket. */
  dropConnections(): void;
}

export interface MemberServerOptions {
  /** Path before every path. @default '' */
  readonly prefix?: string;
  /** Fields of the identity document that are not the worker's own. */
  readonly identity?: Readonly<Record<string, unknown>>;
  /** Headers of every answer beside its own. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

export async function createMemberServer(
  worker: MemberSource,
  { prefix = '', identity = {}, headers: extraHeaders = {} }: MemberServerOptions = {},
): Promise<MemberServer> {
  const requests: RecordedRequest[] = [];
  const aborted: string[] = [];
  let mutations = 0;
  const onMutation = (): void => {
    mutations += 1;
  };
  const connections = new Set<Socket>();
  let bytesOfClosed = 0;
  let lie: Lie = (body) => body;
  let refusesUpgrades = false;
  const misbehaviours = new Map<string, Misbehaviour>();
  const record = ({ method = '', url = '', headers }: IncomingMessage): string => {
    const path = url.startsWith(prefix) ? url.slice(prefix.length) : `outside of the prefix: ${url}`;
    requests.push({ method, path, headers });
    return path;
  };
  const misbehaviourOf = (path: string): Misbehaviour | undefined =>
    misbehaviours.get(path) ?? misbehaviours.get('');
  const server = createServer((request, response) => {
    const path = record(request);
    for (const [name, value] of Object.entries(extraHeaders)) response.setHeader(name, value);
    response.on('close', () => {
      if (!response.writableEnded) aborted.push(path);
    });
    const misbehave = misbehaviourOf(path);
    if (misbehave) misbehave(response);
    else void answer(worker, { path, identity, request, response, lie: (body) => lie(body), onMutation });
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => {
      connections.delete(socket);
      bytesOfClosed += socket.bytesWritten;
    });
  });
  const sockets = new WebSocketServer({ noServer: true });
  const live = useServer(
    {
      schema: worker.schema,
      context: () => ({}),
      onNext: (_context, _id, _payload, _args, result) => lie(result) as ExecutionResult,
    },
    sockets,
  );
  server.on('upgrade', (request, socket, head) => {
    const misbehave = misbehaviourOf(record(request));
    if (refusesUpgrades) {
      socket.destroy();
      return;
    }
    if (misbehave) {
      const response = new ServerResponse(request);
      response.assignSocket(socket as Socket);
      misbehave(response);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
  });
  const port = await listen(server);
  const dropConnections = (): void => {
    for (const socket of connections) socket.destroy();
  };
  const close = async (): Promise<void> => {
    dropConnections();
    await live.dispose();
    await new Promise((resolve) => server.close(resolve));
  };
  let closing: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    requests,
    aborted,
    get mutations() {
      return mutations;
    },
    get connections() {
      return connections.size;
    },
    get streams() {
      return sockets.clients.size;
    },
    get bytesWritten() {
      return [...connections].reduce((sum, socket) => sum + socket.bytesWritten, bytesOfClosed);
    },
    misbehave(how, path = '') {
      misbehaviours.set(path, how);
    },
    lie(how) {
      lie = how;
    },
    behave() {
      misbehaviours.clear();
      lie = (body) => body;
      refusesUpgrades = false;
    },
    refuseUpgrades() {
      refusesUpgrades = true;
    },
    freeze() {
      for (const socket of connections) socket.pause();
    },
    dropConnections,
    async [Symbol.asyncDispose]() {
      closing ??= close();
      await closing;
    },
  };
}

interface Exchange {
  readonly path: string;
  readonly identity: Readonly<Record<string, unknown>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly lie: Lie;
  readonly onMutation: () => void;
}

async function answer(
  worker: MemberSource,
  { path, identity, request, response, lie, onMutation }: Exchange,
): Promise<void> {
  const send = (status: number, body: unknown): void => answerWith(status, lie(body))(response);
  switch (path) {
    case '/api/v1/instance':
      return send(200, {
        ...(await worker.identity()),
        role: 'worker',
        interfaces: { graphql: '/graphql' },
        ...identity,
      });
    case '/api/v1/health':
      return send(200, { status: 'ok', version: '1.2.3' });
    case '/graphql': {
      const { query, operationName, variables } = (await json(request)) as {
        query: string;
        operationName?: string;
        variables?: Record<string, unknown>;
      };
      const document = parse(query);
      if (getOperationAST(document, operationName)?.operation === 'mutation') onMutation();
      const invalid = validate(worker.schema, document);
      if (invalid.length > 0) return send(400, { errors: invalid.map(toWireError) });
      const args = {
        schema: worker.schema,
        document,
        operationName,
        variableValues: variables,
        contextValue: {},
      };
      const { data, errors } = await execute(args);
      return send(200, { data, errors: errors?.map(toWireError) });
    }
    default:
      return send(404, { detail: 'Not Found' });
  }
}

function toWireError({ message, path, originalError }: GraphQLError): unknown {
  if (!(originalError instanceof FlotillaError)) {
    return { message, path, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } };
  }
  return { message, path, extensions: { ...originalError.details, code: originalError.code } };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
