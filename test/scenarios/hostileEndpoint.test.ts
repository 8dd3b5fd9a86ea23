/** Model endpoints that answer badly, over real HTTP and both wire APIs: what becomes of the task. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGraphQL } from '../support/askGraphQL.ts';
import {
  broken,
  busyFor,
  dripping,
  flooding,
  HostileEndpoint,
  halved,
  inPieces,
  type Said,
  streamed,
  WIRE_APIS,
  type WireApiName,
  well,
} from '../support/HostileEndpoint.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { awaitParked, awaitReply, createTask, readTask, sendMessage } from '../support/taskClient.ts';

const FINE: Said = { text: 'All is well.', isFinished: true };

/** Two, three and four bytes in UTF-8. */
const TORN = 'Grüße, das Schiff 船 ist da 🚢. '.repeat(20).trim();

const PLAN_ARGUMENTS = { steps: [{ name: 'look', description: 'Find the order' }] };
const SAME_ID: Said = {
  calls: [
    { id: 'call', name: 'create_plan', arguments: JSON.stringify(PLAN_ARGUMENTS) },
    { id: 'call', name: 'complete_step', arguments: '{"step":"look","output":"o-77"}' },
  ],
};

/** Answers that are over before they are whole: one request each, for the next one would be no better. */
const UNREADABLE = {
  halved: halved(FINE),
  streamed: streamed(FINE),
  'half-arguments': well({ calls: [{ id: 'c1', name: 'create_plan', arguments: '{"steps":[{"na' }] }),
};

const SCRIPT = {
  fine: [well(FINE)],
  torn: [inPieces({ text: TORN }, 1)],
  'says-little': [well({ text: 'Hi.' })],
  'says-all': [well({ text: 'Hi.', isFinished: true, usage: { inputTokens: 40, outputTokens: 2 } })],
  'same-id': [well(SAME_ID), well(SAME_ID), well(FINE)],
  'no-such-tool': [well({ calls: [{ id: 'c1', name: 'launch_rocket', arguments: '{}' }] }), well(FINE)],
  breaks: [broken(FINE), broken(FINE), well(FINE)],
  'breaks-always': [broken(FINE)],
  busy: [busyFor(1), well(FINE)],
  floods: [flooding],
  drips: [dripping],
  ...Object.fromEntries(Object.entries(UNREADABLE).map(([word, behaviour]) => [word, [behaviour]])),
};

let endpoint: HostileEndpoint;
const instances = new Map<WireApiName, RunningInstance>();
const resources = new AsyncDisposableStack();
beforeAll(async () => {
  endpoint = resources.use(await HostileEndpoint.start(SCRIPT));
  for (const api of WIRE_APIS) instances.set(api, resources.use(await startInstance(api, 30)));
});
afterAll(() => resources.disposeAsync());

/*
 * Feature: Hostile model endpoints
 * Scenario: an answer that is torn within its characters is read as it was written
 *   Requirement: spec/worker.md#15
 *   Requirement: spec/worker.md#16
 *   Given an endpoint that sends each byte of its answer by itself
 *   When it replies with characters of two, three and four bytes
 *   Then the task waits for the next message, with the very reply
 */
