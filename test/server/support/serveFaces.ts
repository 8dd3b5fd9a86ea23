/** The faces over a worker of values, on a port of their own. */
import type { Tracer } from '@opentelemetry/api';
import type { Manager } from '../../../gateway/index.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { systemClock } from '../../../lib/Clock.ts';
import type { LogFields, Logger } from '../../../lib/Logger.ts';
import { createRedactor } from '../../../lib/redact.ts';
import { createFaces, type Faces } from '../../../server/createFaces.ts';
import { type Listener, listen } from '../../../server/http/listen.ts';
import { createMetrics } from '../../../server/metrics/createMetrics.ts';
import { createTracer } from '../../../server/telemetry/createTracer.ts';
import type { FakeWorker } from './FakeWorker.ts';

export interface ServedFaces extends AsyncDisposable {
  readonly url: string;
  readonly listener: Listener;
  readonly faces: Faces;
  /** What was logged at level error. */
  readonly errors: readonly LogFields[];
}

export interface ServeOptions {
  readonly worker: FakeWorker;
  readonly manager?: Manager;
  readonly tokens?: readonly string[];
  readonly clock?: Clock;
  readonly webRoot?: string;
  readonly isDevelopment?: boolean;
  /** @default 0 */
  readonly quietMs?: number;
  /** @default none are made */
  readonly spans?: Tracer;
}

export async function serveFaces({
  tokens = [],
  clock = systemClock,
  webRoot = '/nowhere',
  spans,
  quietMs = 0,
  ...options
}: ServeOptions): Promise<ServedFaces> {
  const errors: LogFields[] = [];
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (fields) => errors.push(fields) };
  const listener = await listen({ host: '127.0.0.1', port: 0 });
  const metrics = createMetrics();
  const tracer = createTracer({ redact: createRedactor(), ...(spans && { spans }) });
  const faces = await createFaces({
    ...options,
    listener,
    tokens,
    clock,
    logger,
    tracer,
    metrics,
    webRoot,
    quietMs,
  });
  faces.open();
  return {
    url: listener.url,
    listener,
    faces,
    errors,
    async [Symbol.asyncDispose]() {
      await faces[Symbol.asyncDispose]();
      await listener[Symbol.asyncDispose]();
      metrics[Symbol.dispose]();
    },
  };
}
