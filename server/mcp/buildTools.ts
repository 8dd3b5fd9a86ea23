/** Tools as agents see them, derived from the contract: nothing about an argument is said twice (design § 7). */
import type { Tool } from '@modelcontextprotocol/server';
import { invariant } from '../../lib/invariant.ts';
import type { Contract, JsonSchema, RestOperation } from '../rest/Contract.ts';
import type { ToolEntry } from './TOOLS.ts';

export interface McpTool {
  readonly name: string;
  /** What serves it. */
  readonly operationId: string;
  readonly inputSchema: ToolInputSchema;
  /** What a client is told of it. */
  readonly listing: Tool;
}

/** Of an object that has no other fields than these. */
export interface ToolInputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: string[];
  readonly additionalProperties: false;
  readonly [keyword: string]: unknown;
}

/**
 * In the order of the entries. No schema of the results is told: rows of members may carry more than the contract names, and a client
 * would throw away a whole result for it.
 */
export function buildTools({ operations }: Contract, entries: readonly ToolEntry[]): McpTool[] {
  return entries.map((entry) => {
    const operation = operations.find(({ operationId }) => operationId === entry.operationId);
    invariant(operation, `the tool ${entry.name} has no operation ${entry.operationId}`);
    return buildTool(entry, operation);
  });
}

function buildTool({ name, isDestructive = false }: ToolEntry, operation: RestOperation): McpTool {
  const { operationId, method, summary, description } = operation;
  const isRead = method === 'GET';
  const inputSchema = toInputSchema(operation);
  const listing = {
    name,
    description: description === '' ? `${summary}.` : `${summary}. ${description}`,
    // The contract was read from YAML: what it holds is JSON.
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: { readOnlyHint: isRead, ...(!isRead && { destructiveHint: isDestructive }) },
  };
  return { name, operationId, inputSchema, listing };
}

/** Parameters and body fields alike, in the order of the contract; `instance`, where it is one of them, is the last. */
function toInputSchema({ parameters, body }: RestOperation): ToolInputSchema {
  const { instance, ...others } = {
    ...Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description !== '' && { description }) },
      ]),
    ),
    ...(body?.properties as Readonly<Record<string, JsonSchema>> | undefined),
  };
  return {
    type: 'object',
    properties: { ...others, ...(instance && { instance }) },
    required: [
      ...parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name),
      ...((body?.required as readonly string[] | undefined) ?? []),
    ],
    additionalProperties: false,
  };
}
