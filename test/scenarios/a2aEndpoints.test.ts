/** Tasks over A2A whose model is a real HTTP endpoint, on every host of tasks. */
import { expect } from 'vitest';
import { A2AClient, completion, messageOf, statesOf } from '../support/A2AClient.ts';
import { readGraphQL } from '../support/askGraphQL.ts';
import { type Api, FakeEndpoint, HELLO } from '../support/FakeEndpoint.ts';
import { hostedTest, openHosted, type TaskHost } from '../support/taskHosts.ts';

/*
 * Feature: Model endpoints over A2A
 * Scenario: a message over A2A is answered through the Responses API
 *   Requirement: spec/worker.md#15
 *   Given an instance whose endpoint has the Responses API only, without a key
 *   When alice sends a message over A2A, and then completes the task
 *   Then the answer was the parked task with the text of the endpoint, and then the completed one
 *   And every request was for that API and the configured model, without an Authorization, and not to be stored
 */
hostedTest('a message over A2A is answered through the Responses API', async (host) => {
  const { states, usage, requests } = await converse(host, 'responses');

  expect(states).toEqual(['task INPUT_REQUIRED Hello.', 'task COMPLETED Thanks']);
  expect(usage).toEqual({ inputTokens: 12, outputTokens: 3 });
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/responses']);
  expect(requests[0]?.headers).not.toHaveProperty('authorization');
  expect(requests[0]?.body).toMatchObject({ model: 'm1', store: false });
});

/*
 * Feature: Model endpoints over A2A
 * Scenario: a message over A2A is answered through the Chat Completions API
 *   Requirement: spec/worker.md#16
 *   Given an instance whose endpoint has the Chat Completions API only, without a key, and tells no usage
 *   When alice sends a message over A2A, and then completes the task
 *   Then the answer was the parked task with the text of the endpoint, and then the completed one, with a usage of zero
 *   And the first message of the request is the system's, and it has no Authorization, no store and no prompt_cache_key
 */
hostedTest('a message over A2A is answered through the Chat Completions API', async (host) => {
  const { states, usage, requests } = await converse(host, 'chat_completions');

  expect(states).toEqual(['task INPUT_REQUIRED Hello.', 'task COMPLETED Thanks']);
  expect(usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/chat/completions']);
  const { headers, body } = requests[0]!;
  expect(headers).not.toHaveProperty('authorization');
  expect(body).toMatchObject({ model: 'm1' });
  expect(body).not.toHaveProperty('store');
  expect(body).not.toHaveProperty('prompt_cache_key');
  expect((body.messages as readonly { readonly role: string }[])[0]).toMatchObject({ role: 'system' });
});

/** A first message and a completion, by an instance whose endpoint has this API only. */
async function converse(host: TaskHost, api: Api) {
  await using endpoint = await FakeEndpoint.start(HELLO[api]);
  const config = { openai: { baseUrl: `${endpoint.url}/v1`, api, model: 'm1' } };
  await using instance = await openHosted(host, { config });
  const alice = new A2AClient(instance.url, { participant: 'alice' });
  const parked = await alice.startTask('hi');
  const { task } = await alice.call('SendMessage', messageOf(completion('Thanks'), { taskId: parked.id }));
  const { tasks } = await readGraphQL(
    instance.url,
    '{ tasks(first: 1) { nodes { usage { inputTokens outputTokens } } } }',
  );
  return {
    states: statesOf([{ task: parked }, { task }]),
    usage: tasks.nodes[0].usage,
    requests: endpoint.requests,
  };
}
