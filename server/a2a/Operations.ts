/** What the bindings ask for, and what an operation gets with it. */
import type { Call } from './readCall.ts';
import type { StreamResponse } from './wire.ts';

export interface OperationCall extends Call {
  /** Aborts when nobody waits for the answer any more: the caller has gone, or the instance stops. */
  readonly signal: AbortSignal;
  /** Takes a place among those that wait for a task. @throws {FlotillaError} TOO_MANY_REQUESTS or UNAVAILABLE when there are too many. */
  join(): Disposable;
}

/** An operation with one answer. @throws {A2AError | FlotillaError} for the caller. */
export type UnaryOperation = (params: unknown, call: OperationCall) => Promise<unknown>;

/** An operation that is answered by a stream, which is open once what was asked for is accepted. @throws as `UnaryOperation`. */
export type StreamingOperation = (
  params: unknown,
  call: OperationCall,
) => Promise<AsyncIterable<StreamResponse>>;

/** By the names of the protocol. */
export interface Operations {
  readonly unary: Readonly<Record<string, UnaryOperation>>;
  readonly streaming: Readonly<Record<string, StreamingOperation>>;
}
