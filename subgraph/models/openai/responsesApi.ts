/** The Responses API: request and answer (spec/worker.md § 6.2). */
import type {
  ResponseCreateParamsNonStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import type { HistoryEntry } from '../../task/index.ts';
import { ModelError, type ModelRequest } from '../ModelProvider.ts';
import type { ToolNames } from './buildToolNames.ts';
import { toWireEffort } from './toWireEffort.ts';
import { toWireFormat } from './toWireFormat.ts';
import { parseBody, type Reading, type SendOptions, type WireApi, type WireCall } from './WireApi.ts';

const Tokens = z.int().nonnegative().catch(0);

/** Parts and items of other types (reasoning, annotations …) say nothing that a task needs. */
function other<Known extends string>(...known: readonly Known[]) {
  const isOther = (type: string): boolean => !known.some((each) => each === type);
  return z.object({ type: z.string().refine(isOther) }).transform(() => ({ type: 'other' as const }));
}

const Part = z.union([
  z.object({ type: z.literal('output_text'), text: z.string() }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  other('output_text', 'refusal'),
]);

const Item = z.union([
  z.object({ type: z.literal('message'), content: z.array(Part) }),
  z.object({
    type: z.literal('function_call'),
    call_id: z.string().nullish(),
    name: z.string(),
    arguments: z.unknown().optional(),
  }),
  other('message', 'function_call'),
]);

const Body = z.object({
  model: z.string().nullish(),
  status: z.enum(['completed', 'incomplete', 'failed']).nullish(),
  error: z.object({ code: z.string().nullish() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(Item),
  usage: z
    .object({
      input_tokens: Tokens,
      output_tokens: Tokens,
      input_tokens_details: z.object({ cached_tokens: Tokens }).nullish(),
    })
    .nullish(),
});

export const responsesApi: WireApi = {
  send: (client, request, options) =>
    client.responses.create(toResponsesBody(request, options), { signal: options.signal }).asResponse(),
  read: readResponsesBody,
};

function toResponsesBody(
  request: ModelRequest,
  { names, maxOutputTokens }: Omit<SendOptions, 'signal'>,
): ResponseCreateParamsNonStreaming {
  return {
    model: request.model,
    instructions: request.instructions,
    input: request.input.map((entry) => toInputItem(entry, names)),
    store: false,
    max_output_tokens: maxOutputTokens,
    prompt_cache_key: request.cacheKey,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        name: names.toWire(name),
        description,
        parameters: { ...inputSchema },
        strict: false,
      })),
    }),
    ...(request.responseFormat && {
      text: { format: { type: 'json_schema' as const, ...toWireFormat(request.responseFormat) } },
    }),
    ...(request.effort && { reasoning: { effort: toWireEffort(request.effort) } }),
  };
}

function toInputItem(entry: HistoryEntry, names: ToolNames): ResponseInputItem {
  switch (entry.kind) {
    case 'message':
      return { role: entry.role === 'ASSISTANT' ? 'assistant' : 'user', content: entry.text };
    case 'toolCall':
      return {
        type: 'function_call',
        call_id: entry.callId,
        name: names.toWire(entry.tool),
        arguments: JSON.stringify(entry.arguments),
      };
    case 'toolResult':
      return { type: 'function_call_output', call_id: entry.callId, output: entry.text };
  }
}

function readResponsesBody(json: unknown): Reading {
  const body = parseBody(Body, json);
  if (body.status === 'failed') throw toFailure(body.error?.code ?? 'no code');
  const texts: string[] = [];
  const refusals: string[] = [];
  const calls: WireCall[] = [];
  for (const item of body.output) {
    if (item.type === 'function_call') {
      calls.push({ id: item.call_id ?? undefined, wireName: item.name, arguments: item.arguments });
    }
    for (const part of item.type === 'message' ? item.content : []) {
      if (part.type === 'output_text') texts.push(part.text);
      if (part.type === 'refusal') refusals.push(part.refusal);
    }
  }
  const reason = body.incomplete_details?.reason;
  return {
    text: [...texts, ...refusals].join('\n'),
    calls,
    isRefused: refusals.length > 0 || reason === 'content_filter',
    isCut: reason === 'max_output_tokens',
    usage: {
      inputTokens: body.usage?.input_tokens ?? 0,
      cachedTokens: body.usage?.input_tokens_details?.cached_tokens ?? 0,
      outputTokens: body.usage?.output_tokens ?? 0,
    },
    model: body.model ?? undefined,
  };
}

/** The endpoint took the request, then failed by itself; its own code says whether it may go better next time. */
function toFailure(code: string): ModelError {
  const isTransient = code === 'server_error' || code === 'rate_limit_exceeded';
  return new ModelError(
    isTransient ? 'provider.retryable' : 'provider.failed',
    `Cannot get the model's answer: the response failed with ${JSON.stringify(code.slice(0, 64))}`,
  );
}
