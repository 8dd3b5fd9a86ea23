/** `o11y`: traces of what the instance does (spec/worker.md §§ 9.2, 11). */
import { z } from 'zod';
import { isHttpUrl } from './isHttpUrl.ts';

export const O11ySection = z
  .strictObject({
    otlpEndpoint: z
      .string()
      .refine(isHttpUrl, 'expected an http(s) URL without user information, query and fragment')
      .optional()
      .describe(
        'Base URL of an OpenTelemetry collector, which gets the spans as OTLP over HTTP at `/v1/traces` below it. Its credentials come from `OTEL_EXPORTER_OTLP_HEADERS`.',
      ),
    traceFile: z
      .string()
      .min(1)
      .optional()
      .describe('File that gets each span as one line of JSON; relative to the file of this configuration.'),
    serviceName: z
      .string()
      .min(1)
      .default('flotilla')
      .describe('`service.name` of the spans; the name of the instance is `service.instance.id`.'),
    sampleRatio: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe(
        'Part of the requests that is traced, from 0 to 1; of one with a `traceparent` the caller decides.',
      ),
  })
  .prefault({})
  .describe('Traces. Without an endpoint and a file no span is made.');
