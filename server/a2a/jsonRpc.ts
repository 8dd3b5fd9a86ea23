/** Requests of JSON-RPC 2.0 as A2A has them (A2A § 9): one at a time, each with an id. Pure. */
import { A2AError } from './A2AError.ts';

export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** @throws {A2AError} INVALID_REQUEST for what is no such request; a list of them and one without an id are none here. */
export function readRpcRequest(body: unknown): RpcRequest {
  const { jsonrpc, id, method, params } = (typeof body === 'object' && body !== null ? body : {}) as Readonly<
    Record<string, unknown>
  >;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (jsonrpc === '2.0' && hasId && typeof method === 'string') return { id, method, params };
  throw new A2AError('INVALID_REQUEST', 'Cannot take request: it is no JSON-RPC 2.0 request with an id');
}
