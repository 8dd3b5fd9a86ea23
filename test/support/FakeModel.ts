/** A model that answers from a list and keeps every request it was asked. */
import type { ScriptedReply } from '../../schema/config/ConfigSchema.ts';
import {
  ModelError,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
} from '../../subgraph/models/ModelProvider.ts';
import type { Effort, JsonObject } from '../../subgraph/task/index.ts';

/** What the model says, or what it throws instead. */
export type FakeReply = ScriptedReply | ModelError;

export interface FakeModelOptions {
  readonly defaultModel?: string;
  readonly defaultEffort?: Effort;
  readonly allowedModels?: readonly string[];
  /** Of every answer. @default nothing */
  readonly usage?: ModelResponse['usage'];
}

const NOTHING: ModelResponse['usage'] = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

/** Each request takes the next reply; without one left a request fails with `provider.failed`. */
export class FakeModel implements ModelProvider {
  readonly name = 'fake';
  readonly defaultModel: string;
  readonly defaultEffort: Effort | undefined;
  readonly allowedModels: readonly string[];
  /** Every request so far, oldest first; the failed and the held ones too. */
  readonly requests: ModelRequest[] = [];
  readonly #replies: FakeReply[];
  readonly #usage: ModelResponse['usage'];
  #gate: PromiseWithResolvers<void> | undefined;
  #watchers: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(
    replies: readonly FakeReply[],
    { defaultModel = 'd', defaultEffort, allowedModels = [], usage = NOTHING }: FakeModelOptions = {},
  ) {
    this.#replies = [...replies];
    this.defaultModel = defaultModel;
    this.defaultEffort = defaultEffort;
    this.allowedModels = allowedModels;
    this.#usage = usage;
  }

  /** Further requests wait for `release`. */
  hold(): void {
    this.#gate ??= Promise.withResolvers<void>();
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = undefined;
  }

  /** Resolves when `count` requests have come. */
  requested(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ count, resolve }));
  }

  async respond(request: ModelRequest, { signal }: { readonly signal: AbortSignal }): Promise<ModelResponse> {
    signal.throwIfAborted();
    this.requests.push(request);
    const turn = this.requests.length;
    this.#watchers = this.#watchers.filter(({ count, resolve }) => {
      if (turn < count) return true;
      resolve();
      return false;
    });
    if (this.#gate) await Promise.race([this.#gate.promise, rejectOnAbort(signal)]);

    const reply = this.#replies.shift() ?? new ModelError('provider.failed', 'No reply is left');
    if (reply instanceof ModelError) throw reply;
    const toolCalls = ('toolCalls' in reply ? reply.toolCalls : []).map((call, index) => ({
      callId: `call_${turn}_${index + 1}`,
      tool: call.tool,
      arguments: call.arguments as JsonObject,
    }));
    return {
      text: reply.text ?? '',
      toolCalls,
      usage: this.#usage,
      model: request.model,
      finish: toolCalls.length > 0 ? 'toolCalls' : 'stop',
    };
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
