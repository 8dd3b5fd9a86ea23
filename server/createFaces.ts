/** Everything that an instance serves on its one port, and the order in which it stops serving it. */
import type { FastifyRequest } from 'fastify';
import type { Manager } from '../gateway/index.ts';
import type { Clock } from '../lib/Clock.ts';
import { delay } from '../lib/delay.ts';
import type { Logger } from '../lib/Logger.ts';
import { StateFileError } from '../lib/StateDatabase.ts';
import type { EventType } from '../schema/events.ts';
import type { Worker } from '../subgraph/index.ts';
import { createEventBatch } from './createEventBatch.ts';
import { createGraph } from './graphql/createGraph.ts';
import { createSocketFace } from './graphql/createSocketFace.ts';
import { GRAPHQL_PATH, graphqlRoutes, isPageRequest } from './graphql/graphqlRoutes.ts';
import { createTokenCheck } from './http/bearer.ts';
import { createApp } from './http/createApp.ts';
import { healthRoutes } from './http/healthRoutes.ts';
import type { Listener } from './http/listen.ts';
import { RequestTracker } from './http/RequestTracker.ts';
import { recordEvent, toOwnEvent } from './recordEvent.ts';
import { BINDINGS } from './rest/bindings.ts';
import { type AuditEntry, buildRoutes } from './rest/buildRoutes.ts';
import { readContract } from './rest/readContract.ts';
import { createStreamHandler } from './sse/createStreamHandler.ts';
import { SubscriberSet } from './sse/SubscriberSet.ts';
import { isPageAddress, sendNotFound } from './web/sendNotFound.ts';
import { defaultWebRoot, readPage, staticRoutes } from './web/staticRoutes.ts';

/** How long stopping waits for requests that are being answered, in milliseconds. */
const DRAIN_TIMEOUT_MS = 5_000;

export interface FacesOptions {
  readonly worker: Worker;
  /** Present on a manager. */
  readonly manager?: Manager;
  readonly listener: Listener;
  /** Accepted bearer tokens; none asks nobody for one. */
  readonly tokens: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isDevelopment?: boolean;
  /** Directory of the built dashboard. @default where `npm run build:web` puts it */
  readonly webRoot?: string;
}

/**
 * Disposing: not ready, no new connection, requests finish (for up to 5 s), WebSockets close with 1001, streams end. Every step is
 * taken even when the one before throws.
 */
export interface Faces extends AsyncDisposable {
  readonly isReady: boolean;
  /** Requests are served from now on. */
  open(): void;
}

export async function createFaces(options: FacesOptions): Promise<Faces> {
  const { worker, manager, listener, tokens, clock, logger, isDevelopment = false } = options;
  const { webRoot = defaultWebRoot() } = options;
  const { service } = worker.config.current();
  const bind = { host: service.host, port: listener.port };
  const isAllowed = createTokenCheck(tokens);
  const tracker = new RequestTracker();
  const subscribers = new SubscriberSet();
  const facts = { isManager: manager !== undefined };

  // An audit that cannot be written is told to the operator and does not cost the client its answer.
  const record = (type: EventType, data: Readonly<Record<string, unknown>>): void => {
    try {
      recordEvent(worker.log, type, data);
    } catch (error) {
      // What the disk has to do with it is told once, by who owns the state file.
      if (!(error instanceof StateFileError))
        logger.error({ err: error, type }, 'An event could not be written');
    }
  };

  await using resources = new AsyncDisposableStack();
  const requests = resources.use(createEventBatch({ log: worker.log, clock, logger }));
  const audit = (entry: AuditEntry): void => requests.add(toOwnEvent('api.request', { ...entry }));
  const graph = resources.use(await createGraph({ worker, manager, logger, isDevelopment, audit }));
  const app = createApp({
    listener,
    bind,
    maxRequestBytes: service.maxRequestBytes,
    isAllowed,
    isPublic,
    tracker,
    onDefect: graph.formatError,
  });
  resources.defer(() => app.close());

  const stream = createStreamHandler({
    graph,
    config: worker.config,
    facts,
    subscribers,
    clock,
    record,
    audit,
    onAccepted: (response) => tracker.leave(response),
  });
  let isReady = false;
  await app.register(healthRoutes, { isReady: () => isReady, canStore: () => worker.canStore() });
  await app.register(graphqlRoutes, { graph, page: () => readPage(webRoot, 'graphiql') });
  await app.register(buildRoutes, {
    contract: readContract(),
    bindings: BINDINGS,
    stream,
    graph,
    facts,
    audit,
  });
  await app.register(staticRoutes, { webRoot });
  app.setNotFoundHandler((request, reply) => sendNotFound({ request, reply, webRoot }));
  await app.ready();

  // Disposed in the opposite order: what is pushed last stops first.
  resources.defer(() => subscribers.end());
  resources.use(createSocketFace({ graph, server: listener.server, bind, isAllowed, clock, logger }));
  resources.defer(() => drain(tracker, clock));
  resources.defer(() => listener.stopAccepting());
  resources.defer(() => {
    isReady = false;
  });
  const owned = resources.move();
  return {
    get isReady() {
      return isReady;
    },
    open() {
      listener.serve((request, response) => app.routing(request, response));
      isReady = true;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Pages and health hold nothing that is not public; the programs behind them ask for the token. The matched route decides and never the
 * path as it was sent, which can be written in more than one way.
 */
function isPublic(request: FastifyRequest): boolean {
  const { url, config } = request.routeOptions;
  if (request.is404) return isPageAddress(request);
  return config.isPublic === true || (url === GRAPHQL_PATH && isPageRequest(request));
}

async function drain(tracker: RequestTracker, clock: Clock): Promise<void> {
  const waited = new AbortController();
  await Promise.race([tracker.close(), delay(clock, DRAIN_TIMEOUT_MS, waited.signal).catch(() => undefined)]);
  waited.abort();
}
