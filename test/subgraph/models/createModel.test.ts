import { expect, test } from 'vitest';
import { createModel } from '../../../subgraph/models/createModel.ts';
import { FakeClock } from '../../support/FakeClock.ts';
import { FakeEndpoint } from '../../support/FakeEndpoint.ts';

const clock = new FakeClock();
const scripted = { replies: [], delayMs: 0 };
const openai = {
  baseUrl: 'http://127.0.0.1:1/v1',
  api: 'responses',
  model: 'd',
  models: ['d', 'm2'],
  apiKeyEnv: 'MODEL_KEY',
  timeoutSeconds: 5,
  maxOutputTokens: 100,
  modelWindows: [],
} as const;

test('createModel() makes the provider that the configuration names', () => {
  const sections = { scripted, openai: { ...openai, effort: 'high' as const } };
  expect(createModel({ model: { provider: 'scripted' }, ...sections }, { env: {}, clock }).name).toBe(
    'scripted',
  );
  expect(createModel({ model: { provider: 'openai' }, ...sections }, { env: {}, clock })).toMatchObject({
    name: 'openai',
    defaultModel: 'd',
    defaultEffort: 'HIGH',
    allowedModels: ['d', 'm2'],
  });
});

test.each([
  [{ MODEL_KEY: 'secret' }, 'Bearer secret'],
  [{ MODEL_KEY: '' }, undefined],
  [{ OPENAI_API_KEY: 'other' }, undefined],
])('createModel() takes the key from the variable that is named: %j', async (env, expected) => {
  await using endpoint = await FakeEndpoint.start({ body: { output: [] } });
  const model = createModel(
    { model: { provider: 'openai' }, scripted, openai: { ...openai, baseUrl: `${endpoint.url}/v1` } },
    { env, clock },
  );
  await model.respond(
    { instructions: '', input: [], tools: [], model: 'd', cacheKey: 't' },
    { signal: new AbortController().signal },
  );
  expect(endpoint.requests[0]?.headers.authorization).toBe(expected);
});
