/** The port to a language model (spec/worker.md § 6.1). */
import type { Effort, HistoryEntry, JsonObject, ToolCall, Usage } from '../task/index.ts';

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
}

/** The text of the answer is to be JSON of this shape; the model may still give something else. */
export interface ResponseFormat {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** JSON Schema in which every property is required. */
  readonly schema: JsonObject;
}

export interface ModelRequest {
  /** Static prefix: the system prompt. */
  readonly instructions: string;
  /** What the model reads, oldest first. */
  readonly input: readonly HistoryEntry[];
  readonly tools: readonly ModelTool[];
  /** @default any text */
  readonly responseFormat?: ResponseFormat;
  readonly model: string;
  readonly effort?: Effort;
  /** Same for all requests of one task, so that the provider can cache the prefix. */
  readonly cacheKey: string;
}

export interface ModelResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  readonly model: string;
  readonly finish: 'stop' | 'toolCalls' | 'length' | 'refusal';
}

/** Thrown by `respond`, classified once by the adapter (spec/worker.md § 6.2). */
export class ModelError extends Error {
  readonly code: 'provider.retryable' | 'provider.failed';
  readonly retryAfterMs: number | undefined;

  constructor(
    code: 'provider.retryable' | 'provider.failed',
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export interface ModelProvider {
  /** `scripted`, `openai` … */
  readonly name: string;
  readonly defaultModel: string;
  readonly defaultEffort: Effort | undefined;
  /** What `/model` may choose; empty means anything. */
  readonly allowedModels: readonly string[];
  /** Where its requests go, and in which API. @default they stay in this process */
  readonly endpoint?: { readonly baseUrl: string; readonly api: string };
  /** One request. @throws {ModelError}; `signal.reason` when aborted. */
  respond(request: ModelRequest, options: { readonly signal: AbortSignal }): Promise<ModelResponse>;
}
