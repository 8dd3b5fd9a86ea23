/**
 * The MCP server of an instance (spec/manager.md § 18), without its transport's socket. Both revisions of the protocol are spoken, the
 * one with a handshake and the one where every request says what it needs. Either way a request is served by a server of its own that
 * ends with it: there are no sessions, so that any instance behind a balancer can answer any request.
 */
import {
  createMcpHandler,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
import { createFleetContext } from '../../gateway/index.ts';
import { invariant } from '../../lib/invariant.ts';
import { INSTANCE_NAME } from '../../schema/config/ConfigSchema.ts';
import type { Graph } from '../graphql/Graph.ts';
import type { RestFacts, RestHandler } from '../rest/bind.ts';
import type { McpTool } from './buildTools.ts';
import { callTool } from './callTool.ts';
import { type ArgumentsReader, compileArguments } from './compileArguments.ts';

/** How long clients may keep the list of tools, in milliseconds: it changes with the version of the instance only. */
const LIST_TTL_MS = 300_000;

const INSTRUCTIONS = `Tools of a Flotilla instance: work items, their sessions, the events of all of them, and the checkouts of its machine.
On a manager lists are those of the whole fleet, and every row says in "instance" where it is from. Work items, sessions and standing \
sessions are found wherever in the fleet they are; an error with "candidates" means that several instances have one: call again with \
"instance" set to one of them. Other calls go to the instance that is asked, unless "instance" names another.`;

export interface McpOptions {
  readonly version: string;
  readonly tools: readonly McpTool[];
  readonly bindings: Readonly<Record<string, RestHandler>>;
  readonly graph: Graph;
  readonly facts: RestFacts;
  /** Writes the `mcp.call` event of one call that was served. */
  readonly audit: (call: ServedCall) => void;
  /** Is told of requests that the protocol refuses, and of defects of its implementation. */
  readonly onRefused: (error: Error) => void;
}

export interface ServedCall {
  readonly tool: string;
  /** False where the result is an error. */
  readonly ok: boolean;
  /** The members that the call was sent to, else the instance that it named. */
  readonly instance?: string;
}

interface ReadyTool extends McpTool {
  readonly readArguments: ArgumentsReader;
  readonly handler: RestHandler;
}

export function createMcp(options: McpOptions): McpHttpHandler {
  const ready = new Map(options.tools.map((tool) => [tool.name, makeReady(tool, options.bindings)]));
  return createMcpHandler(() => createServer(ready, options), { onerror: options.onRefused });
}

function makeReady(tool: McpTool, bindings: McpOptions['bindings']): ReadyTool {
  const handler = bindings[tool.operationId];
  invariant(handler, `${tool.operationId} has no binding`);
  return { ...tool, readArguments: compileArguments(tool), handler };
}

function createServer(
  ready: ReadonlyMap<string, ReadyTool>,
  { version, tools, graph, facts, audit }: McpOptions,
): Server {
  const server = new Server(
    { name: 'flotilla', title: 'Flotilla', version },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listing }) => listing) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }, { mcpReq }) => {
    const tool = ready.get(name);
    if (!tool)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Cannot call tool: there is no "${name}"`);
    const context = createFleetContext(mcpReq.signal, { isAudited: true });
    const result = await callTool({ ...tool, args, graph, facts, context });
    const instance = [...context.contacted].sort().join(',') || instanceIn(args);
    audit({ tool: name, ok: result.isError !== true, ...(instance !== undefined && { instance }) });
    // The older revision has no lists there: it gets them in an object.
    return server.projectCallToolResult(result, undefined);
  });
  return server;
}

/** The log keeps names, and not whatever a client puts in the place of one. */
function instanceIn({ instance }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof instance === 'string' && INSTANCE_NAME.test(instance) ? instance : undefined;
}
