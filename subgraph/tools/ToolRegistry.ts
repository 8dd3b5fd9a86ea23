/** The tools of an instance, by name: the one way to call them (spec/worker.md § 3.7). */
import { conflict } from '../../schema/errors.ts';
import { INTRINSIC_TOOLS, type ToolCall } from '../task/index.ts';
import { type ArgumentsCheck, compileArgumentsCheck } from './compileArgumentsCheck.ts';
import { cutText } from './cutText.ts';
import type { ToolDefinition, ToolOutput } from './ToolDefinition.ts';

/** Longest text of a result, in bytes of UTF-8; what is longer is cut and says so. */
const MAX_RESULT_BYTES = 256 * 1024;

export interface ToolRegistry {
  /** Sorted by name. */
  readonly definitions: readonly ToolDefinition[];
  /** Whether a call whose outcome is unknown may be made again; never for an unknown tool. */
  isIdempotent(name: string): boolean;
  /**
   * Makes one call. An unknown tool (`tool.not_found`) and arguments that do not fit the input schema
   * (`tool.invalid_arguments`) are error results, and nothing runs. What the tool throws passes through.
   */
  call(call: ToolCall, options: ToolCallOptions): Promise<ToolOutput>;
}

export interface ToolCallOptions {
  readonly ref: string;
  readonly effectKey: string;
  readonly signal: AbortSignal;
}

interface Entry {
  readonly definition: ToolDefinition;
  readonly check: ArgumentsCheck;
}

/**
 * @throws {FlotillaError} CONFLICT with reason `entity.conflict` when a name is taken, by another definition or by an
 *   intrinsic tool; BAD_USER_INPUT when an input schema is none.
 */
export function createToolRegistry(definitions: readonly ToolDefinition[]): ToolRegistry {
  const taken = new Set(INTRINSIC_TOOLS.map(({ name }) => name));
  const entries = new Map<string, Entry>();
  for (const definition of definitions) {
    const { name } = definition;
    if (taken.has(name)) {
      throw conflict(`Cannot register tool: the name "${name}" is taken`, { reason: 'entity.conflict' });
    }
    taken.add(name);
    entries.set(name, { definition, check: compileArgumentsCheck(definition) });
  }
  const names = [...entries.keys()].sort();
  return {
    definitions: names.map((name) => entries.get(name)!.definition),
    isIdempotent: (name) => entries.get(name)?.definition.isIdempotent ?? false,
    async call(call, options) {
      const entry = entries.get(call.tool);
      if (!entry) return errorResult('tool.not_found', `no tool has the name "${call.tool}"`);
      const problem = entry.check(call.arguments);
      if (problem !== undefined) return errorResult('tool.invalid_arguments', problem);
      const { text, isError } = await entry.definition.run({ arguments: call.arguments, ...options });
      return { text: cutText(text, MAX_RESULT_BYTES), isError };
    },
  };
}

function errorResult(code: string, problem: string): ToolOutput {
  return { text: `${code}: ${problem}`, isError: true };
}
