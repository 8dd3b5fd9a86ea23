/** `/api`: the routes of the contract, each served by its binding (design § 7). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { createFleetContext, type FleetContext } from '../../gateway/index.ts';
import type { Clock } from '../../lib/Clock.ts';
import { invariant } from '../../lib/invariant.ts';
import { SharedReads } from '../../lib/SharedReads.ts';
import { FlotillaError } from '../../schema/errors.ts';
import { GraphRefusal } from '../errors/GraphRefusal.ts';
import { toRestError, validationFailed } from '../errors/toRestError.ts';
import { UNREACHABLE_HEADER, unreachableNames } from '../graphql/fleetExtensions.ts';
import type { Graph } from '../graphql/Graph.ts';
import { closeMethods } from '../http/closeMethods.ts';
import { ReservedKeyError } from '../http/parseJsonBodies.ts';
import { requestErrorOf } from '../http/requestErrorOf.ts';
import { requestSignal } from '../http/requestSignal.ts';
import { sendPage } from '../web/staticRoutes.ts';
import type { RestFacts, RestHandler } from './bind.ts';
import type { Contract, RestOperation } from './Contract.ts';
import { type Outcome, performOperation } from './performOperation.ts';
import { buildInputReader, type RestInput } from './readInput.ts';

export interface RestRoutesOptions {
  readonly contract: Contract;
  readonly bindings: Readonly<Record<string, RestHandler>>;
  /** The operation that answers with a stream takes its reply over. */
  readonly stream: StreamHandler;
  readonly graph: Graph;
  readonly facts: RestFacts;
  readonly clock: Clock;
  /** The page that shows the contract. */
  readonly page: () => Promise<string>;
  /** Writes the `api.request` event of one answered operation (spec/manager.md § 21). */
  readonly audit: (entry: AuditEntry) => void;
}

export type StreamHandler = (
  input: RestInput,
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
) => Promise<void>;

export interface AuditEntry {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** The members that the request was sent to, else the instance that it named. */
  readonly instance?: string;
}

/** Request and reply on the way from the handler to the audit. */
interface Exchange {
  readonly named: string | undefined;
  /** Undefined until there is an answer; whose client has gone before gets none. */
  readonly context?: FleetContext;
}

export async function buildRoutes(app: FastifyInstance, options: RestRoutesOptions): Promise<void> {
  const { contract, bindings, stream, audit, page, clock } = options;
  const exchanges = new WeakMap<FastifyRequest, Exchange>();
  const reads = new SharedReads<Outcome>(clock);
  app.setErrorHandler((error, _request, reply) => sendError(error, options.graph, reply));
  for (const operation of contract.operations) {
    const { operationId, method, path, answer, isAudited } = operation;
    const readInput = buildInputReader(operation);
    const handler = bindings[operationId];
    invariant(answer === undefined || handler, `${operationId} has no binding`);
    app.route({
      method,
      url: path,
      exposeHeadRoute: hasHead(operation),
      async handler(request, reply) {
        const input = readInput({
          query: request.query as Record<string, string>,
          headers: request.headers,
          body: request.body,
        });
        if (!answer || !handler) return stream(input, { request, reply });
        const named = nameIn(input);
        exchanges.set(request, { named });
        const { graph, facts } = options;
        const perform = (signal: AbortSignal): Promise<Outcome> =>
          performOperation(handler, input, {
            graph,
            facts,
            context: createFleetContext(signal, { isAudited }),
          });
        const signal = requestSignal(reply.raw);
        const { context, read } =
          method === 'GET'
            ? await reads.read(JSON.stringify([operationId, input]), signal, perform)
            : await perform(signal);
        exchanges.set(request, { named, context });
        return reply.send(read());
      },
      async onSend(request, reply) {
        const exchange = exchanges.get(request);
        const names = exchange?.context ? unreachableNames(exchange.context) : [];
        if (names.length > 0) reply.header(UNREACHABLE_HEADER, names.join(', '));
        if (isAudited) audit(toAuditEntry(request, operation.path, { status: reply.statusCode, exchange }));
      },
    });
  }
  for (const path of new Set(contract.operations.map((operation) => operation.path))) {
    const served = contract.operations.filter((operation) => operation.path === path);
    closeMethods(app, path, served.flatMap(methodsOf));
  }
  // What the contract says is no secret, and the page that shows it has no token yet.
  const config = { isPublic: true };
  app.get('/api/openapi.json', { config, exposeHeadRoute: true }, async (_request, reply) =>
    reply.send(contract.document),
  );
  app.get('/api/docs', { config, exposeHeadRoute: true }, async (_request, reply) =>
    sendPage(reply, await page()),
  );
  for (const path of ['/api/openapi.json', '/api/docs']) closeMethods(app, path, ['GET', 'HEAD']);
}

function sendError(error: unknown, graph: Graph, reply: FastifyReply): FastifyReply {
  if (error instanceof GraphRefusal) return sendRest(reply, error.told);
  if (error instanceof ReservedKeyError) {
    return sendRest(reply, validationFailed([{ loc: ['body'], msg: error.message, type: 'reserved_key' }]));
  }
  if (error instanceof FlotillaError && error.code !== 'INTERNAL_SERVER_ERROR') return sendRest(reply, error);
  if (isUnreadableBody(error)) {
    const msg = 'The body is not JSON';
    return sendRest(reply, validationFailed([{ loc: ['body'], msg, type: 'json_invalid' }]));
  }
  const { status, message } = requestErrorOf(error);
  // The graph's formatter logs what it masks.
  if (status >= 500) return sendRest(reply, graph.formatError(error));
  return reply.code(status).send({ detail: message });
}

function sendRest(reply: FastifyReply, error: GraphQLFormattedError | FlotillaError): FastifyReply {
  const { status, body } = toRestError(error);
  return reply.code(status).send(body);
}

function isUnreadableBody(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY';
}

function nameIn({ instance }: RestInput): string | undefined {
  return typeof instance === 'string' && instance !== '' ? instance : undefined;
}

function methodsOf(operation: RestOperation): string[] {
  return hasHead(operation) ? [operation.method, 'HEAD'] : [operation.method];
}

/** What can be read has a head, but for a stream, whose answer does not end. */
function hasHead({ method, answer }: RestOperation): boolean {
  return method === 'GET' && answer !== undefined;
}

function toAuditEntry(
  { method }: FastifyRequest,
  path: string,
  { status, exchange }: { readonly status: number; readonly exchange: Exchange | undefined },
): AuditEntry {
  const contacted = [...(exchange?.context?.contacted ?? [])].sort().join(',');
  const instance = contacted || exchange?.named;
  return { method, path, status, ...(instance !== undefined && { instance }) };
}
