import { LLMock } from '@copilotkit/aimock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ModelRequest } from '../../../../subgraph/models/ModelProvider.ts';
import {
  createOpenAIModel,
  type OpenAIModelOptions,
} from '../../../../subgraph/models/openai/createOpenAIModel.ts';
import type { HistoryEntry } from '../../../../subgraph/task/index.ts';
import { modelProviderSuite } from '../../../suites/modelProviderSuite.ts';
import { FakeClock } from '../../../support/FakeClock.ts';
import { type FakeAnswer, FakeEndpoint } from '../../../support/FakeEndpoint.ts';

const APIS = ['responses', 'chat_completions'] as const;
const signal = new AbortController().signal;

for (const api of APIS) {
  modelProviderSuite(`createOpenAIModel() on ${api}`, async ({ replies, hangs = false }) => {
    const mock = new LLMock({ port: 0 });
    for (const [turn, reply] of replies.entries()) {
      const { text, toolCalls } = { toolCalls: undefined, ...reply };
      const calls = toolCalls?.map((call) => ({
        // As the adapter names them: the mock plays a model, which knows the wire names only.
        name: call.tool === 'orders.get_order' ? 'orders_get_order_2' : call.tool,
        arguments: JSON.stringify(call.arguments),
      }));
      mock.addFixture({
        match: { turnIndex: turn },
        response:
          calls && text !== undefined
            ? { content: text, toolCalls: calls }
            : calls
              ? { toolCalls: calls }
              : { content: text ?? '' },
        ...(hangs && { latency: 60_000 }),
      });
    }
    await mock.start();
    return {
      provider: createOpenAIModel(options(`${mock.url}/v1`, { api })),
      [Symbol.asyncDispose]: () => mock.stop(),
    };
  });
}

/** The same answer in both APIs. */
const TEXT: Record<(typeof APIS)[number], object> = {
  responses: { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }] },
  chat_completions: { choices: [{ message: { content: 'Hi.' } }] },
};

const HISTORY: readonly HistoryEntry[] = [
  { id: 0, atMs: 0, kind: 'message', role: 'USER', text: '## Task' },
  { id: 1, atMs: 0, kind: 'message', role: 'USER', participant: 'alice', text: '[alice] go' },
  { id: 2, atMs: 1, kind: 'message', role: 'ASSISTANT', text: 'I look.' },
  { id: 3, atMs: 1, kind: 'toolCall', callId: 'c1', tool: 'a.b', arguments: { x: 1 } },
  { id: 4, atMs: 2, kind: 'toolResult', callId: 'c1', tool: 'a.b', text: 'found', isError: false },
];

