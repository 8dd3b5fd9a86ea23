/** The objects of A2A 1.0 that an instance writes, in their JSON form (A2A § 4). Absent fields say nothing. */
import type { A2AState } from '../../subgraph/index.ts';

/** A JSON object. */
export type Row = Readonly<Record<string, unknown>>;

export type WireState = `TASK_STATE_${A2AState}`;

export interface WirePart {
  readonly text?: string;
  readonly data?: Row;
  readonly mediaType?: string;
}

export interface WireMessage {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly role: 'ROLE_USER' | 'ROLE_AGENT';
  readonly parts: readonly WirePart[];
  readonly metadata?: Row;
}

export interface WireStatus {
  readonly state: WireState;
  readonly message?: WireMessage;
  /** ISO 8601, UTC, in milliseconds. */
  readonly timestamp: string;
}

export interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: WireStatus;
  /** Oldest first; only where it was asked for, or an answer has something to say. */
  readonly history?: readonly WireMessage[];
  /** The data of the extensions, by the names of `extensions.ts`. */
  readonly metadata: Row;
}

export interface WireStatusUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly metadata?: Row;
}

/** One event of a stream, and what a push notification carries (A2A § 3.2.3). */
export type StreamResponse = { readonly task: WireTask } | { readonly statusUpdate: WireStatusUpdate };
