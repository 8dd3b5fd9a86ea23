/** An MCP server that answers for hooks or commands (spec/worker.md §§ 4.4, 8.7). */
import { MAX_ANSWER_BYTES, type RemoteCall, RemoteCallError } from '../../remote/RemoteCall.ts';
import { ToolError } from '../ToolDefinition.ts';
import type { McpConnection } from './McpConnection.ts';

/** Calls the tool that is named as the method; its structured content is the answer, an empty one means none. */
export function createMcpCall(connection: McpConnection): RemoteCall {
  return async (method, params, { signal }) => {
    const answer = await connection.callTool(method, { ...params }, { signal }).catch((error: unknown) => {
      if (error instanceof ToolError) throw new RemoteCallError(error.message, { cause: error });
      throw error;
    });
    if (answer.kind === 'error') {
      throw new RemoteCallError(`the executor answered with an error: ${answer.message}`);
    }
    const { structuredContent, isError } = answer.result;
    if (isError) throw new RemoteCallError('the executor answered with an error');
    if (typeof structuredContent !== 'object' || structuredContent === null) {
      throw new RemoteCallError('the answer of the executor has no structured content');
    }
    if (Buffer.byteLength(JSON.stringify(structuredContent)) > MAX_ANSWER_BYTES) {
      throw new RemoteCallError(`the answer of the executor is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    return Object.keys(structuredContent).length === 0 ? null : structuredContent;
  };
}
