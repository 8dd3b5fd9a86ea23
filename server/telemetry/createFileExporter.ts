/** Spans as lines of JSON in a file of the owner's (spec/worker.md § 9.2). */
import { appendFile } from 'node:fs/promises';
import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** Writes are appended one after the other. */
export function createFileExporter(path: string): SpanExporter {
  let written: Promise<void> = Promise.resolve();
  return {
    export(spans, onResult) {
      const lines = spans.map((span) => `${JSON.stringify(toLine(span))}\n`).join('');
      const writing = written.then(() => appendFile(path, lines, { mode: 0o600 }));
      written = writing.catch(() => undefined);
      writing.then(
        () => onResult({ code: 0 }),
        (error: Error) => onResult({ code: 1, error }),
      );
    },
    forceFlush: () => written,
    shutdown: () => written,
  };
}

function toLine(span: ReadableSpan): Readonly<Record<string, unknown>> {
  const { traceId, spanId } = span.spanContext();
  return {
    name: span.name,
    kind: SpanKind[span.kind]?.toLowerCase(),
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    startedAt: new Date(toMs(span.startTime)).toISOString(),
    durationMs: toMs(span.duration),
    status: SpanStatusCode[span.status.code]?.toLowerCase(),
    ...(span.status.message !== undefined && { reason: span.status.message }),
    resource: span.resource.attributes,
    attributes: span.attributes,
  };
}

function toMs([seconds, nanoseconds]: HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
