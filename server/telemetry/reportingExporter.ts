import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../../lib/Logger.ts';

/** The same exporter; that it fails is told once, and once that it works again. The SDK itself would tell nobody. */
export function reportingExporter(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined || result.code !== 0;
        if (hasFailed && !isFailing) {
          logger.warn({ reason: result.error?.message, spans: spans.length }, 'Spans could not be delivered');
        } else if (!hasFailed && isFailing) {
          logger.info({}, 'Spans are delivered again');
        }
        isFailing = hasFailed;
        onResult(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
