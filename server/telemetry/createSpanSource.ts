/** Where the spans of an instance go: to a collector, to a file, or nowhere (spec/worker.md §§ 9.2, 11). */
import type { Tracer as OtelTracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Clock } from '../../lib/Clock.ts';
import { delay } from '../../lib/delay.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { createFileExporter } from './createFileExporter.ts';
import { reportingExporter } from './reportingExporter.ts';

/** Longest wait for the last spans when the instance stops, in milliseconds. */
const FLUSH_TIMEOUT_MS = 1_000;

/** Longest time for the delivery of a batch, its repetitions included, in milliseconds. */
const EXPORT_TIMEOUT_MS = 5_000;

const TRACES_PATH = '/v1/traces';

/** Disposing sends what waits, for up to 1 s. */
export interface SpanSource extends AsyncDisposable {
  readonly spans: OtelTracer;
}

export interface SpanSourceOptions {
  readonly config: Config['o11y'];
  readonly instanceName: string;
  readonly version: string;
  readonly clock: Clock;
  /** Is told when spans cannot be delivered, once until they can. */
  readonly logger: Logger;
}

/** Undefined when nobody wants spans: then nothing of the SDK runs. */
export function createSpanSource({
  config: { otlpEndpoint, traceFile, serviceName, sampleRatio },
  instanceName,
  version,
  clock,
  logger,
}: SpanSourceOptions): SpanSource | undefined {
  const exporters: SpanExporter[] = [];
  if (otlpEndpoint !== undefined)
    exporters.push(
      new OTLPTraceExporter({ url: toTracesUrl(otlpEndpoint), timeoutMillis: EXPORT_TIMEOUT_MS }),
    );
  if (traceFile !== undefined) exporters.push(createFileExporter(traceFile));
  if (exporters.length === 0) return undefined;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': instanceName,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: exporters.map(
      (exporter) =>
        new BatchSpanProcessor({
          exporter: reportingExporter(exporter, logger),
          exportTimeoutMillis: EXPORT_TIMEOUT_MS,
        }),
    ),
  });
  return {
    spans: provider.getTracer('flotilla', version),
    // Spans that nobody takes must not keep an instance from stopping.
    async [Symbol.asyncDispose]() {
      const over = new AbortController();
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, delay(clock, FLUSH_TIMEOUT_MS, over.signal).catch(() => undefined)]);
      over.abort(new DOMException('The spans were sent', 'AbortError'));
    },
  };
}

/** The endpoint is the collector, as in `OTEL_EXPORTER_OTLP_ENDPOINT`; one that names the path itself is taken as it is. */
export function toTracesUrl(endpoint: string): string {
  const base = endpoint.replace(/\/+$/, '');
  return base.endsWith(TRACES_PATH) ? base : `${base}${TRACES_PATH}`;
}
