/** A model without a network: the same request always gets the same answer. */
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { ScriptedReply } from '../../../schema/config/ConfigSchema.ts';
import type { JsonObject } from '../../task/index.ts';
import type { ModelProvider, ModelRequest, ModelResponse } from '../ModelProvider.ts';
import { answer } from './answer.ts';
import { callIdOf, turnsBefore } from './turnsBefore.ts';

export interface ScriptedModelOptions {
  /**
   * The n-th model turn of a task gets the n-th entry, later turns get the last one. Without entries the model
   * plans and answers by fixed rules (`answer`).
   */
  readonly replies?: readonly ScriptedReply[];
  /** How long each answer takes, in milliseconds. @default 0 */
  readonly delayMs?: number;
  readonly clock: Clock;
}

/**
 * Holds no state: which turn it is follows from the history in the request, so a restart changes nothing.
 * Usage is characters / 4, rounded up.
 */
export function createScriptedModel({
  replies = [],
  delayMs = 0,
  clock,
}: ScriptedModelOptions): ModelProvider {
  return {
    name: 'scripted',
    defaultModel: 'scripted',
    defaultEffort: undefined,
    allowedModels: [],
    async respond(request, { signal }) {
      signal.throwIfAborted();
      if (delayMs > 0) await delay(clock, delayMs, signal);
      const turn = turnsBefore(request.input) + 1;
      // The script is one of turns: of a shape it knows nothing, and decides nothing.
      if (request.responseFormat) return toResponse({ text: '' }, request, turn);
      return toResponse(replies[turn - 1] ?? replies.at(-1) ?? answer(request), request, turn);
    },
  };
}

function toResponse(reply: ScriptedReply, request: ModelRequest, turn: number): ModelResponse {
  const text = reply.text ?? '';
  const toolCalls = ('toolCalls' in reply ? reply.toolCalls : []).map((call, index) => ({
    callId: callIdOf(turn, index + 1),
    tool: call.tool,
    // They come from a configuration file or from `answer`, so they are JSON.
    arguments: call.arguments as JsonObject,
  }));
  const { instructions, input, tools } = request;
  return {
    text,
    toolCalls,
    usage: {
      inputTokens: tokensOf(instructions) + tokensOf(input) + tokensOf(tools),
      cachedTokens: 0,
      outputTokens: tokensOf(text) + (toolCalls.length > 0 ? tokensOf(toolCalls) : 0),
    },
    model: request.model,
    finish: toolCalls.length > 0 ? 'toolCalls' : 'stop',
  };
}

function tokensOf(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.ceil(text.length / 4);
}
