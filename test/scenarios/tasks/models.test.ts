/** Tasks and a model endpoint that is real HTTP: what is sent to it, and what its failures do, on every host of tasks. */
import { expect } from 'vitest';
import type { HookDefinition } from '../../../server/index.ts';
import { readGraphQL } from '../../support/askGraphQL.ts';
import { type Api, type FakeAnswer, FakeEndpoint, HELLO } from '../../support/FakeEndpoint.ts';
import { statusesOf } from '../../support/taskAccount.ts';
import { awaitReply, awaitState, createTask, readTask, sendMessage } from '../../support/taskClient.ts';
import { type HostedOptions, hostedTest, openHosted, type TaskHost } from '../../support/taskHosts.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };

/*
 * Feature: Model endpoints
 * Scenario: a task is answered through the Responses API, by its documented request
 *   Requirement: spec/worker.md#15
 *   Given an instance whose endpoint has the Responses API only, without a key
 *   When a message is sent, and then the task is completed
 *   Then it was parked behind the text of the endpoint, with the usage that it told
 *   And every request was for that API and the configured model, without an Authorization, and not to be stored
 */
hostedTest('a task is answered through the Responses API, by its documented request', async (host) => {
  await using endpoint = await FakeEndpoint.start(HELLO.responses);
  await using instance = await open(host, endpoint, { api: 'responses' });
  await createTask(instance.url, 'hi', KEY);
  await awaitReply(instance.url, KEY, 'Hello.');
  expect(await usageOf(instance.url)).toEqual({ inputTokens: 12, outputTokens: 3 });
  expect(await complete(instance.url)).toBe('COMPLETED');

  expect(endpoint.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/responses']);
  expect(endpoint.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(endpoint.requests[0]?.body).toMatchObject({ model: 'm1', store: false });
});

/*
 * Feature: Model endpoints
 * Scenario: a task is answered through the Chat Completions API, by its documented request
 *   Requirement: spec/worker.md#16
 *   Given an instance whose endpoint has the Chat Completions API only, without a key, and tells no usage
 *   When a message is sent, and then the task is completed
 *   Then it was parked behind the text of the endpoint, and its usage is zero
 *   And the first message of each request is the system's, and it has no Authorization, no store and no prompt_cache_key
 */
hostedTest('a task is answered through the Chat Completions API, by its documented request', async (host) => {
  await using endpoint = await FakeEndpoint.start(HELLO.chat_completions);
  await using instance = await open(host, endpoint, { api: 'chat_completions' });
  await createTask(instance.url, 'hi', KEY);
  await awaitReply(instance.url, KEY, 'Hello.');
  expect(await usageOf(instance.url)).toEqual({ inputTokens: 0, outputTokens: 0 });
  expect(await complete(instance.url)).toBe('COMPLETED');

  expect(endpoint.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /v1/chat/completions',
  ]);
  const [{ headers, body }] = endpoint.requests as [(typeof endpoint.requests)[number]];
  expect(headers).not.toHaveProperty('authorization');
  expect(body).toMatchObject({ model: 'm1' });
  expect(body).not.toHaveProperty('store');
  expect(body).not.toHaveProperty('prompt_cache_key');
  expect((body.messages as readonly { readonly role: string }[])[0]).toMatchObject({ role: 'system' });
});

/*
 * Feature: Model endpoints
 * Scenario: a model request that may pass is made again, and the hooks have seen why
 *   Requirement: spec/worker.md#17
 *   Given an endpoint that answers 503 once, and a hook that sees failed attempts
 *   When a message is sent
 *   Then the task is parked behind the text of the second request
 *   And the hook saw provider.retryable at attempt 1
 */
hostedTest('a model request that may pass is made again, and the hooks have seen why', async (host) => {
  const seen: unknown[] = [];
  const hook: HookDefinition = {
    name: 'watch',
    points: ['activity.failed.pre'],
    execute: (context) => {
      const { effect, attempt, error } = context as {
        effect: string;
        attempt: number;
        error: { code: string };
      };
      seen.push({ effect, attempt, code: error.code });
      return undefined;
    },
  };
  await using endpoint = await FakeEndpoint.start({ status: 503 }, HELLO.responses);
  await using instance = await open(host, endpoint, { api: 'responses' }, { hooks: [hook] });
  await createTask(instance.url, 'hi', KEY);
  await awaitReply(instance.url, KEY, 'Hello.');
  expect(endpoint.requests).toHaveLength(2);
  expect(seen).toEqual([{ effect: 'callModel', attempt: 1, code: 'provider.retryable' }]);
});

/*
 * Feature: Model endpoints
 * Scenario: a model that the endpoint does not know parks a conversation to be mended, and fails a delegated task
 *   Requirement: spec/worker.md#13.6
 *   Given an endpoint that answers 404 for one model
 *   When a conversation is switched to it and written to, and a delegated task is created with it
 *   Then the conversation waits with the error, after one request
 *   And after "/model default" its next message is answered
 *   And the delegated task is FAILED, after one request
 */
hostedTest(
  'a model that the endpoint does not know parks a conversation to be mended, and fails a delegated task',
  async (host) => {
    const missing: FakeAnswer = { status: 404, body: { error: { message: 'no such model' } } };
    await using endpoint = await FakeEndpoint.start(HELLO.responses, missing, HELLO.responses, missing);
    await using instance = await open(host, endpoint, { api: 'responses' });
    const { url } = instance;
    await createTask(url, 'hi', KEY);
    await awaitReply(url, KEY, 'Hello.');
    await runCommand(url, '/model m404');
    await sendMessage(url, 'and now?', KEY);
    await awaitState(async () => {
      expect((await statusesOf(url, REF)).at(-1)).toMatchObject({
        state: 'INPUT_REQUIRED',
        subState: 'AWAITING_MESSAGE',
        errorCode: 'provider.failed',
      });
    });
    await runCommand(url, '/model default');
    await sendMessage(url, 'again', KEY);
    await awaitState(async () => {
      expect(await readTask(url, KEY)).toMatchObject({ state: 'INPUT_REQUIRED', turns: 2 });
      expect(endpoint.requests).toHaveLength(3);
    });
    expect((await statusesOf(url, REF)).at(-1)).not.toHaveProperty('errorCode');

    const delegated = { ref: 'github:o/r#2' };
    await readGraphQL(url, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }', {
      input: { ...delegated, message: 'go', lifecycle: 'DELEGATED', settings: { model: 'm404' } },
    });
    await awaitState(async () => expect((await readTask(url, delegated)).state).toBe('FAILED'));
    expect(endpoint.requests.map(({ body }) => body.model)).toEqual(['m1', 'm404', 'm1', 'm404']);
  },
);

function open(
  host: TaskHost,
  endpoint: FakeEndpoint,
  { api }: { readonly api: Api },
  options: HostedOptions = {},
) {
  const config = {
    openai: { api, model: 'm1', baseUrl: `${endpoint.url}/v1` },
    retries: { default: { initialIntervalSeconds: 0.05, maximumAttempts: 3 } },
  };
  return openHosted(host, { config, ...options });
}

async function usageOf(url: string): Promise<unknown> {
  const { task } = await readGraphQL(
    url,
    'query ($ref: ID!) { task(ref: $ref) { usage { inputTokens outputTokens } } }',
    KEY,
  );
  return task.usage;
}

async function complete(url: string): Promise<string> {
  const { completeTask } = await readGraphQL(
    url,
    'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }',
    KEY,
  );
  return completeTask.state;
}

async function runCommand(url: string, text: string): Promise<void> {
  const { runCommand: reply } = await readGraphQL(
    url,
    'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { ok } }',
    { ref: REF, text },
  );
  expect(reply.ok).toBe(true);
}
