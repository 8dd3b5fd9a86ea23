import type { SpanAttributes, Tracer } from '../../lib/Tracer.ts';

/** The same tracer, whose spans all have these attributes too. */
export function labelSpans(tracer: Tracer, labels: SpanAttributes): Tracer {
  return {
    ...tracer,
    span: (name, options, work) =>
      tracer.span(name, { ...options, attributes: { ...options.attributes, ...labels } }, work),
  };
}
