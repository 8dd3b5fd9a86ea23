/** Everything that an instance serves on its one port, and the order in which it stops serving it. */
import type { FastifyRequest } from 'fastify';
import type { Manager } from '../gateway/index.ts';
import type { Clock } from '../lib/Clock.ts';
import { type IdSource, systemIds } from '../lib/ids.ts';
import type { Logger } from '../lib/Logger.ts';
import { packageVersion } from '../lib/packageVersion.ts';
import type { Redactor } from '../lib/redact.ts';
import { tryToWrite } from '../lib/tryToWrite.ts';
import type { EventType } from '../schema/events.ts';
import type { Worker } from '../subgraph/index.ts';
import { a2aRoutes, formatPathError } from './a2a/a2aRoutes.ts';
import { createA2A } from './a2a/createA2A.ts';
import { createPush } from './a2a/push/createPush.ts';
import { createEventBatch } from './createEventBatch.ts';
import { createGraph } from './graphql/createGraph.ts';
import { createSocketFace } from './graphql/createSocketFace.ts';
import { GRAPHQL_PATH, graphqlRoutes, isPageRequest } from './graphql/graphqlRoutes.ts';
import { createTokenCheck } from './http/bearer.ts';
import { createApp } from './http/createApp.ts';
import { createRateLimit } from './http/createRateLimit.ts';
import { drain } from './http/drain.ts';
import { healthRoutes } from './http/healthRoutes.ts';
import type { Listener } from './http/listen.ts';
import { metricsRoutes } from './http/metricsRoutes.ts';
import { RequestTracker } from './http/RequestTracker.ts';
import { buildTools } from './mcp/buildTools.ts';
import { createMcp } from './mcp/createMcp.ts';
import { mcpRoutes } from './mcp/mcpRoutes.ts';
import { TOOLS } from './mcp/TOOLS.ts';
import type { Metrics } from './metrics/createMetrics.ts';
import { memberStates } from './metrics/memberStates.ts';
import { recordEvent, toOwnEvent } from './recordEvent.ts';
import { BINDINGS } from './rest/bindings.ts';
import { type AuditEntry, buildRoutes } from './rest/buildRoutes.ts';
import { readContract } from './rest/readContract.ts';
import { createStreamHandler } from './sse/createStreamHandler.ts';
import { SubscriberSet } from './sse/SubscriberSet.ts';
import type { RequestTracer } from './telemetry/createTracer.ts';
import { toRequestIds } from './telemetry/requestIds.ts';
import { TRACEPARENT } from './telemetry/traceparent.ts';
import { isPageAddress, sendNotFound } from './web/sendNotFound.ts';
import { defaultWebRoot, readPage, staticRoutes } from './web/staticRoutes.ts';

/** How long a stop leaves connections open over which nothing comes, in milliseconds: a request may be on its way. */
const QUIET_MS = 250;

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
  readonly tracer: RequestTracer;
  /** For what members said. @default what looks like a credential is masked */
  readonly redact?: Redactor;
  readonly metrics: Metrics;
  /** @default the system's */
  readonly ids?: IdSource;
  readonly isDevelopment?: boolean;
  /** Directory of the built dashboard. @default where `npm run build:web` puts it */
  readonly webRoot?: string;
  /** How long a stop leaves connections open over which nothing comes, in milliseconds. @default 250 */
  readonly quietMs?: number;
}

/**
 * Disposing: not ready; who waits for a task over A2A is answered with the task as it is; no new connection; requests finish (for up to
 * 5 s), also those that still come over connections which are there, and their answers say `Connection: close`; WebSockets close with
 * 1001; streams end, those of events with the position of their reader; push notifications that are under way get 2 s. Every step is
 * taken even when the one before throws.
 */
export interface Faces extends AsyncDisposable {
  readonly isReady: boolean;
  /** Requests are served from now on. */
  open(): void;
}

