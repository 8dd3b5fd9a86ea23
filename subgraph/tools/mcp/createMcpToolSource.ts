/** The tools of one MCP server (spec/worker.md § 8.3). */
import type { Tool } from '@modelcontextprotocol/client';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../../lib/Logger.ts';
import type { JsonObject } from '../../task/index.ts';
import { type ToolDefinition, ToolError, type ToolOutput, type ToolRun } from '../ToolDefinition.ts';
import type { ToolSource } from '../ToolSource.ts';
import type { McpConnection } from './McpConnection.ts';
import { schemaHash } from './schemaHash.ts';
import { toToolOutput } from './toToolOutput.ts';

/** How many tasks are remembered whose turn has been checked; a forgotten one costs one more list. */
const MAX_CHECKED_TASKS = 10_000;

export interface McpToolSource extends ToolSource {
  /** Takes the server's tools as they are now for the registered ones. @throws {ToolError} when it cannot be reached. */
  register(signal: AbortSignal): Promise<readonly ToolDefinition[]>;
}

interface Registered {
  readonly hash: string;
  readonly definition: ToolDefinition;
}

/**
 * The first list of the server registers its tools, under `<name>.<tool>`; while it cannot be reached it has none, and only the
 * first attempt is waited for, for up to 20 s. Before the first call of a task's turn the server
 * is asked once more: a tool whose schema has changed, or that is gone, refuses every call with `tool.schema_changed`.
 */
export function createMcpToolSource(
  connection: McpConnection,
  { logger }: { readonly logger: Logger },
): McpToolSource {
  let registered: ReadonlyMap<string, Registered> | undefined;
  let changed: ReadonlySet<string> = new Set();
  /** The first registration is waited for; a later one goes on beside the tasks. */
  let registering: Promise<void> | undefined;
  let isFirst = true;
  let told: string | undefined;
  const checkedTurns = new LRUCache<string, number>({ max: MAX_CHECKED_TASKS });

  async function register(signal: AbortSignal): Promise<readonly ToolDefinition[]> {
    const tools = await connection.listTools(signal);
    registered = new Map(
      tools.filter(isForAgents).map((tool) => [tool.name, { hash: hashOf(tool), definition: define(tool) }]),
    );
    changed = new Set();
    checkedTurns.clear();
    return [...registered.values()].map(({ definition }) => definition);
  }

  function define(tool: Tool): ToolDefinition {
    const { name, title, description = title ?? name, inputSchema, outputSchema, annotations } = tool;
    return {
      name: `${connection.name}.${name}`,
      description,
      inputSchema: inputSchema as JsonObject,
      ...(outputSchema && { outputSchema: outputSchema as JsonObject }),
      isIdempotent: annotations?.idempotentHint === true || annotations?.readOnlyHint === true,
      run: (call) => run(name, call),
    };
  }

  async function run(name: string, call: ToolRun): Promise<ToolOutput> {
    const { ref, turn = 0, signal } = call;
    if (checkedTurns.get(ref) !== turn) {
      await compare(signal);
      checkedTurns.set(ref, turn);
    }
    if (changed.has(name)) {
      const text = `tool.schema_changed: the server "${connection.name}" has changed "${name}" since it was registered`;
      return { text, isError: true };
    }
    const answer = await connection.callTool(name, { ...call.arguments }, { signal });
    return answer.kind === 'error' ? { text: answer.message, isError: true } : toToolOutput(answer.result);
  }

  async function compare(signal: AbortSignal): Promise<void> {
    const hashes = new Map((await connection.listTools(signal)).map((tool) => [tool.name, hashOf(tool)]));
    const now = new Set(
      [...(registered ?? [])].filter(([name, { hash }]) => hashes.get(name) !== hash).map(([name]) => name),
    );
    const news = [...now].filter((name) => !changed.has(name));
    changed = now;
    if (news.length > 0) {
      logger.warn(
        { code: 'tool.schema_changed', server: connection.name, tools: news },
        'Tools have changed',
      );
    }
  }

  async function tryToRegister(): Promise<void> {
    try {
      await register(new AbortController().signal);
      told = undefined;
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      tell(error);
    } finally {
      registering = undefined;
    }
  }

  /** Once for each reason: a server that is away is tried again and again. */
  function tell({ message, cause }: ToolError): void {
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    if (reason === told) return;
    told = reason;
    logger.warn({ server: connection.name, reason }, 'The tools of an MCP server are not there');
  }

  return {
    register,
    async tools() {
      if (!registered) {
        registering ??= tryToRegister();
        if (isFirst) await registering;
        isFirst = false;
      }
      return [...(registered?.values() ?? [])].map(({ definition }) => definition);
    },
  };
}

/** Executors of hooks and commands are for the instance alone (spec/worker.md §§ 4.4, 8.7). */
function isForAgents({ name }: Tool): boolean {
  return !name.startsWith('hooks.') && !name.startsWith('commands.');
}

function hashOf({ inputSchema, outputSchema }: Tool): string {
  return schemaHash({ inputSchema, outputSchema });
}
