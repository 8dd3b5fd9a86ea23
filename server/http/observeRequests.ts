/** What is told of every request, whatever it asks for: its id, its span, its line in the log, its share in the metrics. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../lib/Clock.ts';
import type { IdSource } from '../../lib/ids.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { RequestTrace, RequestTracer } from '../telemetry/createTracer.ts';
import { REQUEST_ID_HEADER, toRequestIds } from '../telemetry/requestIds.ts';
import { TRACEPARENT } from '../telemetry/traceparent.ts';

/** The route of what no route has matched. */
const UNMATCHED = 'unmatched';

export interface RequestObservation {
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracer: RequestTracer;
  readonly record: (request: AnsweredRequest) => void;
}

export interface AnsweredRequest {
  readonly method: string;
  /** The template of the path: never what a client has put into it. */
  readonly route: string;
  readonly status: number;
  /** Until the answer was handed to the network; undefined for a stream, which lasts as long as its reader likes. */
  readonly durationMs: number | undefined;
}

interface Observed {
  readonly trace: RequestTrace;
  readonly startedMs: number;
}

/** To be called before other hooks are added: what they do is part of the request. */
export function observeRequests(app: FastifyInstance, options: RequestObservation): void {
  const { ids, clock, tracer } = options;
  const observed = new WeakMap<FastifyRequest, Observed>();

  app.addHook('onRequest', (request, reply, done) => {
    const requestIds = toRequestIds(request.headers[REQUEST_ID_HEADER], ids);
    const trace = tracer.open({
      name: request.method,
      ids: requestIds,
      attributes: { 'http.request.method': request.method, 'flotilla.request.id': requestIds.own },
      traceparent: request.headers[TRACEPARENT],
    });
    observed.set(request, { trace, startedMs: clock.monotonicMs() });
    reply.header(REQUEST_ID_HEADER, requestIds.own);
    trace.run(done);
  });
  // The body was read by events of its socket, which belong to no request.
  app.addHook('preValidation', (request, _reply, done) => {
    const { trace } = observed.get(request) ?? {};
    if (trace) trace.run(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { trace, startedMs } = observed.get(request) ?? {};
    if (trace && startedMs !== undefined) {
      trace.run(() =>
        tell(request, reply, { ...options, trace, durationMs: clock.monotonicMs() - startedMs }),
      );
    }
    done();
  });
}

function tell(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    logger,
    record,
    trace,
    durationMs,
  }: RequestObservation & { readonly trace: RequestTrace; readonly durationMs: number },
): void {
  const { method } = request;
  const route = routeOf(request);
  const { statusCode: status } = reply.raw;
  const isStream = String(reply.raw.getHeader('content-type') ?? '').startsWith('text/event-stream');
  record({ method, route, status, durationMs: isStream ? undefined : durationMs });
  const { own, outgoing } = trace.ids;
  const fields = {
    method,
    route,
    status,
    durationMs: Math.round(durationMs),
    ...(own !== outgoing && { outgoingRequestId: outgoing }),
  };
  logger[status >= 500 ? 'info' : 'debug'](fields, 'A request was answered');
  trace.close({
    name: `${method} ${route}`,
    attributes: { 'http.route': route, 'http.response.status_code': status },
    ...(status >= 500 && { failure: `HTTP ${status}` }),
  });
}

function routeOf({ is404, routeOptions: { url } }: FastifyRequest): string {
  return is404 || url === undefined ? UNMATCHED : url;
}
