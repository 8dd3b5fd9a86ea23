/** `/a2a`: both bindings of A2A 1.0, and the agent card. Host, origin, token, rate and size were checked by the application. */

import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badUserInput, type FlotillaError } from '../../schema/errors.ts';
import type { ErrorFormatter } from '../errors/toGraphQLError.ts';
import { closeMethods } from '../http/closeMethods.ts';
import type { PathError } from '../http/createApp.ts';
import { parseJsonBodies } from '../http/parseJsonBodies.ts';
import { requestErrorOf } from '../http/requestErrorOf.ts';
import { A2AError, formatCode, toWireError, type WireError } from './A2AError.ts';
import { performStreaming, performUnary } from './answer.ts';
import { type A2A, A2A_PATH } from './createA2A.ts';
import { formatJson } from './formatJson.ts';
import { matchHttpRoute, type Route } from './httpJson.ts';
import { readRpcId, readRpcRequest } from './jsonRpc.ts';
import { type Call, readCall } from './readCall.ts';

const CARD_PATH = '/.well-known/agent-card.json';

/** A name or an address, and perhaps a port. */
const HOST = /^(?:[a-z\d](?:[\w.-]{0,251}[a-z\d.])?|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

export interface A2ARoutesOptions {
  readonly a2a: A2A;
  /** Logs what a client is not told. */
  readonly onDefect: ErrorFormatter;
  /** The response goes on as long as its reader likes: nobody has to wait for it. */
  readonly onAccepted: (response: ServerResponse) => void;
}

export async function a2aRoutes(app: FastifyInstance, options: A2ARoutesOptions): Promise<void> {
  app.setReplySerializer(formatJson);
  app.get(CARD_PATH, { config: { isPublic: true } }, async (request, reply) =>
    reply.header('cache-control', 'no-cache').send(options.a2a.card(originOf(request))),
  );
  await app.register(jsonRpcRoute, options);
  await app.register(httpJsonRoutes, options);
}

/** The answer to a path that cannot be read; undefined for one that is not of this face. */
export function formatPathError(url: string, error: FlotillaError): PathError | undefined {
  if (!url.startsWith(`${A2A_PATH}/`)) return undefined;
  const { httpStatus: status, body } = toWireError(error) as WireError;
  return { status, body };
}

/** A request that cannot be read has an answer of the binding, too. */
async function jsonRpcRoute(app: FastifyInstance, options: A2ARoutesOptions): Promise<void> {
  readBodies(app);
  app.setErrorHandler((error, _request, reply) => {
    const { httpStatus, jsonRpc } = explain(error, options.onDefect);
    return reply.code(httpStatus).send({ jsonrpc: '2.0', id: null, error: jsonRpc });
  });
  app.post(A2A_PATH, async (request, reply) => {
    try {
      const { id, method, params } = readRpcRequest(request.body);
      await serve(options, {
        method,
        params,
        call: accept(request, reply),
        reply,
        wrap: (result) => ({ jsonrpc: '2.0', id, result }),
      });
    } catch (error) {
      if (reply.sent) throw error;
      const { jsonRpc } = explain(error, options.onDefect);
      return reply.send({ jsonrpc: '2.0', id: readRpcId(request.body), error: jsonRpc });
    }
    return reply;
  });
  closeMethods(app, A2A_PATH, ['POST']);
}

async function httpJsonRoutes(app: FastifyInstance, options: A2ARoutesOptions): Promise<void> {
  readBodies(app);
  app.setErrorHandler((error, _request, reply) => {
    const { httpStatus, body } = explain(error, options.onDefect);
    return reply.code(httpStatus).send(body);
  });
  const methods = ['GET', 'POST', 'DELETE'];
  const url = `${A2A_PATH}/*`;
  app.route({
    method: methods,
    url,
    handler: async (request, reply) => {
      const call = accept(request, reply);
      const { method, params } = routeOf(request);
      await serve(options, { method, params, call, reply, wrap: (result) => result });
      return reply;
    },
  });
  closeMethods(app, url, methods);
}

interface Served extends Route {
  readonly call: Call;
  readonly reply: FastifyReply;
  readonly wrap: (result: unknown) => unknown;
}

/** @throws {A2AError | FlotillaError} as long as nothing is answered. */
async function serve(
  { a2a, onAccepted, onDefect }: A2ARoutesOptions,
  { method, params, call, reply, wrap }: Served,
): Promise<void> {
  const asked = { a2a, params, call, reply };
  const { unary, streaming } = a2a.operations;
  if (Object.hasOwn(streaming, method)) {
    await performStreaming(streaming[method]!, asked, {
      wrap,
      onAccepted: () => onAccepted(reply.raw),
      onDefect,
    });
  } else if (Object.hasOwn(unary, method)) {
    reply.send(wrap(await performUnary(unary[method]!, asked)));
  } else {
    throw new A2AError(
      'METHOD_NOT_FOUND',
      `Cannot do "${method}": it is no operation of A2A, one is expected`,
    );
  }
}

/** The answer says which extensions were activated (A2A § 3.2.6). */
function accept(request: FastifyRequest, reply: FastifyReply): Call {
  const { 'A2A-Version': version } = request.query as Readonly<Record<string, unknown>>;
  const call = readCall(request.raw.headersDistinct, version);
  if (call.extensions.length > 0) reply.header('a2a-extensions', call.extensions.join(', '));
  return call;
}

function routeOf({ method, params, query, body }: FastifyRequest): Route {
  const { '*': path } = params as { readonly '*': string };
  const route = matchHttpRoute(method, { path, query: query as Readonly<Record<string, unknown>>, body });
  if (route) return route;
  throw new A2AError('METHOD_NOT_FOUND', 'Cannot take request: no operation of A2A has this path and method');
}

/** Clients of the protocol post with a content type of its own, and without a body where there is nothing to say. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  parseJsonBodies(app, { types: ['application/json', 'application/a2a+json'], mayBeEmpty: true });
}

/** What ends a request, in the forms that clients of the protocol read. */
function explain(error: unknown, onDefect: ErrorFormatter): WireError {
  const known = toWireError(error);
  if (known) return known;
  if (isUnreadable(error)) {
    return toWireError(new A2AError('PARSE_ERROR', 'Cannot read body: it is not JSON')) as WireError;
  }
  const { status, code, message } = requestErrorOf(error);
  if (status >= 500) onDefect(error);
  return formatCode(code, message);
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_JSON_BODY';
}

/** By the Host header, which names this instance. A proxy that ends TLS says so. @throws {FlotillaError} BAD_USER_INPUT when it is none. */
function originOf({ headers, host }: FastifyRequest): string {
  if (!HOST.test(host)) {
    throw badUserInput('Cannot tell agent card: the Host header is no name or address, one is expected');
  }
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
  return `${scheme}://${host}`;
}
