/** From what an answer says to what a task takes in (spec/worker.md § 6.2, "Reading"). Pure. */
import type { Json, JsonObject, ToolCall } from '../../task/index.ts';
import type { ModelRequest, ModelResponse } from '../ModelProvider.ts';
import type { ToolNames } from './buildToolNames.ts';
import { type Reading, unreadable, type WireCall } from './WireApi.ts';

/** @throws {ModelError} `provider.failed` when the arguments of a call are no JSON. */
export function toModelResponse(reading: Reading, request: ModelRequest, names: ToolNames): ModelResponse {
  // A refused answer may be cut anywhere: its calls are not to be trusted.
  const toolCalls = reading.isRefused ? [] : toToolCalls(reading.calls, request, names);
  return {
    text: reading.text,
    toolCalls,
    usage: reading.usage,
    model: reading.model ?? request.model,
    finish: finishOf(reading),
  };
}

function finishOf({ isRefused, isCut, calls }: Reading): ModelResponse['finish'] {
  if (isRefused) return 'refusal';
  if (calls.length > 0) return 'toolCalls';
  return isCut ? 'length' : 'stop';
}

/** An id that is missing, or that the task has seen before, is replaced by the first free `call_<n>`: results find their calls by it. */
function toToolCalls(calls: readonly WireCall[], request: ModelRequest, names: ToolNames): ToolCall[] {
  const taken = new Set(request.input.map((entry) => (entry.kind === 'toolCall' ? entry.callId : '')));
  return calls.map((call, index) => {
    let callId = call.id ?? '';
    for (let n = index + 1; taken.has(callId) || callId === ''; n++) callId = `call_${n}`;
    taken.add(callId);
    return { callId, tool: names.fromWire(call.wireName), arguments: readArguments(call.arguments) };
  });
}

/** Nothing at all is the empty object: that is how some servers call a tool that takes nothing. */
function readArguments(value: unknown): JsonObject {
  if (value === undefined || value === null || value === '') return {};
  const json = typeof value === 'string' ? parseJson(value) : (value as Json);
  return isObject(json) ? json : { value: json };
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw unreadable('the arguments of a tool call are no JSON', error);
  }
}

function isObject(json: Json): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
