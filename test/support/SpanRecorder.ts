/** Spans of a test, as they end. */
import type { Tracer } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

export interface RecordedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number; readonly message?: string };
}

export class SpanRecorder {
  readonly #exporter = new InMemorySpanExporter();
  readonly tracer: Tracer;

  constructor() {
    const spanProcessors = [new SimpleSpanProcessor({ exporter: this.#exporter })];
    this.tracer = new TracerProvider({ spanProcessors }).getTracer('test');
  }

  /** In the order of their ends. */
  get spans(): readonly RecordedSpan[] {
    return this.#exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      kind: span.kind,
      ...pick(span.spanContext()),
      parentId: span.parentSpanContext?.spanId,
      attributes: span.attributes,
      status: span.status,
    }));
  }

  named(name: string): RecordedSpan {
    const [span, ...others] = this.spans.filter((candidate) => candidate.name === name);
    if (!span || others.length > 0)
      throw new Error(`Not one span is named ${name}: ${this.spans.map((s) => s.name)}`);
    return span;
  }
}

function pick({ traceId, spanId }: { traceId: string; spanId: string }) {
  return { traceId, spanId };
}