test('an answer that is torn within its characters is read as it was written', async () => {
  for (const api of WIRE_APIS) {
    const { url, ref } = await say(api, 'torn');
    await awaitReply(url, { ref }, TORN);
    expect(endpoint.requestsFor(api, 'torn'), api).toHaveLength(1);
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: an answer that tells neither its usage nor its end is a reply
 *   Requirement: spec/worker.md#15
 *   Requirement: spec/worker.md#16
 *   Given an endpoint that tells no usage and no reason for its end, and one that does
 *   When both reply
 *   Then both tasks wait for the next message, with the reply
 *   And the usage of the first is zero, and that of the second what it was told
 */
test('an answer that tells neither its usage nor its end is a reply', async () => {
  for (const api of WIRE_APIS) {
    for (const [word, inputTokens, outputTokens] of [
      ['says-little', 0, 0],
      ['says-all', 40, 2],
    ] as const) {
      const { url, ref } = await say(api, word);
      await awaitReply(url, { ref }, 'Hi.');
      const { task } = await readGraphQL(
        url,
        'query ($ref: ID!) { task(ref: $ref) { usage { inputTokens outputTokens } } }',
        { ref },
      );
      expect(task.usage, `${api} ${word}`).toEqual({ inputTokens, outputTokens });
    }
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: calls that share one id are calls of their own, in one turn and over turns
 *   Requirement: spec/worker.md#15
 *   Requirement: spec/worker.md#16
 *   Given an endpoint that gives two calls of a turn the same id, and those of the next turn the same again
 *   When the tools have answered and it replies
 *   Then the history has four calls with four ids, each followed by the result of its own tool
 *   And so has the last request
 */
test('calls that share one id are calls of their own, in one turn and over turns', async () => {
  for (const api of WIRE_APIS) {
    const { url, ref } = await say(api, 'same-id');
    await awaitReply(url, { ref }, 'All is well.');

    const { task } = await readGraphQL(
      url,
      `query ($ref: ID!) { task(ref: $ref) { history(first: 100) { nodes {
         ... on HistoryToolCall { callId called: tool } ... on HistoryToolResult { callId answered: tool } } } } }`,
      { ref },
    );
    const items = task.history.nodes as readonly { callId?: string; called?: string; answered?: string }[];
    const calls = items.filter(({ called }) => called);
    const results = items.filter(({ answered }) => answered);
    expect(
      calls.map(({ called }) => called),
      api,
    ).toEqual(['create_plan', 'complete_step', 'create_plan', 'complete_step']);
    expect(new Set(calls.map(({ callId }) => callId)).size).toBe(4);
    expect(results.map(({ callId, answered }) => [callId, answered])).toEqual(
      calls.map(({ callId, called }) => [callId, called]),
    );
    const sent = callIdsOf(endpoint.requestsFor(api, 'same-id').at(-1)?.body ?? {});
    expect(sent.calls).toEqual(calls.map(({ callId }) => callId));
    expect(sent.results).toEqual(sent.calls);
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: a tool that there is not is told to the model, which goes on
 *   Requirement: spec/worker.md#15
 *   Requirement: spec/worker.md#16
 *   Given an endpoint that calls a tool which nobody offered
 *   When the task takes the answer in
 *   Then the call has an error as its result, and the next request is made
 *   And the reply to it parks the task
 */
test('a tool that there is not is told to the model, which goes on', async () => {
  for (const api of WIRE_APIS) {
    const { url, ref } = await say(api, 'no-such-tool');
    await awaitReply(url, { ref }, 'All is well.');
    const { task } = await readGraphQL(
      url,
      'query ($ref: ID!) { task(ref: $ref) { history(first: 100) { nodes { ... on HistoryToolResult { isError text } } } } }',
      { ref },
    );
    const [result] = task.history.nodes.filter(({ isError }: { isError?: boolean }) => isError !== undefined);
    expect(result, api).toMatchObject({ isError: true, text: expect.stringContaining('launch_rocket') });
    expect(endpoint.requestsFor(api, 'no-such-tool'), api).toHaveLength(2);
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: an answer whose connection breaks is asked for again, and not for ever
 *   Requirement: spec/worker.md#17
 *   Given an endpoint that breaks off within two answers, and one that always does
 *   When both are asked, with three attempts
 *   Then the third answer of the first is the reply
 *   And the task of the second waits with the reason after three requests, and its next message is answered
 */
test('an answer whose connection breaks is asked for again, and not for ever', async () => {
  for (const api of WIRE_APIS) {
    const { url, ref } = await say(api, 'breaks');
    await awaitReply(url, { ref }, 'All is well.');
    expect(endpoint.requestsFor(api, 'breaks'), api).toHaveLength(3);

    const lost = await say(api, 'breaks-always');
    await awaitFailure(lost, 'provider.retryable');
    expect(endpoint.requestsFor(api, 'breaks-always'), api).toHaveLength(3);
    await expectMended(lost);
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: an answer that cannot be read parks the conversation after one request
 *   Requirement: spec/worker.md#17
 *   Given endpoints that end their answer half way, stream what nobody asked to be streamed, and end a call within its arguments
 *   When each is asked
 *   Then each task waits with the reason after one request, no tool has run, and its next message is answered
 */
test('an answer that cannot be read parks the conversation after one request', async () => {
  for (const api of WIRE_APIS) {
    for (const word of Object.keys(UNREADABLE)) {
      const task = await say(api, word);
      await awaitFailure(task, 'provider.failed');
      expect(endpoint.requestsFor(api, word), `${api} ${word}`).toHaveLength(1);
      expect((await readTask(task.url, task)).texts.join(), `${api} ${word}`).not.toContain('All is well.');
      await expectMended(task);
    }
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: an endpoint that asks for patience is not asked again before
 *   Requirement: spec/worker.md#17
 *   Given an endpoint that answers 429 with a Retry-After of one second, where the policy would wait a fraction of it
 *   When it is asked
 *   Then the second request comes a second later, and its answer is the reply
 */
test('an endpoint that asks for patience is not asked again before', async () => {
  for (const api of WIRE_APIS) {
    const { url, ref } = await say(api, 'busy');
    await awaitReply(url, { ref }, 'All is well.');
    const [first, second, ...further] = endpoint.requestsFor(api, 'busy').map(({ atMs }) => atMs);
    // A timer of the system may be a millisecond early.
    expect(Number(second) - Number(first), api).toBeGreaterThanOrEqual(999);
    expect(further).toEqual([]);
  }
});

/*
 * Feature: Hostile model endpoints
 * Scenario: an answer without end is given up, and the connection with it
 *   Requirement: spec/worker.md#17
 *   Given an endpoint that floods with bytes for ever, and one that drips for ever
 *   When both are asked, with a second for each answer and three attempts
 *   Then the first is given up at its size after one request, the second at its time after three
 *   And the connections are closed, the tasks wait with the reason, and their next messages are answered
 */
test('an answer without end is given up, and the connection with it', async () => {
  for (const api of WIRE_APIS) {
    const flooded = await say(api, 'floods');
    await awaitFailure(flooded, 'provider.failed');
    expect(endpoint.requestsFor(api, 'floods'), api).toHaveLength(1);

    await using hasty = await startInstance(api, 1);
    await createTask(hasty.url, 'say drips', { ref: 'github:o/drips#1' });
    const dripped = { url: hasty.url, ref: 'github:o/drips#1' };
    await awaitFailure(dripped, 'provider.retryable');
    expect(endpoint.requestsFor(api, 'drips'), api).toHaveLength(3);

    for (const word of ['floods', 'drips']) {
      await Promise.all(endpoint.requestsFor(api, word).map(({ closed }) => closed));
    }
    await expectMended(flooded);
    await expectMended(dripped);
  }
});

interface Conversation {
  readonly url: string;
  readonly ref: string;
}

function startInstance(api: WireApiName, timeoutSeconds: number): Promise<RunningInstance> {
  return RunningInstance.start(`instance:
  name: alpha
openai:
  api: ${api}
  model: m1
  baseUrl: ${endpoint.url}/v1
  apiKeyEnv: FLOTILLA_TEST_NO_KEY
  timeoutSeconds: ${timeoutSeconds}
retries:
  default:
    initialIntervalSeconds: 0.05
    maximumAttempts: 3
`);
}

/** A new task whose first message makes the endpoint behave as scripted for the word. */
async function say(api: WireApiName, word: string): Promise<Conversation> {
  const conversation = { url: instances.get(api)?.url ?? '', ref: `github:o/${word}#1` };
  await createTask(conversation.url, `say ${word}`, conversation);
  return conversation;
}

/** The conversation waits, and the newest change of its state tells this error. */
async function awaitFailure({ url, ref }: Conversation, errorCode: string): Promise<void> {
  await awaitParked(url, { ref }, { subState: 'AWAITING_MESSAGE' });
  const { events } = await readGraphQL(
    url,
    'query ($ref: ID!) { events(first: 100, filter: { ref: $ref, types: ["task.status"] }) { nodes { data } } }',
    { ref },
  );
  expect(events.nodes.at(-1).data, ref).toMatchObject({ state: 'INPUT_REQUIRED', errorCode });
}

async function expectMended({ url, ref }: Conversation): Promise<void> {
  await sendMessage(url, 'say fine', { ref });
  await awaitReply(url, { ref }, 'All is well.');
}

/** Ids of the calls and of the results that a request shows to the model, in their order. */
function callIdsOf(body: Readonly<Record<string, unknown>>): {
  readonly calls: readonly unknown[];
  readonly results: readonly unknown[];
} {
  const input = (body.input ?? []) as readonly { type?: string; call_id?: string }[];
  const messages = (body.messages ?? []) as readonly {
    tool_calls?: readonly { id: string }[];
    tool_call_id?: string;
  }[];
  return {
    calls: [
      ...input.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id),
      ...messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)),
    ],
    results: [
      ...input.filter(({ type }) => type === 'function_call_output').map(({ call_id }) => call_id),
      ...messages.flatMap(({ tool_call_id }) => tool_call_id ?? []),
    ],
  };
}
