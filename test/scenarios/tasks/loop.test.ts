/** The loop from a message to its reply, what is kept of it, and what interrupts it, on every host of tasks. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askGraphQL, readGraphQL } from '../../support/askGraphQL.ts';
import { countingTool } from '../../support/countingTool.ts';
import { FakeEndpoint } from '../../support/FakeEndpoint.ts';
import { FakeModel, type FakeReply } from '../../support/FakeModel.ts';
import { InstanceProcess } from '../../support/InstanceProcess.ts';
import { eventsOf, statusesOf } from '../../support/taskAccount.ts';
import {
  awaitParked,
  awaitReply,
  awaitState,
  createTask,
  readTask,
  sendMessage,
} from '../../support/taskClient.ts';
import { configOf, hostedTest, openHosted } from '../../support/taskHosts.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };

/** Of a task, that an instance can be told to keep. */
const FEWEST_INPUTS = 256;

const CHANGES = Array.from({ length: 2 * FEWEST_INPUTS }, (_, number) => `Change ${number}`);

/*
 * Feature: Turns
 * Scenario: a message leads to its reply by way of a tool, and the past is read without doing anything again
 *   Requirement: spec/worker.md#37
 *   Given a model that calls a tool and then answers
 *   When a message is sent, and when later every version of the task is read, also after a restart
 *   Then the log has the creation, the work and the reply, in this order
 *   And the tool ran once, the model was asked twice
 *   And the versions go through the same states, without a call of the tool or the model
 */
hostedTest(
  'a message leads to its reply by way of a tool, and the past is read without doing anything again',
  async (host) => {
    const order = countingTool({ name: 'get_order', isIdempotent: true });
    const model = new FakeModel([call('get_order'), { text: 'Found.' }]);
    await using instance = await openHosted(host, { model, tools: [order.tool] });
    await createTask(instance.url, 'hi', KEY);
    await awaitReply(instance.url, KEY, 'Found.');

    const events = await eventsOf(instance.url, REF);
    expect(
      events.map(({ type }) => type).filter((type) => ['task.created', 'task.status'].includes(type)),
    ).toEqual(['task.created', 'task.status', 'task.status']);
    expect(events.find(({ type }) => type === 'task.created')?.data).toMatchObject({ state: 'SUBMITTED' });
    expect(await statusesOf(instance.url, REF)).toEqual([
      { state: 'WORKING' },
      { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', message: 'Found.' },
    ]);
    const past = await statesByVersion(instance.url);
    await instance.restart();
    expect(await statesByVersion(instance.url)).toEqual(past);
    expect(past.filter((state, index) => state !== past[index - 1])).toEqual([
      'WORKING',
      'INPUT_REQUIRED/AWAITING_MESSAGE',
    ]);
    expect(order.calls()).toBe(1);
    expect(model.requests).toHaveLength(2);
    expect(await eventsOf(instance.url, REF)).toEqual(events);
  },
);

/*
 * Feature: Durable tasks
 * Scenario: a worker killed in a tool that may be repeated calls it once more, and asks the model nothing twice
 *   Requirement: spec/worker.md#38
 *   Given a task in the middle of a call of a tool that may be repeated
 *   When its process is killed and started again
 *   Then the tool is called a second time, and the reply comes
 *   And the model was asked twice in all, and the result of the tool is there once
 */
hostedTest(
  'a worker killed in a tool that may be repeated calls it once more, and asks the model nothing twice',
  async (host) => {
    using folder = temporaryDirectory();
    // The first call is never answered.
    await using gate = await FakeEndpoint.start(() => {}, { body: 'open' });
    await using endpoint = await FakeEndpoint.start(
      {
        body: {
          choices: [
            {
              message: {
                content: null,
                tool_calls: [
                  { id: 'c1', type: 'function', function: { name: 'gate_pass', arguments: '{}' } },
                ],
              },
            },
          ],
        },
      },
      { body: { choices: [{ message: { content: 'Through.' } }] } },
    );
    await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'), {
      openai: {
        api: 'chat_completions',
        model: 'm1',
        baseUrl: `${endpoint.url}/v1`,
        apiKeyEnv: 'NO_SUCH_KEY',
      },
      mcpServers: {
        gate: {
          command: process.execPath,
          args: [join(import.meta.dirname, '../../fixtures/gateServer.ts')],
          env: { GATE_URL: gate.url },
        },
      },
      ...(await configOf(host)),
    });
    await worker.start();
    await createTask(worker.url, 'hi', KEY);
    await awaitState(async () => expect(gate.requests).toHaveLength(1));
    await worker.kill();
    await worker.start();
    // Temporal misses a heartbeat before it knows.
    await expect
      .poll(async () => (await readTask(worker.url, KEY)).lastReply, { timeout: 60_000 })
      .toBe('Through.');

    expect(gate.requests).toHaveLength(2);
    expect(endpoint.requests).toHaveLength(2);
    const returned = (await eventsOf(worker.url, REF)).filter(({ type }) => type === 'task.toolReturned');
    expect(returned).toMatchObject([{ data: { tool: 'gate.pass', isError: false } }]);
  },
);

