/** The port to one tool (spec/worker.md § 3.7). */
import type { Json, JsonObject, WorkflowCommand } from '../task/index.ts';

export interface ToolDefinition {
  /** `<server>.<tool>` or a plain name; unique in the instance. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Schema of the structured part of a result, where the tool declares one. */
  readonly outputSchema?: JsonObject;
  /** A call whose outcome is unknown may be made again. */
  readonly isIdempotent: boolean;
  /**
   * Does it. A throw is a failed attempt; a `ToolError` says its code, anything else is `tool.failed`. Whatever comes
   * back is untrusted: the model reads it as data (spec/worker.md § 3.4).
   */
  run(call: ToolRun): Promise<ToolOutput>;
}

/** One call as its tool sees it. */
export interface ToolRun {
  readonly arguments: JsonObject;
  readonly ref: string;
  readonly taskId?: string;
  /** Unique in the instance and the same for every attempt. */
  readonly effectKey: string;
  /** Turn of the task that makes the call, from 1. @default 0, before the first */
  readonly turn?: number;
  /** Names of the skills that the task has loaded. @default none */
  readonly loadedSkills?: readonly string[];
  readonly signal: AbortSignal;
}

export interface ToolOutput {
  readonly text: string;
  /** Structured content beside the text. The model reads it behind the text, as JSON, unless the text is that JSON. */
  readonly data?: Json;
  /** The tool ran and says that it could not do it. */
  readonly isError: boolean;
  /** What the core applies to the task together with the result (spec/worker.md § 3.8). */
  readonly command?: WorkflowCommand;
}

/** A call has failed, and why is known. Retried by the host's policy when the tool is idempotent. */
export class ToolError extends Error {
  /** `provider.retryable`: the way to the tool is broken. `tool.failed`: anything else. */
  readonly code: 'provider.retryable' | 'tool.failed';

  constructor(code: ToolError['code'], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ToolError';
    this.code = code;
  }
}
