/**
 * `/graphql` over WebSocket: the `graphql-transport-ws` protocol, bounded in every direction.
 *
 * - A peer that does not answer two pings in a row is frozen or gone; its connection is cut.
 * - The next value of a subscription is asked for only when the last one was handed to the network, so that a reader which pauses
 *   holds one value of each of its operations and nothing more.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  getOperationAST,
} from 'graphql';
import { CloseCode, type Context, handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { createFleetContext } from '../../gateway/index.ts';
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { TokenCheck } from '../http/bearer.ts';
import { type Bind, isOwnHost, isOwnOrigin } from '../http/hosts.ts';
import type { Graph, GraphRequest } from './Graph.ts';
import { GRAPHQL_PATH } from './graphqlRoutes.ts';

/** Longest accepted message, in bytes. */
const MAX_MESSAGE_BYTES = 1_048_576;
/** Operations of one connection at the same time. */
const MAX_OPERATIONS = 100;
/** Connections at the same time; the next one is refused with 503. */
const MAX_CONNECTIONS = 512;
const INIT_TIMEOUT_MS = 5_000;
const PING_INTERVAL_MS = 15_000;
/** How long a peer has to answer our closing of the connection. */
const CLOSE_TIMEOUT_MS = 1_000;
const GOING_AWAY = 1001;

export interface SocketFaceOptions {
  readonly graph: Graph;
  readonly server: Server;
  readonly bind: Bind;
  readonly isAllowed: TokenCheck;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Disposing closes every connection with 1001 (going away) and cuts those that do not answer. */
export interface SocketFace extends AsyncDisposable {
  readonly connectionCount: number;
}

interface Extra {
  readonly request: IncomingMessage;
  /** Of each operation that runs, by its id; aborting ends it. */
  readonly running: Map<string, AbortController>;
}

type SocketContext = Context<Record<string, unknown>, Extra>;

export function createSocketFace(options: SocketFaceOptions): SocketFace {
  const { server, clock, logger } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (protocols) => handleProtocols(protocols),
  });
  const protocol = createProtocol(options);

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const refusal = refusalOf(request, options, sockets.clients.size);
    if (refusal === undefined) {
      sockets.handleUpgrade(request, socket, head, (connection) => open(connection, request));
    } else {
      refuse(socket, refusal);
    }
  };
  server.on('upgrade', onUpgrade);

  function open(connection: WebSocket, request: IncomingMessage): void {
    const extra: Extra = { request, running: new Map() };
    const closed = protocol.opened(
      {
        protocol: connection.protocol,
        send: (text) => send(connection, text),
        close: (code, reason) => connection.close(code, reason),
        onMessage: (take) => {
          connection.on('message', (data) => {
            take(String(data)).catch((error: unknown) => {
              logger.error({ error }, 'A WebSocket message met a defect');
              connection.close(CloseCode.InternalServerError, 'Internal server error');
            });
          });
        },
      },
      extra,
    );
    // Malformed frames end the connection by themselves; 'close' follows.
    connection.on('error', (error) =>
      logger.debug({ reason: error.message }, 'A WebSocket connection broke'),
    );
    const heartbeat = keepAlive(connection, clock);
    connection.once('close', (code, reason) => {
      heartbeat[Symbol.dispose]();
      for (const controller of extra.running.values()) controller.abort(gone());
      closed(code, String(reason)).catch((error: unknown) => {
        logger.error({ error }, 'Closing a WebSocket connection met a defect');
      });
    });
  }

  return {
    get connectionCount() {
      return sockets.clients.size;
    },
    async [Symbol.asyncDispose]() {
      server.off('upgrade', onUpgrade);
      const connections = [...sockets.clients];
      const ends = connections.map(
        (connection) => new Promise((resolve) => connection.once('close', resolve)),
      );
      for (const connection of connections) connection.close(GOING_AWAY, 'Going away');
      using _cut = clock.schedule(CLOSE_TIMEOUT_MS, () => {
        for (const connection of connections) connection.terminate();
      });
      await Promise.all(ends);
      sockets.close();
    },
  };
}

