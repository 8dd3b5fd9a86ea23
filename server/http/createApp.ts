/** The HTTP application that all faces are part of: what is true for every request, whatever it asks for. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import type { ErrorFormatter } from '../errors/toGraphQLError.ts';
import { toRestError } from '../errors/toRestError.ts';
import { REQUEST_ID_HEADER, toRequestIds } from '../telemetry/requestIds.ts';
import type { TokenCheck } from './bearer.ts';
import type { RateLimit } from './createRateLimit.ts';
import { type Bind, isOwnHost, isOwnOrigin } from './hosts.ts';
import type { Listener } from './listen.ts';
import { observeRequests, type RequestObservation } from './observeRequests.ts';
import { parseJsonBodies } from './parseJsonBodies.ts';
import type { RequestTracker } from './RequestTracker.ts';
import { requestErrorOf } from './requestErrorOf.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers without a token. */
    isPublic?: boolean;
  }
}

/** Of every answer. */
const HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' } as const;

export interface AppOptions {
  readonly listener: Pick<Listener, 'server'>;
  readonly bind: Bind;
  readonly maxRequestBytes: number;
  readonly isAllowed: TokenCheck;
  /** Requests that need no token and may come from anywhere. */
  readonly isPublic: (request: FastifyRequest) => boolean;
  readonly tracker: RequestTracker;
  /** @default none */
  readonly rateLimit?: RateLimit;
  readonly observation: RequestObservation;
  /** Logs what a client is not told. */
  readonly onDefect: ErrorFormatter;
  /** An error of a path that cannot be read, as the face at this URL tells it. @default as REST does */
  readonly formatPathError?: (url: string, error: FlotillaError) => PathError | undefined;
}

export interface PathError {
  readonly status: number;
  readonly body: object;
}

/**
 * Reads JSON bodies and no others: what a form of another site can send is refused before anybody looks at it.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { listener, maxRequestBytes, tracker, observation, onDefect } = options;
  const app = Fastify({
    bodyLimit: maxRequestBytes,
    serverFactory: () => listener.server,
    exposeHeadRoutes: false,
    requestIdHeader: false,
    return503OnClosing: false,
    // No hook has seen such a request.
    frameworkErrors: (_error, request, reply) => {
      const { own } = toRequestIds(request.headers[REQUEST_ID_HEADER], observation.ids);
      return sendUnreadablePath(request.url, reply.header(REQUEST_ID_HEADER, own), options);
    },
  });
  app.removeContentTypeParser('text/plain');
  parseJsonBodies(app);
  observeRequests(app, observation);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    tracker.enter(reply.raw);
    if (tracker.isClosed && !isProbe(request)) {
      throw new FlotillaError('UNAVAILABLE', 'Cannot take request: the instance is stopping');
    }
    // Whoever supervises the instance is never one too many.
    const refusal = isProbe(request) ? undefined : options.rateLimit?.refusalOf(request.ip);
    if (refusal) {
      reply.header('retry-after', refusal.retryAfterSeconds);
      throw refusal.error;
    }
    assertAdmitted(request, reply, options);
  });
  app.addHook('onSend', async (_request, reply) => {
    if (tracker.isDraining) reply.header('connection', 'close');
  });
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof FlotillaError) {
      const { status, body } = toRestError(error);
      return reply.code(status).send(body);
    }
    const { status, message } = requestErrorOf(error);
    if (status >= 500) {
      const { status: code, body } = toRestError(onDefect(error));
      return reply.code(code).send(body);
    }
    return reply.code(status).send({ detail: message });
  });
  return app;
}

function isProbe({ url }: FastifyRequest): boolean {
  return url.startsWith('/health/');
}

function sendUnreadablePath(
  url: string,
  reply: FastifyReply,
  { formatPathError }: Pick<AppOptions, 'formatPathError'>,
): FastifyReply {
  const error = badUserInput('Cannot read path: it is not valid, UTF-8 in percent-encoding is expected');
  const { status, body } = formatPathError?.(url, error) ?? toRestError(error);
  return reply.headers(HEADERS).code(status).send(body);
}

/** @throws {FlotillaError} FORBIDDEN for a foreign host or origin, UNAUTHENTICATED without an accepted token. */
function assertAdmitted(
  request: FastifyRequest,
  reply: FastifyReply,
  { bind, isAllowed, isPublic }: AppOptions,
): void {
  const { host, origin, authorization } = request.headers;
  if (!isOwnHost(host, bind)) {
    throw new FlotillaError('FORBIDDEN', 'Cannot take request: the Host header does not name this instance');
  }
  if (isPublic(request)) return;
  if (!isOwnOrigin(origin, host, bind)) {
    throw new FlotillaError('FORBIDDEN', 'Cannot take request: it comes from a page of another site');
  }
  if (!isAllowed(authorization)) {
    reply.header('www-authenticate', 'Bearer');
    throw new FlotillaError(
      'UNAUTHENTICATED',
      'Cannot take request: a bearer token of this instance is expected',
    );
  }
}
