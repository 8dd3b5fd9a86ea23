/** How an instance can be watched: its log, its metrics, its traces, and the redactor that all of them pass. */
import type { Clock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import type { Redactor } from '../../lib/redact.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { createConfigRedactor } from '../createConfigRedactor.ts';
import { createLogger } from '../createLogger.ts';
import { createMetrics, type Metrics } from '../metrics/createMetrics.ts';
import type { SpanSource, SpanSourceOptions } from './createSpanSource.ts';
import { createTracer, type RequestTracer } from './createTracer.ts';

export interface TelemetryOptions {
  /** As read at start. */
  readonly boot: Config;
  /** In force now. */
  readonly current: () => Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock: Clock;
  /** In place of the log on standard error. */
  readonly logger?: Logger | undefined;
}

/** Disposing sends the last spans, for up to 1 s. */
export interface Telemetry extends AsyncDisposable {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracer: RequestTracer;
  readonly redact: Redactor;
}

export async function createTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { boot, current, env, version, clock } = options;
  const redact = createConfigRedactor({ current, env });
  let tracer: RequestTracer | undefined;
  const context = () => ({ instance: boot.instance.name, ...tracer?.logFields() });
  const logger = options.logger ?? createLogger(boot.log.level, { redact, context });
  const source = await openSpanSource({
    config: boot.o11y,
    instanceName: boot.instance.name,
    version,
    clock,
    logger,
  });
  tracer = createTracer({ redact, ...(source && { spans: source.spans }) });
  const metrics = createMetrics();
  return {
    logger,
    metrics,
    tracer,
    redact,
    async [Symbol.asyncDispose]() {
      metrics[Symbol.dispose]();
      await source?.[Symbol.asyncDispose]();
    },
  };
}

/** The SDK is loaded only where somebody wants spans. */
async function openSpanSource(options: SpanSourceOptions): Promise<SpanSource | undefined> {
  const { otlpEndpoint, traceFile } = options.config;
  if (otlpEndpoint === undefined && traceFile === undefined) return undefined;
  const { createSpanSource } = await import('./createSpanSource.ts');
  return createSpanSource(options);
}
