/** `/mcp`: streamable HTTP. Host, origin, token and size were checked by the application, as for every other face. */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_CODES } from '../../schema/errors.ts';
import type { ErrorFormatter } from '../errors/toGraphQLError.ts';
import { closeMethods } from '../http/closeMethods.ts';
import { requestErrorOf } from '../http/requestErrorOf.ts';
import { requestSignal } from '../http/requestSignal.ts';

const MCP_PATH = '/mcp';

/** JSON-RPC 2.0: what was sent is not JSON. */
const PARSE_ERROR = -32700;

export interface McpRoutesOptions {
  readonly mcp: McpHttpHandler;
  /** Logs what a client is not told. */
  readonly onDefect: ErrorFormatter;
}

export async function mcpRoutes(app: FastifyInstance, { mcp, onDefect }: McpRoutesOptions): Promise<void> {
  app.setErrorHandler((error, _request, reply) => sendRefusal(error, reply, onDefect));
  app.post(MCP_PATH, async (request, reply) => {
    const asked = toRequest(request, requestSignal(reply.raw));
    const response = await mcp.fetch(asked, { parsedBody: request.body });
    return reply.send(response);
  });
  closeMethods(app, MCP_PATH, ['POST']);
  // What has not ended when the instance has waited long enough ends here, and keeps no connection.
  app.addHook('preClose', () => mcp.close());
}

/** The body was read and parsed, so the request carries none. Its address is not told: nothing here depends on it. */
function toRequest({ headers }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers: given, signal });
}

/** What ends a request before the protocol has it, in the form that its clients read. */
function sendRefusal(error: unknown, reply: FastifyReply, onDefect: ErrorFormatter): FastifyReply {
  const { status, code, message } = requestErrorOf(error);
  if (status >= 500) onDefect(error);
  return reply.code(status).send({
    jsonrpc: '2.0',
    error: { code: isUnreadable(error) ? PARSE_ERROR : ERROR_CODES[code].jsonRpcCode, message },
    id: null,
  });
}

function isUnreadable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY';
}
