/** Spans as an instance has written them to its `o11y.traceFile`. */
import { readFileSync } from 'node:fs';

export interface WrittenSpan {
  readonly name: string;
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: string;
  readonly reason?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** In the order of their ends; all of them are there when the instance has stopped. */
export function readSpans(path: string): readonly WrittenSpan[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as WrittenSpan);
}