/*
 * Feature: Durable tasks
 * Scenario: a journal that has forgotten its beginning keeps the open question, the events and the message ids
 *   Requirement: spec/worker.md#43
 *   Given an instance that keeps the fewest inputs of a task, and a task that waits for an answer
 *   When so much of its record is changed that the journal begins behind the question, and the instance is started again
 *   Then the version of the question cannot be read any more, and the question is open
 *   When it is answered
 *   Then the agent reads question and answer, and the task parks behind its reply
 *   And the log still begins with the creation and has the waiting status, and the answer sent again is a duplicate
 */
// Hundreds of requests take a busy machine a while.
test('a journal that has forgotten its beginning keeps the open question, the events and the message ids', {
  timeout: 120_000,
}, async () => {
  const model = new FakeModel([
    {
      toolCalls: [
        { tool: 'ask_participant', arguments: { participant_id: 'operator', question: 'Which order?' } },
      ],
    },
    { text: 'Order 15 it is.' },
  ]);
  const config = { retention: { journal: { inputs: FEWEST_INPUTS } } };
  await using instance = await openHosted('embedded', { model, config });
  const ask = (text: string, variables = {}) => askGraphQL(instance.url, text, { ref: REF, ...variables });
  const versionOf = async () =>
    (await ask('query ($ref: ID!) { task(ref: $ref) { version } }')).data?.task.version;
  await createTask(instance.url, 'Find my order', KEY);
  await awaitParked(instance.url, KEY, { subState: 'AWAITING_ANSWER' });
  const asked = await versionOf();

  // The beginning moves in steps of as many inputs as the fewest that are kept.
  const update =
    'mutation ($ref: ID!, $input: UpdateTaskInput!) { updateTask(ref: $ref, input: $input) { ref } }';
  await Promise.all(CHANGES.map((description) => ask(update, { input: { description } })));
  await instance.restart();
  const past = await ask(
    'query ($ref: ID!, $asked: Int!) { task(ref: $ref, atVersion: $asked) { version } }',
    { asked },
  );
  expect(past.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'task.version_not_kept' });
  const open = await ask('query ($ref: ID!) { task(ref: $ref) { subState question { text } } }');
  expect(open.data?.task).toEqual({ subState: 'AWAITING_ANSWER', question: { text: 'Which order?' } });

  const answer = () =>
    ask(
      'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "Number 15", messageId: "m-15") { duplicate } }',
    );
  expect((await answer()).data?.sendMessage).toEqual({ duplicate: false });
  await awaitParked(instance.url, KEY, { subState: 'AWAITING_MESSAGE', lastReply: 'Order 15 it is.' });
  expect(JSON.stringify(model.requests[1]?.input)).toMatch(/Which order\?.*Number 15/);
  const events = await eventsOf(instance.url, REF);
  expect(events[0]?.type).toBe('task.created');
  expect(events.filter(({ data }) => data.subState === 'AWAITING_ANSWER')).toHaveLength(1);
  expect((await answer()).data?.sendMessage).toEqual({ duplicate: true });
  expect(model.requests).toHaveLength(2);
});

/*
 * Feature: Turns
 * Scenario: a message that comes while a tool runs is read by the next request
 *   Requirement: spec/worker.md#41
 *   Given a task whose turn waits for a tool
 *   When a second message is sent and the tool returns
 *   Then its receipt says WORKING, the first request lacks it, the second has it, and the tool ran once
 */
hostedTest('a message that comes while a tool runs is read by the next request', async (host) => {
  const gate = Promise.withResolvers<void>();
  const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
  const model = new FakeModel([call('get_order'), { text: 'Found.' }]);
  await using instance = await openHosted(host, { model, tools: [order.tool] });
  await createTask(instance.url, 'hi', KEY);
  await order.called;
  const { sendMessage: receipt } = await readGraphQL(
    instance.url,
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "the blue one") { accepted state } }',
    KEY,
  );
  gate.resolve();
  await awaitReply(instance.url, KEY, 'Found.');
  expect(receipt).toEqual({ accepted: true, state: 'WORKING' });
  expect(model.requests.map(({ input }) => JSON.stringify(input).includes('the blue one'))).toEqual([
    false,
    true,
  ]);
  expect(order.calls()).toBe(1);
  const { tasks } = await readGraphQL(instance.url, '{ tasks { nodes { ref } } }');
  expect(tasks.nodes).toEqual([KEY]);
});

