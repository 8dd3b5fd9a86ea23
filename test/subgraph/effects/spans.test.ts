/** What effects leave in a trace (spec/worker.md § 9.2). */
import { SpanStatusCode } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { systemClock } from '../../../lib/Clock.ts';
import { createRedactor } from '../../../lib/redact.ts';
import { createTracer } from '../../../server/telemetry/createTracer.ts';
import { askModel } from '../../../subgraph/effects/ModelAccess.ts';
import { answerAttributes, chatAttributes } from '../../../subgraph/effects/spanAttributes.ts';
import { ModelError, type ModelRequest } from '../../../subgraph/models/ModelProvider.ts';
import { FakeModel, type FakeReply } from '../../support/FakeModel.ts';
import { SpanRecorder } from '../../support/SpanRecorder.ts';

const REQUEST: ModelRequest = { instructions: '', input: [], tools: [], model: 'm1', cacheKey: 't' };

function ask(model: FakeModel, signal = new AbortController().signal) {
  const recorder = new SpanRecorder();
  const tracer = createTracer({ spans: recorder.tracer, redact: createRedactor() });
  const limits = { clock: systemClock, timeoutMs: 60_000, signal };
  return { recorder, answer: askModel(REQUEST, { model, prices: () => [], tracer }, limits) };
}

const modelOf = (...replies: FakeReply[]) => new FakeModel(replies);

test('a request that fails says how, and not in the words of its provider', async () => {
  const { recorder, answer } = ask(modelOf(new ModelError('provider.failed', 'cannot say "my secret plan"')));
  await expect(answer).rejects.toThrow('my secret plan');
  const span = recorder.named('chat m1');
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'provider.failed' });
  expect(span.attributes).toMatchObject({ 'error.type': 'provider.failed', 'gen_ai.request.model': 'm1' });
});

test('a request that is abandoned has an end and is no failure', async () => {
  const model = modelOf({ text: 'late' });
  model.hold();
  const controller = new AbortController();
  const { recorder, answer } = ask(model, controller.signal);
  await model.requested(1);
  controller.abort(new DOMException('The effect was abandoned', 'AbortError'));
  await expect(answer).rejects.toThrow('abandoned');
  expect(recorder.named('chat m1').status.code).toBe(SpanStatusCode.UNSET);
});

test.each([
  ['https://models.example.com/v1', 'models.example.com', 443],
  ['http://127.0.0.1:8080/v1', '127.0.0.1', 8080],
  ['http://models.internal/v1', 'models.internal', 80],
])('chatAttributes() of a model at %s name %s and %i', (baseUrl, address, port) => {
  const provider = Object.assign(modelOf(), { endpoint: { baseUrl, api: 'responses' } });
  expect(chatAttributes(REQUEST, provider)).toMatchObject({
    'server.address': address,
    'server.port': port,
    'flotilla.wire_api': 'responses',
  });
});

test.each([
  ['stop', 'stop'],
  ['toolCalls', 'tool_calls'],
  ['length', 'length'],
  ['refusal', 'content_filter'],
] as const)('answerAttributes() spell %s as %s', (finish, reason) => {
  const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 2 };
  const attributes = answerAttributes({ text: '', toolCalls: [], usage, model: 'm1', finish });
  expect(attributes['gen_ai.response.finish_reasons']).toEqual([reason]);
});