describe('the request', () => {
  test('of the Responses API is the documented one', async () => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT.responses });
    const model = createOpenAIModel(options(endpoint.url, { api: 'responses' }));
    await model.respond(request(HISTORY, { effort: 'XHIGH' }), { signal });
    const [sent] = endpoint.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/v1/responses' });
    expect(sent?.body).toEqual({
      model: 'm2',
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: '## Task' },
        { role: 'user', content: '[alice] go' },
        { role: 'assistant', content: 'I look.' },
        { type: 'function_call', call_id: 'c1', name: 'a_b', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'found' },
      ],
      store: false,
      max_output_tokens: 2_000,
      prompt_cache_key: 'task-1',
      tools: [
        {
          type: 'function',
          name: 'a_b',
          description: 'Finds.',
          parameters: { type: 'object' },
          strict: false,
        },
      ],
      reasoning: { effort: 'xhigh' },
    });
  });

  test('of the Chat Completions API is the documented one', async () => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT.chat_completions });
    const model = createOpenAIModel(options(endpoint.url, { api: 'chat_completions' }));
    await model.respond(request(HISTORY, { effort: 'LOW' }), { signal });
    const [sent] = endpoint.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(sent?.body).toEqual({
      model: 'm2',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '## Task' },
        { role: 'user', content: '[alice] go' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'a_b', arguments: '{"x":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'found' },
      ],
      max_tokens: 2_000,
      tools: [
        {
          type: 'function',
          function: { name: 'a_b', description: 'Finds.', parameters: { type: 'object' } },
        },
      ],
      reasoning_effort: 'low',
    });
  });

  test.each(APIS)('of %s asks for an answer of a shape with a strict schema', async (api) => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT[api] });
    const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
    const model = createOpenAIModel(options(endpoint.url, { api }));
    await model.respond(request(HISTORY, { responseFormat: { name: 'nothing', schema } }), { signal });
    const format = { name: 'nothing', schema, strict: true };
    expect(endpoint.requests[0]?.body).toMatchObject(
      api === 'responses'
        ? { text: { format: { type: 'json_schema', ...format } } }
        : { response_format: { type: 'json_schema', json_schema: format } },
    );
  });

  test('of the Chat Completions API has one assistant message per turn, with all its calls', async () => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT.chat_completions });
    const call = (callId: string, atMs: number): HistoryEntry => ({
      id: 1,
      atMs,
      kind: 'toolCall',
      callId,
      tool: 'a.b',
      arguments: {},
    });
    const result = (callId: string, atMs: number): HistoryEntry => ({
      id: 1,
      atMs,
      kind: 'toolResult',
      callId,
      tool: 'a.b',
      text: '',
      isError: false,
    });
    const history = [
      call('c1', 1),
      result('c1', 2),
      call('c2', 2),
      result('c2', 3),
      call('c3', 4),
      result('c3', 5),
    ];
    const model = createOpenAIModel(options(endpoint.url, { api: 'chat_completions' }));
    await model.respond(request(history), { signal });
    const messages = endpoint.requests[0]?.body.messages as {
      role: string;
      tool_call_id?: string;
      tool_calls?: { id: string }[];
    }[];
    expect(
      messages.map(({ role, tool_call_id, tool_calls }) => [
        role,
        tool_call_id ?? tool_calls?.map(({ id }) => id),
      ]),
    ).toEqual([
      ['system', undefined],
      ['assistant', ['c1', 'c2']],
      ['tool', 'c1'],
      ['tool', 'c2'],
      ['assistant', ['c3']],
      ['tool', 'c3'],
    ]);
  });

  test.each(APIS)('on %s has no effort and no tools when there are none', async (api) => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT[api] });
    await createOpenAIModel(options(endpoint.url, { api })).respond(request([], { tools: [] }), { signal });
    const names = Object.keys(endpoint.requests[0]!.body);
    expect(names).not.toContain('tools');
    expect(names.filter((name) => name.startsWith('reasoning'))).toEqual([]);
  });

  test.each(APIS)('on %s names a tool that only the history knows', async (api) => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT[api] });
    await createOpenAIModel(options(endpoint.url, { api })).respond(request(HISTORY, { tools: [] }), {
      signal,
    });
    expect(JSON.stringify(endpoint.requests[0]!.body)).toContain('"name":"a_b"');
  });
});

describe('the headers', () => {
  afterEach(() => vi.unstubAllEnvs());

  const ENVIRONMENT = {
    OPENAI_API_KEY: 'sk-from-the-environment',
    OPENAI_ADMIN_KEY: 'sk-admin',
    OPENAI_ORG_ID: 'org',
    OPENAI_PROJECT_ID: 'project',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/',
    OPENAI_CUSTOM_HEADERS: 'Authorization: Bearer custom\nX-Secret: custom\nOpenAI-Project: custom',
  };

  test.each(APIS)('on %s hold no key when there is none, and nothing of the environment', async (api) => {
    for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
    await using endpoint = await FakeEndpoint.start({ body: TEXT[api] });
    await createOpenAIModel(options(endpoint.url, { api })).respond(request([]), { signal });
    const { headers } = endpoint.requests[0]!;
    expect(headers).not.toHaveProperty('authorization');
    expect(Object.keys(headers).filter((name) => /^(x-|openai)/.test(name))).toEqual([]);
    expect(JSON.stringify(headers)).not.toMatch(/custom|sk-|org|project/);
  });

  test('hold the key that was given, whatever the environment says', async () => {
    for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
    await using endpoint = await FakeEndpoint.start({ body: TEXT.responses });
    await createOpenAIModel(options(endpoint.url, { apiKey: 'sk-given' })).respond(request([]), { signal });
    expect(endpoint.requests[0]!.headers.authorization).toBe('Bearer sk-given');
  });
});

