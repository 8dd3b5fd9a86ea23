import type { Span } from '../../lib/Tracer.ts';

/** @param code `<area>.<what>`: what has failed, and never a text of the outside. */
export function markAsFailed(span: Span, code: string): void {
  span.set({ 'error.type': code });
  span.fail(code);
}