/*
 * Feature: Turns
 * Scenario: completing a task does not wait for its tool, whose late result changes nothing
 *   Requirement: spec/worker.md#29
 *   Given a task whose turn waits for a tool
 *   When it is completed, and the tool returns later
 *   Then it is COMPLETED within five seconds and before the tool returns
 *   And no event and no request of the model follows
 */
hostedTest(
  'completing a task does not wait for its tool, whose late result changes nothing',
  async (host) => {
    const gate = Promise.withResolvers<void>();
    const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
    const model = new FakeModel([call('get_order'), { text: 'Found.' }, { text: 'Hello.' }]);
    await using instance = await openHosted(host, { model, tools: [order.tool] });
    await createTask(instance.url, 'hi', KEY);
    await order.called;
    const startedAt = performance.now();
    const { completeTask } = await readGraphQL(
      instance.url,
      'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }',
      KEY,
    );
    expect(completeTask.state).toBe('COMPLETED');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const events = await eventsOf(instance.url, REF);
    gate.resolve();
    // Later work of the same worker is through: so is what the result could have done.
    await createTask(instance.url, 'hello', { ref: 'github:o/r#2' });
    await awaitParked(instance.url, { ref: 'github:o/r#2' });
    expect(await eventsOf(instance.url, REF)).toEqual(events);
    expect(model.requests).toHaveLength(2);
    expect(order.calls()).toBe(1);
  },
);

/*
 * Feature: Turns
 * Scenario: ten messages at once are read in the order in which they were taken, each once
 *   Requirement: spec/worker.md#13.3
 *   Given a parked task
 *   When ten messages are sent at once
 *   Then the conversation has each of them once, in the order of their acceptance
 *   And they took no more turns than there are messages
 */
hostedTest('ten messages at once are read in the order in which they were taken, each once', async (host) => {
  const model = new FakeModel(Array.from({ length: 11 }, () => ({ text: 'Noted.' })));
  await using instance = await openHosted(host, { model });
  const { url } = instance;
  await createTask(url, 'hi', KEY);
  await awaitReply(url, KEY, 'Noted.');
  const texts = Array.from({ length: 10 }, (_, index) => `message ${index}`);
  await Promise.all(
    texts.map((text, index) =>
      readGraphQL(
        url,
        'mutation ($ref: ID!, $text: String!, $messageId: ID) { sendMessage(ref: $ref, text: $text, messageId: $messageId) { state } }',
        { ...KEY, text, messageId: `m-${index}` },
      ),
    ),
  );
  const task = await awaitState(async () => {
    const now = await awaitParked(url, KEY);
    expect(now.texts.filter((text) => text.startsWith('message'))).toHaveLength(10);
    return now;
  });
  const accepted = (await eventsOf(url, REF))
    .filter(({ type }) => type === 'task.messageAccepted')
    .slice(1)
    .map(({ data }) => String(data.messageId).replace('m-', 'message '));
  expect([...accepted].sort()).toEqual(texts);
  expect(task.texts.filter((text) => text.startsWith('message'))).toEqual(accepted);
  expect(task.turns).toBeLessThanOrEqual(11);
});

/*
 * Feature: Turns
 * Scenario: a message that comes when the last reply is being judged wakes the task again at once
 *   Requirement: spec/worker.md#13.2
 *   Given a task whose reply is being judged by a hook, behind the last look at its messages
 *   When a message is sent, and the hook agrees
 *   Then the task goes on with a turn that reads the message
 */
hostedTest(
  'a message that comes when the last reply is being judged wakes the task again at once',
  async (host) => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const model = new FakeModel([{ text: 'One.' }, { text: 'Two.' }]);
    await using instance = await openHosted(host, {
      model,
      hooks: [
        {
          name: 'judge',
          points: ['task.complete.in'],
          async execute() {
            asked.resolve();
            await gate.promise;
            return undefined;
          },
        },
      ],
    });
    await createTask(instance.url, 'hi', KEY);
    await asked.promise;
    await sendMessage(instance.url, 'one more thing', KEY);
    gate.resolve();
    await awaitReply(instance.url, KEY, 'Two.');
    expect(JSON.stringify(model.requests[1]?.input)).toContain('one more thing');
    expect(model.requests).toHaveLength(2);
  },
);

function call(tool: string): FakeReply {
  return { toolCalls: [{ tool, arguments: { id: 'a' } }] };
}

/** The state of the task at each of its versions, oldest first. */
async function statesByVersion(url: string): Promise<readonly string[]> {
  const { task } = await readGraphQL(url, 'query ($ref: ID!) { task(ref: $ref) { version } }', KEY);
  const states: string[] = [];
  for (let version = 1; version <= task.version; version += 1) {
    const { task: past } = await readGraphQL(
      url,
      'query ($ref: ID!, $version: Int) { task(ref: $ref, atVersion: $version) { state subState } }',
      { ...KEY, version },
    );
    states.push([past.state, past.subState].filter(Boolean).join('/'));
  }
  return states;
}
