/** Models behind an OpenAI-compatible endpoint (spec/worker.md § 6.2). */
import OpenAI from 'openai';
import { type Clock, systemClock } from '../../../lib/Clock.ts';
import type { Effort } from '../../task/index.ts';
import type { ModelProvider, ModelRequest } from '../ModelProvider.ts';
import { buildToolNames } from './buildToolNames.ts';
import { chatCompletionsApi } from './chatCompletionsApi.ts';
import { guardedFetch } from './guardedFetch.ts';
import { responsesApi } from './responsesApi.ts';
import { toModelError } from './toModelError.ts';
import { toModelResponse } from './toModelResponse.ts';
import { unreadable, type WireApi } from './WireApi.ts';

const APIS = { responses: responsesApi, chat_completions: chatCompletionsApi } as const satisfies Record<
  string,
  WireApi
>;

export interface OpenAIModelOptions {
  /** Always explicit: `OPENAI_BASE_URL` is ignored, as is every other variable that the SDK knows. */
  readonly baseUrl: string;
  readonly api: keyof typeof APIS;
  /** The default model, passed verbatim. */
  readonly model: string;
  /** The default effort; absent: the field is not sent. */
  readonly effort?: Effort | undefined;
  /** What `/model` may choose; empty means anything. */
  readonly models: readonly string[];
  /** Absent: no `Authorization` header. */
  readonly apiKey: string | undefined;
  /** One request, its body included, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxOutputTokens: number;
  /** Reads `Retry-After` dates. @default the system's */
  readonly clock?: Clock;
  /** @default the global one */
  readonly fetch?: typeof fetch;
}

/**
 * One attempt per request: retries are the task's own policy. No organisation or project header is ever sent,
 * redirects are refused, and an answer is read up to 8 MiB.
 */
export function createOpenAIModel(options: OpenAIModelOptions): ModelProvider {
  const { apiKey, maxOutputTokens, clock = systemClock, fetch: send = fetch } = options;
  const api: WireApi = APIS[options.api];
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The SDK insists on a key; the header below decides what goes out.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { Authorization: apiKey ? `Bearer ${apiKey}` : null },
    maxRetries: 0,
    timeout: options.timeoutMs,
    logLevel: 'off',
    fetch: guardedFetch(send),
  });
  return {
    name: 'openai',
    defaultModel: options.model,
    defaultEffort: options.effort,
    allowedModels: options.models,
    endpoint: { baseUrl: options.baseUrl, api: options.api },
    async respond(request, { signal }) {
      signal.throwIfAborted();
      const names = buildToolNames(toolNamesOf(request));
      const response = await api.send(client, request, { names, maxOutputTokens, signal }).catch((error) => {
        signal.throwIfAborted();
        throw toModelError(error, { apiKey, nowMs: clock.nowMs() });
      });
      return toModelResponse(api.read(await readJson(response)), request, names);
    },
  };
}

/** Tools that can be called, and those that the history has called and that may be gone. */
function toolNamesOf({ tools, input }: ModelRequest): string[] {
  return [
    ...tools.map((tool) => tool.name),
    ...input.flatMap((entry) => (entry.kind === 'toolCall' ? [entry.tool] : [])),
  ];
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch (error) {
    throw unreadable(`status ${response.status} with a body that is no JSON`, error);
  }
}
