/** Requests of JSON-RPC 2.0 as A2A has them (A2A § 9): one at a time, each with an id. Pure. */
import { A2AError } from './A2AError.ts';
import type { Row } from './wire.ts';

export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  readonly params: unknown;
}

/** @throws {A2AError} INVALID_REQUEST for what is no such request; a list of them and one without an id are none here. */
export function readRpcRequest(body: unknown): RpcRequest {
  const { jsonrpc, method, params } = rowOf(body);
  const id = readRpcId(body);
  if (jsonrpc === '2.0' && id !== null && typeof method === 'string') return { id, method, params };
  throw new A2AError('INVALID_REQUEST', 'Cannot take request: it is no JSON-RPC 2.0 request with an id');
}

/** The id of what may be no request otherwise; null where it has none that can be told back as it was. */
export function readRpcId(body: unknown): RpcRequest['id'] | null {
  const { id } = rowOf(body);
  if (typeof id === 'string') return id;
  return typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null;
}

function rowOf(body: unknown): Row {
  return typeof body === 'object' && body !== null ? (body as Row) : {};
}
