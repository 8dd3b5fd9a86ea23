/** `/graphql` over HTTP: GraphQL over HTTP by Apollo Server, and a page for browsers. */
import { HeaderMap, type HTTPGraphQLResponse } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createFleetContext, type FleetContext } from '../../gateway/index.ts';
import { FlotillaError } from '../../schema/errors.ts';
import { closeMethods } from '../http/closeMethods.ts';
import { preferredMediaType } from '../http/preferredMediaType.ts';
import { requestErrorOf } from '../http/requestErrorOf.ts';
import { requestSignal } from '../http/requestSignal.ts';
import { UNREACHABLE_HEADER, unreachableNames } from './fleetExtensions.ts';
import type { Graph } from './Graph.ts';
import { JSON_TYPE, RESPONSE_TYPES } from './plugins.ts';

export const GRAPHQL_PATH = '/graphql';

/** Of GraphQL over HTTP. */
const METHODS = ['GET', 'POST'];

export interface GraphQLRoutesOptions {
  readonly graph: Graph;
  /** The page for a browser that opens the path. */
  readonly page: () => Promise<string>;
}

export async function graphqlRoutes(
  app: FastifyInstance,
  { graph, page }: GraphQLRoutesOptions,
): Promise<void> {
  app.setErrorHandler((error, request, reply) => sendError(error, { graph, request, reply }));
  closeMethods(app, GRAPHQL_PATH, METHODS);
  app.route({ method: METHODS, url: GRAPHQL_PATH, handler: answer });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isPageRequest(request)) return reply.type('text/html; charset=utf-8').send(await page());
    const text = textOf(request);
    if (text !== undefined) graph.assertWithinLimits(text);
    const context = createFleetContext(requestSignal(reply.raw));
    const response = await graph.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method,
        headers: toHeaderMap(request),
        search: searchOf(request.url),
        body: request.body ?? {},
      },
      context: async () => context,
    });
    return sendAnswer(response, { context, reply });
  }
}

/** Whether a browser that opens the path wants to see something; a client of the API says that it wants JSON, or nothing. */
export function isPageRequest({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (
    method === 'GET' && preferredMediaType(headers.accept, [...RESPONSE_TYPES, 'text/html']) === 'text/html'
  );
}

function sendAnswer(
  { status, headers, body }: HTTPGraphQLResponse,
  { context, reply }: { readonly context: FleetContext; readonly reply: FastifyReply },
): FastifyReply {
  const names = unreachableNames(context);
  if (names.length > 0) reply.header(UNREACHABLE_HEADER, names.join(', '));
  for (const [name, value] of headers) reply.header(name, value);
  // Bytes go to the socket as they are; a long text would be encoded on its way there, which costs several times as much.
  return reply.code(status ?? 200).send(body.kind === 'complete' ? Buffer.from(body.string) : '');
}

/** Everything that ends a request before Apollo Server sees it: limits, guards, bodies that are none. */
function sendError(
  error: unknown,
  {
    graph,
    request,
    reply,
  }: { readonly graph: Graph; readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  const { status, code, message } = requestErrorOf(error);
  const told =
    status < 500 && !(error instanceof FlotillaError)
      ? { message, extensions: { code } }
      : graph.formatError(error);
  const type = preferredMediaType(request.headers.accept, RESPONSE_TYPES) ?? JSON_TYPE;
  return reply
    .code(status)
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify({ errors: [told] }));
}

/** The operation's text, when the request has one where it belongs. */
function textOf({ method, body, url }: FastifyRequest): string | undefined {
  if (method === 'GET') return URL.parse(url, 'http://localhost')?.searchParams.get('query') ?? undefined;
  const text = typeof body === 'object' && body !== null && 'query' in body ? body.query : undefined;
  return typeof text === 'string' ? text : undefined;
}

function searchOf(url: string): string {
  return url.includes('?') ? (URL.parse(url, 'http://localhost')?.search ?? '') : '';
}

function toHeaderMap({ headers }: FastifyRequest): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  return map;
}
