/** The binding of an agent's interface (A2A §§ 9 and 11). Pure. */
import type { A2ABinding } from './A2ABinding.ts';
import { createHttpJsonBinding } from './createHttpJsonBinding.ts';
import { createJsonRpcBinding } from './createJsonRpcBinding.ts';
import type { AgentInterface } from './judgeAgentCard.ts';

export function createA2ABinding(agentInterface: AgentInterface): A2ABinding {
  switch (agentInterface.binding) {
    case 'JSONRPC':
      return createJsonRpcBinding(agentInterface);
    case 'HTTP+JSON':
      return createHttpJsonBinding(agentInterface);
  }
}
