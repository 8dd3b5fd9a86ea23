/**
 * What spans say of agents, models, tools and attempts (spec/worker.md § 9.2): the names of OpenTelemetry's conventions for
 * generative AI, in one place, because they are not stable yet. Facts and counts; never what anybody has said.
 */
import type { SpanAttributes } from '../../lib/Tracer.ts';
import type { ModelProvider, ModelRequest, ModelResponse } from '../models/ModelProvider.ts';
import type { TaskState, ToolCall } from '../task/index.ts';
import type { EffectContext, PerformableEffect } from './EffectPerformer.ts';

/** As the conventions spell how an answer ended. */
const FINISH_REASONS: Readonly<Record<ModelResponse['finish'], string>> = {
  stop: 'stop',
  toolCalls: 'tool_calls',
  length: 'length',
  refusal: 'content_filter',
};

/** One message to the agent. */
export function agentAttributes(agentId: string): SpanAttributes {
  return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agentId };
}

/** Whose work it is. */
export function taskAttributes({
  id,
  ref,
  contextId,
}: Pick<TaskState, 'id' | 'ref' | 'contextId'>): SpanAttributes {
  return { 'gen_ai.conversation.id': contextId, 'flotilla.task.id': id, 'flotilla.task.ref': ref };
}

/** One attempt at an effect. */
export function attemptAttributes(
  { kind, key }: PerformableEffect,
  { state, attempt }: Pick<EffectContext, 'state' | 'attempt'>,
): SpanAttributes {
  return {
    ...taskAttributes(state),
    'flotilla.operation': kind,
    'flotilla.effect.key': key,
    'flotilla.attempt': attempt,
  };
}

/** One request to a model. */
export function chatAttributes({ model, tools }: ModelRequest, provider: ModelProvider): SpanAttributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider.name,
    'gen_ai.request.model': model,
    'gen_ai.request.tools': tools.length,
    ...endpointAttributes(provider.endpoint),
  };
}

/** Its answer. */
export function answerAttributes({ model, usage, finish, toolCalls }: ModelResponse): SpanAttributes {
  return {
    'gen_ai.response.model': model,
    'gen_ai.response.finish_reasons': [FINISH_REASONS[finish]],
    'gen_ai.response.tool_calls': toolCalls.length,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
  };
}

/** One call of a tool. */
export function toolAttributes({ tool, callId }: ToolCall): SpanAttributes {
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': callId,
  };
}

function endpointAttributes(endpoint: ModelProvider['endpoint']): SpanAttributes {
  if (!endpoint) return {};
  const { hostname, port, protocol } = new URL(endpoint.baseUrl);
  return {
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'flotilla.wire_api': endpoint.api,
  };
}
