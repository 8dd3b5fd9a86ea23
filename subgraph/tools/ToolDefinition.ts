/** The port to one tool (spec/worker.md § 3.7). */
import type { JsonObject } from '../task/index.ts';

export interface ToolDefinition {
  /** `<server>.<tool>` or a plain name; unique in the instance. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** A call whose outcome is unknown may be made again. */
  readonly isIdempotent: boolean;
  /** Does it. A throw is a failed attempt. */
  run(call: {
    readonly arguments: JsonObject;
    readonly ref: string;
    readonly effectKey: string;
    readonly signal: AbortSignal;
  }): Promise<ToolOutput>;
}

export interface ToolOutput {
  readonly text: string;
  readonly isError: boolean;
}