describe('the answer', () => {
  const call = (id: string | undefined, args: unknown) => ({ id, name: 'a_b', arguments: args });

  /** One answer with these calls, in both APIs. */
  function withCalls(...calls: ReturnType<typeof call>[]): Record<(typeof APIS)[number], object> {
    return {
      responses: {
        output: [
          { type: 'reasoning', summary: [] },
          ...calls.map(({ id, ...rest }) => ({ type: 'function_call', call_id: id, ...rest })),
        ],
      },
      chat_completions: {
        choices: [
          {
            finish_reason: 'stop',
            message: {
              content: null,
              tool_calls: calls.map(({ id, ...rest }) => ({ id, type: 'function', function: rest })),
            },
          },
        ],
      },
    };
  }

  test.each(APIS)('on %s without usage, model and finish reason is a text with zeros', async (api) => {
    await using endpoint = await FakeEndpoint.start({ body: TEXT[api] });
    const response = await createOpenAIModel(options(endpoint.url, { api })).respond(request([]), {
      signal,
    });
    expect(response).toEqual({
      text: 'Hi.',
      toolCalls: [],
      usage: { inputTokens: 0, cachedTokens: 0, outputTokens: 0 },
      model: 'm2',
      finish: 'stop',
    });
  });

  test.each(APIS)('on %s tells usage and the model that answered', async (api) => {
    const usage = {
      responses: { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2 },
      chat_completions: {
        prompt_tokens: 9,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens: 2,
      },
    };
    await using endpoint = await FakeEndpoint.start({
      body: { ...TEXT[api], model: 'm2-2026', usage: usage[api] },
    });
    const model = createOpenAIModel(options(endpoint.url, { api }));
    expect(await model.respond(request([]), { signal })).toMatchObject({
      model: 'm2-2026',
      usage: { inputTokens: 9, cachedTokens: 4, outputTokens: 2 },
    });
  });

  test.each(APIS)(
    'on %s gives calls without an id, or with one seen before, the first free id',
    async (api) => {
      await using endpoint = await FakeEndpoint.start({
        body: withCalls(call('dup', '{}'), call('dup', '{}'), call(undefined, '{}'), call('c1', '{}'))[api],
      });
      const model = createOpenAIModel(options(endpoint.url, { api }));
      const { toolCalls, finish } = await model.respond(request(HISTORY), { signal });
      expect(finish).toBe('toolCalls');
      expect(toolCalls.map(({ callId }) => callId)).toEqual(['dup', 'call_2', 'call_3', 'call_4']);
      expect(toolCalls.map(({ tool }) => tool)).toEqual(['a.b', 'a.b', 'a.b', 'a.b']);
    },
  );

  test.each([
    ['{"x":1}', { x: 1 }],
    ['[1]', { value: [1] }],
    ['"text"', { value: 'text' }],
    ['null', { value: null }],
    ['', {}],
    [undefined, {}],
    [{ x: 1 }, { x: 1 }],
  ])('reads the arguments %j as %j', async (args, expected) => {
    for (const api of APIS) {
      await using endpoint = await FakeEndpoint.start({ body: withCalls(call('c9', args))[api] });
      const model = createOpenAIModel(options(endpoint.url, { api }));
      const { toolCalls } = await model.respond(request([]), { signal });
      expect(toolCalls[0]?.arguments).toEqual(expected);
    }
  });

  test.each([
    [
      'responses',
      'refusal',
      { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] },
      'No.',
    ],
    [
      'responses',
      'refusal',
      {
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        output: [{ type: 'function_call', call_id: 'c', name: 'a_b', arguments: '{"cut' }],
      },
      '',
    ],
    [
      'responses',
      'length',
      {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Half' }] }],
      },
      'Half',
    ],
    ['chat_completions', 'refusal', { choices: [{ message: { content: null, refusal: 'No.' } }] }, 'No.'],
    [
      'chat_completions',
      'refusal',
      { choices: [{ finish_reason: 'content_filter', message: { content: 'Ha' } }] },
      'Ha',
    ],
    [
      'chat_completions',
      'length',
      { choices: [{ finish_reason: 'length', message: { content: 'Half' } }] },
      'Half',
    ],
  ] as const)('on %s can be a %s', async (api, finish, body, text) => {
    await using endpoint = await FakeEndpoint.start({ body });
    const model = createOpenAIModel(options(endpoint.url, { api }));
    expect(await model.respond(request([]), { signal })).toMatchObject({ finish, text, toolCalls: [] });
  });

  test.each<[string, FakeAnswer]>([
    ['HTML', { headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }],
    ['JSON cut short', { body: '{"choices": [' }],
    ['nothing', { body: '' }],
    ['another shape', { body: { hello: 'there' } }],
    ['no choice and no output', { body: { choices: [], output: null } }],
    ['arguments that are no JSON', { body: withCalls(call('c', '{x')).chat_completions }],
    ['more than 8 MiB', { body: JSON.stringify('x'.repeat(9 * 1024 * 1024)) }],
  ])('that is %s is provider.failed', async (_, answer) => {
    await using endpoint = await FakeEndpoint.start(answer);
    const model = createOpenAIModel(options(endpoint.url, { api: 'chat_completions' }));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({
      code: 'provider.failed',
      message: expect.stringMatching(/^Cannot read the model's answer: .+$/),
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  test.each([
    ['server_error', 'provider.retryable'],
    ['rate_limit_exceeded', 'provider.retryable'],
    ['invalid_prompt', 'provider.failed'],
  ])('whose response failed with %s is %s', async (code, expected) => {
    await using endpoint = await FakeEndpoint.start({
      body: { status: 'failed', error: { code }, output: [] },
    });
    const model = createOpenAIModel(options(endpoint.url, { api: 'responses' }));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({ code: expected });
  });
});

describe('a failed call', () => {
  const failure = (status: number, headers: Record<string, string> = {}): FakeAnswer => ({
    status,
    headers,
    body: { error: { message: 'Too bad' } },
  });

  test.each([
    [400, 'provider.failed'],
    [401, 'provider.failed'],
    [404, 'provider.failed'],
    [408, 'provider.retryable'],
    [409, 'provider.failed'],
    [429, 'provider.retryable'],
    [500, 'provider.retryable'],
    [503, 'provider.retryable'],
  ])('with status %i is %s, after one request', async (status, code) => {
    await using endpoint = await FakeEndpoint.start(failure(status));
    const model = createOpenAIModel(options(endpoint.url));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({
      code,
      message: `Cannot call the model: the endpoint answered ${status}: Too bad`,
    });
    expect(endpoint.requests).toHaveLength(1);
  });

  test('can be made again', async () => {
    await using endpoint = await FakeEndpoint.start(failure(503), { body: TEXT.responses });
    const model = createOpenAIModel(options(endpoint.url));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({
      code: 'provider.retryable',
    });
    await expect(model.respond(request([]), { signal })).resolves.toMatchObject({ text: 'Hi.' });
  });

  test.each([
    [400, 'true', 'provider.retryable'],
    [409, 'true', 'provider.retryable'],
    [429, 'false', 'provider.failed'],
    [503, 'false', 'provider.failed'],
    [503, 'perhaps', 'provider.retryable'],
  ])('with status %i and x-should-retry %s is %s', async (status, wish, code) => {
    await using endpoint = await FakeEndpoint.start(failure(status, { 'x-should-retry': wish }));
    const model = createOpenAIModel(options(endpoint.url));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({ code });
  });

  const clock = new FakeClock();
  test.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': new Date(clock.nowMs() + 30_000).toUTCString() }, 30_000],
    [{ 'retry-after': new Date(clock.nowMs() - 30_000).toUTCString() }, 0],
    [{ 'retry-after': '999999999' }, 3_600_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('with %j wants to wait %s ms', async (headers, expected) => {
    await using endpoint = await FakeEndpoint.start(failure(429, headers as Record<string, string>));
    const model = createOpenAIModel(options(endpoint.url, { clock }));
    const error = await model.respond(request([]), { signal }).catch((thrown) => thrown);
    expect(error.retryAfterMs).toBe(expected);
  });

  test('does not follow a redirect', async () => {
    await using other = await FakeEndpoint.start({ body: TEXT.responses });
    await using endpoint = await FakeEndpoint.start({ status: 307, headers: { location: other.url } });
    const model = createOpenAIModel(options(endpoint.url));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({
      code: 'provider.failed',
      message: 'Cannot call the model: the endpoint answered 307: redirects are refused',
    });
    expect(other.requests).toHaveLength(0);
  });

  test.each<[string, FakeAnswer]>([
    ['refuses to talk', (response) => response.socket?.destroy()],
    [
      'goes away in the middle of the body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"output": [', () => response.socket?.destroy());
      },
    ],
  ])('because the endpoint %s is provider.retryable', async (_, answer) => {
    await using endpoint = await FakeEndpoint.start(answer);
    const model = createOpenAIModel(options(endpoint.url));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({
      code: 'provider.retryable',
      message: expect.stringMatching(/^Cannot call the model: the connection failed/),
    });
  });

  test('because nobody listens names the cause and not the address', async () => {
    const endpoint = await FakeEndpoint.start({});
    const { url } = endpoint;
    await endpoint[Symbol.asyncDispose]();
    await expect(createOpenAIModel(options(url)).respond(request([]), { signal })).rejects.toMatchObject({
      code: 'provider.retryable',
      message: 'Cannot call the model: the connection failed (ECONNREFUSED)',
    });
  });

  test.each<[string, FakeAnswer]>([
    ['no answer', () => {}],
    [
      'half a body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"output": [');
      },
    ],
  ])('because of %s in time is provider.retryable', async (_, answer) => {
    await using endpoint = await FakeEndpoint.start(answer);
    const model = createOpenAIModel(options(endpoint.url, { timeoutMs: 50 }));
    await expect(model.respond(request([]), { signal })).rejects.toMatchObject({
      code: 'provider.retryable',
      message: 'Cannot call the model: the endpoint did not answer in time',
    });
  });

  test('ends the request on the wire when its signal aborts', async () => {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using endpoint = await FakeEndpoint.start((response) => {
      response.on('close', () => closed.resolve());
      arrived.resolve();
    });
    const controller = new AbortController();
    const response = createOpenAIModel(options(endpoint.url)).respond(request([]), {
      signal: controller.signal,
    });
    await arrived.promise;
    controller.abort(new Error('abandoned'));
    await expect(response).rejects.toThrow('abandoned');
    await closed.promise;
  });

  test('tells no secret, on one line of bounded length', async () => {
    const said = `Bad key given-key-1234,\n sk-proj-${'a'.repeat(20)} at http://user:pass@host/${'x'.repeat(1_000)}`;
    await using endpoint = await FakeEndpoint.start({ status: 401, body: { error: { message: said } } });
    const model = createOpenAIModel(options(endpoint.url, { apiKey: 'given-key-1234' }));
    const { message } = await model.respond(request([]), { signal }).catch((thrown) => thrown);
    expect(message).toContain('Bad key [redacted], [redacted] at http://[redacted]@host/');
    expect(message).not.toMatch(/given-key|sk-proj|pass|\n/);
    expect(message.length).toBeLessThan(400);
  });
});

function options(url: string, change: Partial<OpenAIModelOptions> = {}): OpenAIModelOptions {
  return {
    baseUrl: url.endsWith('/v1') ? url : `${url}/v1`,
    api: 'responses',
    model: 'd',
    models: [],
    apiKey: undefined,
    timeoutMs: 10_000,
    maxOutputTokens: 2_000,
    ...change,
  };
}

function request(input: readonly HistoryEntry[], change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    instructions: 'Be brief.',
    input,
    tools: [{ name: 'a.b', description: 'Finds.', inputSchema: { type: 'object' } }],
    model: 'm2',
    cacheKey: 'task-1',
    ...change,
  };
}
