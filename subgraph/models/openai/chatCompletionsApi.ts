/** The Chat Completions API: request and answer (spec/worker.md § 6.2). */
import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { HistoryEntry, ToolCall } from '../../task/index.ts';
import type { ModelRequest } from '../ModelProvider.ts';
import type { ToolNames } from './buildToolNames.ts';
import { toWireEffort } from './toWireEffort.ts';
import { toWireFormat } from './toWireFormat.ts';
import { parseBody, type Reading, type SendOptions, type WireApi } from './WireApi.ts';

const Tokens = z.int().nonnegative().catch(0);

const Body = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().nullish(),
                function: z.object({ name: z.string(), arguments: z.unknown().optional() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: Tokens,
      completion_tokens: Tokens,
      prompt_tokens_details: z.object({ cached_tokens: Tokens }).nullish(),
    })
    .nullish(),
});

export const chatCompletionsApi: WireApi = {
  send: (client, request, options) =>
    client.chat.completions.create(toChatBody(request, options), { signal: options.signal }).asResponse(),
  read: readChatBody,
};

function toChatBody(
  request: ModelRequest,
  { names, maxOutputTokens }: Omit<SendOptions, 'signal'>,
): ChatCompletionCreateParamsNonStreaming {
  return {
    model: request.model,
    messages: [{ role: 'system', content: request.instructions }, ...toMessages(request.input, names)],
    max_tokens: maxOutputTokens,
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        function: { name: names.toWire(name), description, parameters: { ...inputSchema } },
      })),
    }),
    ...(request.responseFormat && {
      response_format: { type: 'json_schema' as const, json_schema: toWireFormat(request.responseFormat) },
    }),
    ...(request.effort && { reasoning_effort: toWireEffort(request.effort) }),
  };
}

/**
 * The API wants all calls of a turn in one assistant message, and their results after it. In the history each call is
 * followed by its result, so a turn's message stays open for further calls until the next turn begins.
 */
function toMessages(input: readonly HistoryEntry[], names: ToolNames): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  let turn: ChatCompletionAssistantMessageParam | undefined;
  for (const [index, entry] of input.entries()) {
    switch (entry.kind) {
      case 'message':
        turn = entry.role === 'ASSISTANT' ? { role: 'assistant', content: entry.text } : undefined;
        messages.push(turn ?? { role: 'user', content: entry.text });
        break;
      case 'toolCall':
        if (!turn || beginsTurn(entry, input[index - 1])) {
          turn = { role: 'assistant', content: null };
          messages.push(turn);
        }
        turn.tool_calls = [...(turn.tool_calls ?? []), toWireCall(entry, names)];
        break;
      case 'toolResult':
        messages.push({ role: 'tool', tool_call_id: entry.callId, content: entry.text });
        break;
    }
  }
  return messages;
}

/** The next call of the same turn enters the history in one step with the result before it, so their times are equal. */
function beginsTurn(call: HistoryEntry, before: HistoryEntry | undefined): boolean {
  return before?.kind === 'toolResult' && before.atMs !== call.atMs;
}

function toWireCall({ callId, tool, arguments: args }: ToolCall, names: ToolNames) {
  return {
    id: callId,
    type: 'function' as const,
    function: { name: names.toWire(tool), arguments: JSON.stringify(args) },
  };
}

function readChatBody(json: unknown): Reading {
  const body = parseBody(Body, json);
  const { message, finish_reason: reason } = body.choices[0]!;
  return {
    text: message.content || message.refusal || '',
    calls: (message.tool_calls ?? []).map((call) => ({
      id: call.id ?? undefined,
      wireName: call.function.name,
      arguments: call.function.arguments,
    })),
    isRefused: Boolean(message.refusal) || reason === 'content_filter',
    isCut: reason === 'length',
    usage: {
      inputTokens: body.usage?.prompt_tokens ?? 0,
      cachedTokens: body.usage?.prompt_tokens_details?.cached_tokens ?? 0,
      outputTokens: body.usage?.completion_tokens ?? 0,
    },
    model: body.model ?? undefined,
  };
}