export async function createFaces(options: FacesOptions): Promise<Faces> {
  const { worker, manager, listener, tokens, clock, logger, tracer, redact, metrics } = options;
  const { ids = systemIds, isDevelopment = false, webRoot = defaultWebRoot(), quietMs = QUIET_MS } = options;
  const { service } = worker.config.current();
  const bind = { host: service.host, port: listener.port };
  const isAllowed = createTokenCheck(tokens);
  const tracker = new RequestTracker();
  const subscribers = new SubscriberSet();
  const facts = { isManager: manager !== undefined };

  // An audit that cannot be written is told to the operator and does not cost the client its answer.
  const record = (type: EventType, data: Readonly<Record<string, unknown>>): void =>
    tryToWrite(() => recordEvent(worker.log, type, data), logger, { type });

  await using resources = new AsyncDisposableStack();
  const requests = resources.use(createEventBatch({ log: worker.log, clock, logger }));
  const audit = (entry: AuditEntry): void => requests.add(toOwnEvent('api.request', { ...entry }));
  const graph = resources.use(
    await createGraph({ worker, manager, logger, isDevelopment, audit, tracer, redact }),
  );
  const rateLimit = createRateLimit({
    clock,
    perMinute: () => worker.config.current().service.rateLimitPerMinute,
  });
  const app = createApp({
    listener,
    bind,
    maxRequestBytes: service.maxRequestBytes,
    isAllowed,
    isPublic,
    tracker,
    rateLimit,
    observation: { ids, clock, logger, tracer, record: metrics.observeRequest },
    onDefect: graph.formatError,
    formatPathError,
  });
  resources.defer(() => app.close());

  const stream = createStreamHandler({
    graph,
    config: worker.config,
    facts,
    subscribers,
    clock,
    position: () => {
      const end = String(worker.log.end());
      return manager ? `${worker.config.current().instance.name}=${end}` : end;
    },
    record,
    audit,
    onAccepted: (response) => tracker.leave(response),
  });
  let isReady = false;
  await app.register(healthRoutes, {
    isReady: () => isReady,
    canStore: () => worker.canStore(),
    hostImpediment: () => worker.engine.impediment?.(),
    members: manager && (() => memberStates(worker, manager)),
    isAllowed,
  });
  await app.register(metricsRoutes, { metrics });
  await app.register(graphqlRoutes, { graph, page: () => readPage(webRoot, 'graphiql') });
  const contract = readContract();
  await app.register(buildRoutes, {
    contract,
    bindings: BINDINGS,
    page: () => readPage(webRoot, 'api/docs'),
    stream,
    graph,
    facts,
    clock,
    audit,
  });
  await app.register(mcpRoutes, {
    mcp: createMcp({
      version: packageVersion(),
      tools: buildTools(contract, TOOLS),
      bindings: BINDINGS,
      graph,
      facts,
      audit: (call) => requests.add(toOwnEvent('mcp.call', { ...call })),
      onRefused: (error) => logger.debug({ err: error }, 'An MCP request was refused'),
    }),
    onDefect: graph.formatError,
  });
  const push = resources.use(createPush({ worker, clock, ids, logger }));
  const a2a = createA2A({
    worker,
    push: push.configs,
    version: packageVersion(),
    needsToken: tokens.length > 0,
    clock,
    ids,
    logger,
  });
  await app.register(a2aRoutes, {
    a2a,
    onDefect: graph.formatError,
    onAccepted: (response) => tracker.leave(response),
  });
  await app.register(staticRoutes, { webRoot });
  app.setNotFoundHandler((request, reply) => sendNotFound({ request, reply, webRoot }));
  await app.ready();

  // Disposed in the opposite order: what is pushed last stops first.
  resources.defer(() => subscribers.end());
  resources.defer(() => a2a.streams.end());
  const sockets = resources.use(
    createSocketFace({
      graph,
      server: listener.server,
      bind,
      isAllowed,
      rateLimit,
      clock,
      logger,
      openTrace: (upgrade, { type, name }) =>
        tracer.open({
          name: `graphql.${type}`,
          ids: toRequestIds(undefined, ids),
          attributes: { 'graphql.operation.type': type, 'graphql.operation.name': name },
          traceparent: upgrade.headers[TRACEPARENT],
        }),
    }),
  );
  metrics.watch({
    worker,
    manager,
    subscribers: [
      { name: 'graphql', count: () => sockets.operations, queued: () => sockets.queued },
      { name: 'sse', count: () => subscribers.size, queued: () => subscribers.queued },
      { name: 'a2a', count: () => a2a.streams.size, queued: () => a2a.streams.queued },
    ],
  });
  resources.defer(() => listener.closeIdle());
  resources.defer(() => drain({ tracker, listener, clock, quietMs, timeoutMs: DRAIN_TIMEOUT_MS }));
  resources.defer(() => a2a.stopWaiting());
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
