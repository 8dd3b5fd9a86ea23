/** A2A over JSON-RPC 2.0 (A2A § 9). Pure. */

import { CallFailed } from '../CallFailed.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { A2ABinding } from './A2ABinding.ts';
import { A2AError, reasonOfCode } from './A2AError.ts';
import type { AgentInterface } from './judgeAgentCard.ts';

/** An answer belongs to its request by HTTP: one id is enough. */
const REQUEST_ID = 1;

export function createJsonRpcBinding({ path, tenant }: Pick<AgentInterface, 'path' | 'tenant'>): A2ABinding {
  return {
    toRequest({ name, params }) {
      const tenantParams = { ...(tenant !== undefined && { tenant }), ...params };
      const body = JSON.stringify({ jsonrpc: '2.0', id: REQUEST_ID, method: name, params: tenantParams });
      return { method: 'POST', path, body };
    },
    readResult({ status, isJson, body }) {
      const response = isJson ? asRecord(body) : undefined;
      // Errors of the protocol may come with any status; what has none of them tells of access or capacity.
      if (response?.error !== undefined || (status >= 200 && status <= 299)) return readResponse(response);
      throw new CallFailed({ kind: 'status', status, reason: `HTTP ${status}` });
    },
    readStreamed: (data) => readResponse(asRecord(data)),
  };
}

function readResponse(response: Readonly<Record<string, unknown>> | undefined): unknown {
  if (response?.jsonrpc !== '2.0' || (response.result === undefined) === (response.error === undefined)) {
    throw new CallFailed({ kind: 'malformed', reason: 'the answer is no JSON-RPC response' });
  }
  // An error about a request that could not be read has none.
  if (response.id !== REQUEST_ID && (response.error === undefined || response.id != null)) {
    throw new CallFailed({ kind: 'malformed', reason: 'the answer is that of another request' });
  }
  if (response.error === undefined) return response.result;
  const { code, message } = asRecord(response.error) ?? {};
  throw new A2AError(reasonOfCode(code), typeof message === 'string' ? message : '');
}
