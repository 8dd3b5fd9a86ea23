/** `graphql-transport-ws` over the graph: who may speak, what an operation is, and when it ends. */
import type { IncomingMessage } from 'node:http';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  getOperationAST,
} from 'graphql';
import { makeServer, type Server, type SubscribePayload } from 'graphql-ws';
import { createFleetContext } from '../../gateway/index.ts';
import type { TokenCheck } from '../http/bearer.ts';
import type { RateLimit } from '../http/createRateLimit.ts';
import type { RequestTrace } from '../telemetry/createTracer.ts';
import type { Graph, GraphRequest } from './Graph.ts';

/** Operations of one connection at the same time. */
const MAX_OPERATIONS = 100;
const INIT_TIMEOUT_MS = 5_000;

/** What a connection carries. */
export interface Peer {
  readonly request: IncomingMessage;
  /** Of each operation that runs; aborting ends it. By its message, for a client may use the id of one that is ending again. */
  readonly running: Map<SubscribePayload, AbortController>;
}

export interface SocketProtocolOptions {
  readonly graph: Graph;
  readonly isAllowed: TokenCheck;
  /** Counts operations as the requests that they are. @default none */
  readonly rateLimit?: RateLimit;
  /** Begins the request that one operation is; it ends with the answer, or with the beginning of the stream. @default none */
  readonly openTrace?: (upgrade: IncomingMessage, operation: SocketOperation) => RequestTrace;
}

export interface SocketOperation {
  readonly type: string;
  readonly name: string | undefined;
}

/** One operation of a connection. */
interface SocketRequest extends GraphRequest {
  readonly trace: RequestTrace | undefined;
}

export function createSocketProtocol(options: SocketProtocolOptions): Server<Peer> {
  const { graph, isAllowed } = options;
  return makeServer<Record<string, unknown>, Peer>({
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: ({ connectionParams, extra }) =>
      isAllowed(extra.request.headers.authorization) || isAllowed(authorizationOf(connectionParams)),
    onSubscribe: ({ extra }, _id, payload) => prepare(options, extra, payload),
    execute: (args) => traced(args, (request) => graph.execute(request)) as Promise<ExecutionResult>,
    subscribe: (args) =>
      traced(args, (request) => graph.subscribe(request)) as Promise<AsyncGenerator<ExecutionResult>>,
    // The graph has formatted what it answers; the library would format it again.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onError: (_context, _id, _payload, errors) => errors.map((error) => graph.formatError(error)),
    onComplete: ({ extra: { running } }, _id, payload) => {
      running.get(payload)?.abort(hasLeft());
      running.delete(payload);
    },
  });
}

/** Errors of the request itself; else what the library needs to tell streams from single answers. */
function prepare(
  { graph, rateLimit, openTrace }: SocketProtocolOptions,
  { request: upgrade, running }: Peer,
  payload: SubscribePayload,
): ExecutionArgs | GraphQLError[] {
  if (running.size >= MAX_OPERATIONS) {
    const message = `Cannot take operation: ${MAX_OPERATIONS} are running on this connection, which is the limit`;
    return [new GraphQLError(message, { extensions: { code: 'TOO_MANY_REQUESTS' } })];
  }
  const refusal = rateLimit?.refusalOf(upgrade.socket.remoteAddress);
  if (refusal) return [new GraphQLError('', { originalError: refusal.error })];
  try {
    const document = graph.documentOf(payload.query);
    const operationName = payload.operationName ?? undefined;
    const operation = getOperationAST(document, operationName);
    if (!operation) return [unresolved()];
    const controller = new AbortController();
    running.set(payload, controller);
    const request: SocketRequest = {
      trace: openTrace?.(upgrade, { type: operation.operation, name: operation.name?.value }),
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

async function traced<T>(
  { contextValue }: ExecutionArgs,
  work: (request: GraphRequest) => Promise<T>,
): Promise<T> {
  const { trace, ...request } = contextValue as SocketRequest;
  if (!trace) return work(request);
  try {
    return await trace.run(() => work(request));
  } finally {
    trace.close({});
  }
}

function authorizationOf(params: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const value = params?.authorization ?? params?.Authorization;
  return typeof value === 'string' ? value : undefined;
}

/** The reason for which the operations of a peer end with it. */
export function hasLeft(): DOMException {
  return new DOMException('The client has left the operation', 'AbortError');
}
