/** A tool that counts its calls, and fails or holds the first ones. */
import type { ToolDefinition } from '../../server/index.ts';

export interface CountingTool {
  readonly tool: ToolDefinition;
  calls(): number;
  /** Of each call, oldest first. */
  arguments(): readonly unknown[];
  /** Resolves when somebody has called it. */
  readonly called: Promise<void>;
}

export interface CountingToolOptions {
  readonly name: string;
  readonly isIdempotent: boolean;
  /** How many calls fail before one succeeds. @default 0 */
  readonly failures?: number;
  /** Every call waits for it. @default nothing */
  readonly gate?: Promise<unknown>;
}

export function countingTool(options: CountingToolOptions): CountingTool {
  const { name, isIdempotent, failures = 0, gate } = options;
  const seen: unknown[] = [];
  const called = Promise.withResolvers<void>();
  const tool: ToolDefinition = {
    name,
    description: 'Counts.',
    inputSchema: { type: 'object' },
    isIdempotent,
    async run(call) {
      seen.push(call.arguments);
      const number = seen.length;
      called.resolve();
      await gate;
      if (number <= failures) throw new Error('not now');
      return { text: `called ${number} times`, isError: false };
    },
  };
  return { tool, calls: () => seen.length, arguments: () => seen, called: called.promise };
}
