/** The `traceparent` header (W3C Trace Context § 3.2). Pure. `tracestate` and `baggage` are a caller's own and go no further. */
import { type SpanContext, TraceFlags } from '@opentelemetry/api';

export const TRACEPARENT = 'traceparent';

const FORM = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Longer than any version that there will be. */
const MAX_LENGTH = 512;

/**
 * The caller's span; undefined when the header does not name one, or comes twice. Later versions are read as far as the first one
 * goes (§ 4.3).
 */
export function parseTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const match = typeof header !== 'string' || header.length > MAX_LENGTH ? null : FORM.exec(header);
  if (!match) return undefined;
  const [text, traceId, spanId, flags, rest] = match;
  if (rest !== undefined && text.startsWith('00')) return undefined;
  const traceFlags = Number.parseInt(flags!, 16) & TraceFlags.SAMPLED;
  return { traceId: traceId!, spanId: spanId!, traceFlags, isRemote: true };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`;
}
