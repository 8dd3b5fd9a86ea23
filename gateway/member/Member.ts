/**
 * The manager's handle on one instance: port (design § 4). Nothing above it knows which adapter is behind.
 *
 * 1. No call throws for what a member does: an answer or a `MemberFailure` comes back, always by the deadline of `signal`.
 * 2. Answers are read up to `maxBytes` and no further; redirects are refused; nothing of a caller's request is forwarded.
 * 3. An aborted call ends its socket.
 */
import type { DocumentNode } from 'graphql';

export interface Member {
  /** The registered name; the only name the manager ever uses for it. */
  readonly name: string;
  /** Operation of the `instance` subgraph. */
  execute(request: MemberRequest, options: MemberCallOptions): Promise<MemberResult<MemberAnswer>>;
  /** The identity document and, only when it is the one of a worker with this name, the version (spec/manager.md § 5.1). */
  identify(options: MemberCallOptions): Promise<MemberResult<IdentityAnswer>>;
  /** The member's event log from a position on. Ends or throws when the connection is lost; the caller reconnects. */
  watch(options: MemberWatchOptions): AsyncIterable<MemberEventPage>;
  /**
   * A piece of the member's log, for adapters whose members do not page it over the graph, and whose offsets are not counted
   * one by one. Needs no `this`. It may come and go with what the member's identity document says.
   *
   * @default absent: the log is read with `execute`
   */
  readonly readLog?:
    | ((range: MemberLogRange, options: MemberCallOptions) => Promise<MemberResult<MemberLogPage>>)
    | undefined;
  /**
   * Whether `watch` tells of the transcripts that it is given, so that another choice of them needs another connection. It may come
   * and go as `readLog`.
   *
   * @default false: that a transcript has grown is to be read off the events
   */
  readonly tellsTranscripts?: boolean;
}

export interface MemberWatchOptions {
  /** Undefined: from the log's end. */
  readonly after: number | undefined;
  readonly signal: AbortSignal;
  /** Refs whose transcripts are watched, at most 64; adapters whose members tell of none pass them over. @default none */
  readonly transcripts?: readonly string[];
}

export interface MemberLogRange {
  readonly after: number;
  /** Most events, 0 to 1,000. */
  readonly first: number;
}

/** A piece of a member's log, and how far the log reaches. */
export interface MemberLogPage {
  /** Oldest first. */
  readonly events: readonly MemberEvent[];
  /** Offset of the newest event; 0 when there is none. */
  readonly newest: number;
  /** Position before the oldest event that is kept; 0 when there is none. */
  readonly start: number;
  /** Everything up to here is in `events`, or is none that a stream tells. @default the offset of the last of `events` */
  readonly end?: number;
}

export interface MemberRequest {
  /** Stable text of `document`, so that adapters need not print it. */
  readonly text: string;
  readonly document: DocumentNode;
  readonly operationName?: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface MemberCallOptions {
  /** Carries the deadline. */
  readonly signal: AbortSignal;
}

/** A GraphQL answer, not checked against the schema. `data` is keyed by response name. */
export interface MemberAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly MemberErrorEntry[];
}

export interface MemberErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** An event of the member's log, as the member tells it. */
export interface MemberEvent {
  readonly offset: number;
  readonly type: string;
  readonly at: string;
  readonly level: string;
  readonly ref: string | null;
  readonly source: string;
  readonly pid: number;
  readonly data: unknown;
}

export interface MemberEventPage {
  readonly events: readonly MemberEvent[];
  /** Everything up to here has been seen. */
  readonly seen: number;
  /** The member could not go on from the position it was given. */
  readonly desync?: string;
  /** Transcripts that grew, of those that are watched; they have no position. @default none */
  readonly transcripts?: readonly TranscriptTick[];
}

export interface TranscriptTick {
  readonly ref: string;
  /** Lines of the whole transcript. */
  readonly totalLines: number;
}

/** HTTP-level answer of the identity probe, before judgement (spec/manager.md § 5.2 judges it). */
export type IdentityAnswer =
  | { readonly kind: 'document'; readonly body: unknown; readonly version: string }
  | { readonly kind: 'status'; readonly status: number; readonly isJson: boolean; readonly detail: string }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** Somebody is there, but nobody who can be worked with. */
  | { readonly kind: 'refused'; readonly reason: string };

export type MemberResult<Answer> =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly failure: MemberFailure };

export interface MemberFailure {
  /**
   * `transport`: no answer (refused, reset, DNS, TLS). `timeout`: the deadline passed. `malformed`: over the size bound,
   * not JSON, wrong shape. `status`: an HTTP status that is no answer. `aborted`: the caller gave up. `notSupported`: the member's kind can't do it.
   */
  readonly kind: 'transport' | 'timeout' | 'malformed' | 'status' | 'aborted' | 'notSupported';
  /** One line without a URL, a body's text or a secret. */
  readonly reason: string;
  readonly status?: number;
}