function createProtocol({ graph, isAllowed }: SocketFaceOptions) {
  return makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: ({ connectionParams, extra }) =>
      isAllowed(extra.request.headers.authorization) || isAllowed(authorizationOf(connectionParams)),
    onSubscribe: (context, id, payload) => prepare(graph, { context, id, payload }),
    execute: (args) => graph.execute(requestOf(args)) as Promise<ExecutionResult>,
    subscribe: (args) => graph.subscribe(requestOf(args)) as Promise<AsyncGenerator<ExecutionResult>>,
    // The graph has formatted what it answers; the library would format it again.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onError: (_context, _id, _payload, errors) => errors.map((error) => graph.formatError(error)),
    onComplete: ({ extra }, id) => {
      extra.running.get(id)?.abort(gone());
      extra.running.delete(id);
    },
  });
}

/** Errors of the request itself; else what the library needs to tell streams from single answers. */
function prepare(
  graph: Graph,
  { context, id, payload }: { context: SocketContext; id: string; payload: SubscribePayload },
): ExecutionArgs | GraphQLError[] {
  const { running } = context.extra;
  if (running.size >= MAX_OPERATIONS) {
    const message = `Cannot take operation: ${MAX_OPERATIONS} are running on this connection, which is the limit`;
    return [new GraphQLError(message, { extensions: { code: 'TOO_MANY_REQUESTS' } })];
  }
  try {
    const document = graph.documentOf(payload.query);
    const operationName = payload.operationName ?? undefined;
    if (!getOperationAST(document, operationName)) return [unresolved()];
    const controller = new AbortController();
    running.set(id, controller);
    const request: GraphRequest = {
      text: payload.query,
      operationName,
      variables: payload.variables ?? undefined,
      context: createFleetContext(controller.signal),
    };
    return { schema: graph.schema, document, operationName, contextValue: request };
  } catch (error) {
    return [error instanceof GraphQLError ? error : new GraphQLError('', { originalError: error as Error })];
  }
}

function unresolved(): GraphQLError {
  const message = 'Cannot find operation: the document does not have exactly one with this name';
  return new GraphQLError(message, { extensions: { code: 'OPERATION_RESOLUTION_FAILURE' } });
}

function requestOf({ contextValue }: ExecutionArgs): GraphRequest {
  return contextValue as GraphRequest;
}

function authorizationOf(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = params?.authorization ?? params?.Authorization;
  return typeof value === 'string' ? value : undefined;
}

/** Resolves when the text was handed to the network: the pace of the reader. */
function send(connection: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (connection.readyState !== connection.OPEN) return resolve();
    // A failed write is followed by 'close', which ends the operations.
    connection.send(text, () => resolve());
  });
}

function keepAlive(connection: WebSocket, clock: Clock): Disposable {
  let isAnswered = true;
  let timer = clock.schedule(PING_INTERVAL_MS, tick);
  connection.on('pong', () => {
    isAnswered = true;
  });
  function tick(): void {
    if (!isAnswered) {
      connection.terminate();
      return;
    }
    isAnswered = false;
    connection.ping();
    timer = clock.schedule(PING_INTERVAL_MS, tick);
  }
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

function refusalOf(
  { url, headers }: IncomingMessage,
  { bind }: Pick<SocketFaceOptions, 'bind'>,
  connectionCount: number,
): string | undefined {
  if (URL.parse(url ?? '', 'http://localhost')?.pathname !== GRAPHQL_PATH) return '404 Not Found';
  if (!isOwnHost(headers.host, bind)) return '421 Misdirected Request';
  if (!isOwnOrigin(headers.origin, headers.host, bind)) return '403 Forbidden';
  if (connectionCount >= MAX_CONNECTIONS) return '503 Service Unavailable';
  return undefined;
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function gone(): DOMException {
  return new DOMException('The client has left the operation', 'AbortError');
}
