/** The operations of A2A as they go over the wire (A2A § 5.3): port. */
import type { HttpAnswer, HttpRequest } from '../HttpConnection.ts';

/** A JSON object of the protocol. */
export type Row = Readonly<Record<string, unknown>>;

/** What is asked, in the words of the protocol's data model. */
export type A2AOperation =
  | {
      readonly name: 'ListTasks';
      readonly params: { readonly pageSize: number; readonly pageToken?: string };
    }
  | { readonly name: 'GetTask'; readonly params: { readonly id: string; readonly historyLength?: number } }
  | { readonly name: 'SendMessage'; readonly params: Row }
  | { readonly name: 'CancelTask'; readonly params: { readonly id: string; readonly metadata?: Row } }
  | { readonly name: 'SubscribeToTask'; readonly params: { readonly id: string } };

export interface A2ABinding {
  /** The path is one on the agent's host, not one behind the registered URL. */
  toRequest(operation: A2AOperation): Pick<HttpRequest, 'method' | 'path' | 'body'>;
  /**
   * The operation's result.
   *
   * @throws {CallFailed} for an answer that is none of the protocol's.
   * @throws {A2AError} for an error that the agent told.
   */
  readResult(answer: Omit<HttpAnswer, 'byteLength'>): unknown;
  /** What one event of a stream carries. @throws as `readResult`. */
  readStreamed(data: unknown): unknown;
}
