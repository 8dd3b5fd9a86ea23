/**
 * What ties together all that one request causes, in whatever room and on whatever instance: port. The composition root gives the
 * implementation; without one nothing is recorded.
 *
 * 1. What is current follows the asynchronous flow: work that a span has begun is below that span, however deep.
 * 2. Nothing here throws of its own, and no record is waited for.
 * 3. Attributes pass the redactor (spec/worker.md § 8.8).
 */

export interface Tracer {
  /**
   * Does `work` as a span below the current one. The span ends when the work settles; a rejection marks it as failed, unless the
   * work has done so itself, and is passed on, and so is the reason of an abort, which marks nothing.
   *
   * @param name one of few; what differs from call to call belongs into the attributes
   */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Adds to the current span, if there is one. */
  annotate(attributes: SpanAttributes): void;
  /** Headers that tell another instance what its work belongs to; none when nothing is current. */
  outgoingHeaders(): Readonly<Record<string, string>>;
  /** Does `work` outside of everything that is current: for what a request begins and does not own. */
  detached<T>(work: () => T): T;
}

export interface SpanOptions {
  /** The `traceparent` of the span above, which another process may have made. @default the current one */
  readonly parent?: string | undefined;
  /** `client`: a call that leaves the process. @default 'internal' */
  readonly kind?: 'internal' | 'client' | 'server';
  /** @default none */
  readonly attributes?: SpanAttributes;
}

/** Absent values are left out. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed though its work does not reject, or in words that may be recorded when it does. */
  fail(reason: string): void;
}

const NO_SPAN: Span = { set() {}, fail() {} };

/** Records nothing. */
export const noTracer: Tracer = {
  span: (_name, _options, work) => work(NO_SPAN),
  annotate() {},
  outgoingHeaders: () => ({}),
  detached: (work) => work(),
};
