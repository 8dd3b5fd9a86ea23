/**
 * The tracer of an instance: the flow of requests through the process, and their spans when somebody wants them.
 *
 * Nothing is registered globally: several instances in one process record apart from each other.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { LogFields } from '../../lib/Logger.ts';
import { type Redactor, redactDeep } from '../../lib/redact.ts';
import type { Span, SpanAttributes, SpanOptions, Tracer } from '../../lib/Tracer.ts';
import type { RequestIds } from './requestIds.ts';
import { formatTraceparent, parseTraceparent, TRACEPARENT } from './traceparent.ts';

const NO_SPAN: Span = { set() {}, fail() {} };

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER } as const;

export interface TracerOptions {
  /** Makes the spans. @default none are made */
  readonly spans?: OtelTracer;
  readonly redact: Redactor;
}

/** What the tracer is to the faces, which open and end what is current for everybody behind them. */
export interface RequestTracer extends Tracer {
  /** The beginning of a request; to be closed. */
  open(request: IncomingRequest): RequestTrace;
  /** The request that is current. */
  readonly current: RequestIds | undefined;
  /** What every line of the log has: the ids of the current request and of its trace. */
  logFields(): LogFields;
}

export interface IncomingRequest {
  readonly name: string;
  readonly ids: RequestIds;
  readonly attributes: SpanAttributes;
  /** The header of the caller, whose trace goes on here. */
  readonly traceparent?: string | string[] | undefined;
}

export interface RequestTrace {
  readonly ids: RequestIds;
  /** Does `work` as a part of the request. May be called again and again. */
  run<T>(work: () => T): T;
  /** The last word; what comes later is not recorded. `failure` marks the span as failed. */
  close(end: {
    readonly name?: string;
    readonly attributes?: SpanAttributes;
    readonly failure?: string;
  }): void;
}

/** What is current. */
interface Scope {
  readonly ids: RequestIds | undefined;
  readonly context: Context;
}

export function createTracer({ spans, redact }: TracerOptions): RequestTracer {
  const scopes = new AsyncLocalStorage<Scope>();

  const toAttributes = (attributes: SpanAttributes = {}) =>
    redactDeep(attributes, redact) as Record<string, string | number | boolean | string[]>;

  function start(
    name: string,
    { kind = 'internal', attributes }: SpanOptions,
    parent: Context,
  ): OtelSpan | undefined {
    return spans?.startSpan(
      redact(name),
      { kind: KINDS[kind], attributes: toAttributes(attributes) },
      parent,
    );
  }

  /** Below the span that the header names. */
  function contextOf(traceparent: string | string[] | undefined): Context | undefined {
    const above = spans && parseTraceparent(traceparent);
    return above && trace.setSpanContext(ROOT_CONTEXT, above);
  }

  function currentSpan(): OtelSpan | undefined {
    const scope = scopes.getStore();
    return scope && trace.getSpan(scope.context);
  }

  function fail(span: OtelSpan, reason: string): void {
    span.setStatus({ code: SpanStatusCode.ERROR, message: redact(reason) });
  }

  return {
    async span(name, options, work) {
      const scope = scopes.getStore();
      const parent = contextOf(options.parent) ?? scope?.context ?? ROOT_CONTEXT;
      const span = start(name, options, parent);
      if (!span) return work(NO_SPAN);
      let isMarked = false;
      const handle: Span = {
        set: (attributes) => void span.setAttributes(toAttributes(attributes)),
        fail(reason) {
          isMarked = true;
          fail(span, reason);
        },
      };
      try {
        const inner = { ids: scope?.ids, context: trace.setSpan(parent, span) };
        return await scopes.run(inner, work, handle);
      } catch (error) {
        if (!isMarked && !isCancellation(error)) {
          fail(span, error instanceof Error ? error.message : String(error));
        }
        throw error;
      } finally {
        span.end();
      }
    },
    annotate(attributes) {
      currentSpan()?.setAttributes(toAttributes(attributes));
    },
    outgoingHeaders() {
      const ids = scopes.getStore()?.ids;
      const span = currentSpan();
      return {
        ...(ids && { 'x-request-id': ids.outgoing }),
        ...(span && { [TRACEPARENT]: formatTraceparent(span.spanContext()) }),
      };
    },
    detached: (work) => scopes.exit(work),
    open({ name, ids, attributes, traceparent }) {
      const parent = contextOf(traceparent) ?? ROOT_CONTEXT;
      const span = start(name, { kind: 'server', attributes }, parent);
      const scope: Scope = { ids, context: span ? trace.setSpan(parent, span) : parent };
      return {
        ids,
        run: (work) => scopes.run(scope, work),
        close({ name: better, attributes: more, failure }) {
          if (!span) return;
          if (better !== undefined) span.updateName(better);
          span.setAttributes(toAttributes(more));
          if (failure !== undefined) fail(span, failure);
          span.end();
        },
      };
    },
    get current() {
      return scopes.getStore()?.ids;
    },
    logFields() {
      const ids = scopes.getStore()?.ids;
      const span = currentSpan()?.spanContext();
      return {
        ...(ids && { requestId: ids.own }),
        ...(span && { traceId: span.traceId, spanId: span.spanId }),
      };
    },
  };
}

function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
