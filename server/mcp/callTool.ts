/** One call of a tool, from its arguments to its result: the document that the REST operation answers (spec/manager.md § 18). */
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphQLFormattedError } from 'graphql';
import type { FleetContext } from '../../gateway/index.ts';
import { isErrorCode } from '../../schema/errors.ts';
import { GraphRefusal } from '../errors/GraphRefusal.ts';
import { toRestError } from '../errors/toRestError.ts';
import { unreachableNames } from '../graphql/fleetExtensions.ts';
import type { Graph } from '../graphql/Graph.ts';
import { askGraph } from '../rest/askGraph.ts';
import type { RestFacts, RestHandler } from '../rest/bind.ts';
import type { ArgumentsReader } from './compileArguments.ts';

/** In `_meta` of a result whose rows are not all there: the registered names of the members that are missing. */
const UNREACHABLE_KEY = 'dev.flotilla/unreachable';

export interface ToolCall {
  readonly readArguments: ArgumentsReader;
  readonly handler: RestHandler;
  readonly args: Readonly<Record<string, unknown>>;
  readonly graph: Graph;
  readonly facts: RestFacts;
  readonly context: FleetContext;
}

/**
 * The document as text and as structured content; what went wrong is a result as well, so that the model that called reads it. Never
 * throws: a defect is logged, and its text is not for the client.
 */
export async function callTool(call: ToolCall): Promise<CallToolResult> {
  const { readArguments, handler, args, graph, facts, context } = call;
  try {
    const document = await handler(readArguments(args), {
      facts,
      ask: (text, variables) => askGraph(graph, { text, variables, context }),
    });
    return toResult(document, unreachableNames(context));
  } catch (error) {
    return toErrorResult(error instanceof GraphRefusal ? error.told : graph.formatError(error));
  }
}

function toResult(document: unknown, missing: readonly string[]): CallToolResult {
  const content = [textOf(JSON.stringify(document))];
  if (missing.length === 0) return { content, structuredContent: document };
  // A model reads the text, and would take the list for the whole fleet's.
  content.push(textOf(`Incomplete: these instances did not answer: ${missing.join(', ')}`));
  return { content, structuredContent: document, _meta: { [UNREACHABLE_KEY]: missing } };
}

/** The body that the REST operation answers, with the code that its status stands for. */
function toErrorResult(error: GraphQLFormattedError): CallToolResult {
  const { code } = error.extensions ?? {};
  const told = { code: isErrorCode(code) ? code : 'INTERNAL_SERVER_ERROR', ...toRestError(error).body };
  return { isError: true, content: [textOf(JSON.stringify(told))], structuredContent: told };
}

function textOf(text: string): { type: 'text'; text: string } {
  return { type: 'text', text };
}
