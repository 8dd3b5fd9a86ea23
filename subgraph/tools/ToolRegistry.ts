/** The tools of an instance, by name: the one way to call them (spec/worker.md § 3.7). */
import type { Logger } from '../../lib/Logger.ts';
import { silentLogger } from '../../lib/Logger.ts';
import { messageOf } from '../../lib/messageOf.ts';
import { conflict } from '../../schema/errors.ts';
import { INTRINSIC_TOOLS, type ToolCall, type WorkflowCommand } from '../task/index.ts';
import { type ArgumentsCheck, compileArgumentsCheck } from './compileArgumentsCheck.ts';
import { cutResult } from './cutResult.ts';
import type { ToolDefinition, ToolOutput, ToolRun } from './ToolDefinition.ts';
import type { ToolScope, ToolSource } from './ToolSource.ts';

/** Longest text of a result, in bytes of UTF-8; what is longer is cut and says so. */
const MAX_RESULT_BYTES = 256 * 1024;

/** A result as the core takes it: structured content is part of the text. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly command?: WorkflowCommand;
}

export interface ToolRegistry {
  /**
   * The tools that a task has now, sorted by name: those of this process, of servers that can be reached, and of the skills
   * that it has loaded. A name that is taken, and an input schema that is none, cost the tool and are logged once.
   */
  list(scope: ToolScope): Promise<readonly ToolDefinition[]>;
  /** Whether a call whose outcome is unknown may be made again, as it was listed last; never for an unknown tool. */
  isIdempotent(name: string): boolean;
  /**
   * Makes one call. An unknown tool (`tool.not_found`) and arguments that do not fit the input schema
   * (`tool.invalid_arguments`) are error results, and nothing runs. What the tool throws passes through.
   */
  call(call: ToolCall, options: ToolCallOptions): Promise<ToolResult>;
}

export type ToolCallOptions = Omit<ToolRun, 'arguments'>;

interface Entry {
  readonly definition: ToolDefinition;
  readonly check: ArgumentsCheck;
}

/**
 * @param definitions tools of this process; they come before those of the sources.
 * @throws {FlotillaError} CONFLICT with reason `entity.conflict` when the name of a definition is taken, by another one or
 *   by an intrinsic tool; BAD_USER_INPUT when its input schema is none.
 */
export function createToolRegistry(
  definitions: readonly ToolDefinition[],
  {
    sources = [],
    logger = silentLogger,
  }: { readonly sources?: readonly ToolSource[]; readonly logger?: Logger } = {},
): ToolRegistry {
  const intrinsic = new Set(INTRINSIC_TOOLS.map(({ name }) => name));
  const own = new Map<string, Entry>();
  for (const definition of definitions) {
    const { name } = definition;
    if (intrinsic.has(name) || own.has(name)) {
      throw conflict(`Cannot register tool: the name "${name}" is taken`, { reason: 'entity.conflict' });
    }
    own.set(name, { definition, check: compileArgumentsCheck(definition) });
  }
  const idempotent = new Map(definitions.map(({ name, isIdempotent }) => [name, isIdempotent]));
  /** Undefined: the definition is unusable, and that was said. */
  const compiled = new WeakMap<ToolDefinition, Entry | undefined>();

  async function entriesOf(scope: ToolScope): Promise<ReadonlyMap<string, Entry>> {
    const found = await Promise.all(sources.map((source) => source.tools(scope)));
    const entries = new Map(own);
    for (const definition of found.flat()) {
      const { name } = definition;
      if (entries.has(name) || intrinsic.has(name)) {
        if (!compiled.has(definition)) reject(definition, 'entity.conflict', 'the name is taken');
        continue;
      }
      const entry = compile(definition);
      if (!entry) continue;
      entries.set(name, entry);
      idempotent.set(name, definition.isIdempotent);
    }
    return entries;
  }

  function compile(definition: ToolDefinition): Entry | undefined {
    if (compiled.has(definition)) return compiled.get(definition);
    try {
      const entry = { definition, check: compileArgumentsCheck(definition) };
      compiled.set(definition, entry);
      return entry;
    } catch (error) {
      return reject(definition, 'tool.invalid_schema', messageOf(error));
    }
  }

  function reject(definition: ToolDefinition, code: string, reason: string): undefined {
    compiled.set(definition, undefined);
    logger.warn({ code, tool: definition.name, reason }, 'A tool is not used');
  }

  return {
    async list(scope) {
      const entries = await entriesOf(scope);
      return [...entries.keys()].sort().map((name) => entries.get(name)!.definition);
    },
    isIdempotent: (name) => idempotent.get(name) ?? false,
    async call(call, options) {
      const entry = own.get(call.tool) ?? (await entriesOf(options)).get(call.tool);
      if (!entry) return errorResult('tool.not_found', `no tool has the name "${call.tool}"`);
      const problem = entry.check(call.arguments);
      if (problem !== undefined) return errorResult('tool.invalid_arguments', problem);
      return toResult(await entry.definition.run({ ...options, arguments: call.arguments }));
    },
  };
}

function toResult({ text, data, isError, command }: ToolOutput): ToolResult {
  const whole =
    data === undefined || isJsonOf(text, data)
      ? text
      : [text, JSON.stringify(data)].filter(Boolean).join('\n');
  return { text: cutResult(whole, MAX_RESULT_BYTES), isError, ...(command && { command }) };
}

/** Servers are asked to repeat structured content as text for older readers. */
function isJsonOf(text: string, data: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data);
  } catch {
    return false;
  }
}

function errorResult(code: string, problem: string): ToolResult {
  return { text: `${code}: ${problem}`, isError: true };
}
