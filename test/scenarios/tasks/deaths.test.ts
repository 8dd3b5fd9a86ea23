/** Processes that are killed at the turning points of a task, on every host of tasks. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { readGraphQL } from '../../support/askGraphQL.ts';
import { FakeEndpoint } from '../../support/FakeEndpoint.ts';
import { InstanceProcess } from '../../support/InstanceProcess.ts';
import { eventsOf, statusesOf } from '../../support/taskAccount.ts';
import { awaitParked, awaitState, createTask, readTask, sendMessage } from '../../support/taskClient.ts';
import { configOf, hostedTest } from '../../support/taskHosts.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const REF = 'github:o/r#1';
const KEY = { ref: REF };
const GOAL = 'Check the ledger';

/** What the agent of the parent does, one request after the other. */
const PARENT = [
  callOf('ask_participant', { participant_id: 'operator', question: 'Which ledger?' }),
  callOf('spawn_subtask', { name: 'Ledger', goal: GOAL }),
  textOf('I wait for it.'),
  textOf('All is fine.'),
];

/*
 * Feature: Durable tasks
 * Scenario: a task asks, delegates and ends as if its process had not been killed at each of these points
 *   Requirement: spec/worker.md#13.4
 *   Given an agent that asks the operator, then starts a sub-task, then replies
 *   When the process is killed behind the question, in the model call of the sub-task, behind the reply, and behind the completion
 *   Then each time it goes on where it was: question, answer, sub-task, reply and end are there once
 *   And the model was asked once for each turn, and once more for the one in which it was killed
 *   And the log has no gap and the task's states are those of a life without deaths
 */
hostedTest(
  'a task asks, delegates and ends as if its process had not been killed at each of these points',
  async (host) => {
    using folder = temporaryDirectory();
    await using endpoint = await startModel();
    await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'), {
      openai: {
        api: 'chat_completions',
        model: 'm1',
        baseUrl: `${endpoint.url}/v1`,
        apiKeyEnv: 'NO_SUCH_KEY',
      },
      ...(await configOf(host)),
    });
    const dieAndReturn = async () => {
      await worker.kill();
      await worker.start();
    };
    await worker.start();
    await createTask(worker.url, 'Is all well?', KEY);
    await awaitParked(worker.url, KEY, { subState: 'AWAITING_ANSWER' });
    await dieAndReturn();
    expect(await readTask(worker.url, KEY)).toMatchObject({ subState: 'AWAITING_ANSWER', turns: 1 });

    await sendMessage(worker.url, 'The main one', KEY);
    await awaitState(async () => {
      expect(endpoint.requests.filter(isOfChild)).toHaveLength(1);
      expect(await readTask(worker.url, KEY)).toMatchObject({ turns: 3 });
    });
    await dieAndReturn();
    // Temporal misses a heartbeat before it knows.
    await expect
      .poll(async () => (await readTask(worker.url, KEY)).lastReply, { timeout: 90_000 })
      .toBe('All is fine.');
    await dieAndReturn();
    expect(await readTask(worker.url, KEY)).toMatchObject({ subState: 'AWAITING_MESSAGE', turns: 4 });

    const { completeTask } = await readGraphQL(
      worker.url,
      'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }',
      KEY,
    );
    expect(completeTask.state).toBe('COMPLETED');
    await dieAndReturn();
    expect((await readTask(worker.url, KEY)).state).toBe('COMPLETED');

    expect(endpoint.requests.filter((request) => !isOfChild(request))).toHaveLength(4);
    expect(endpoint.requests.filter(isOfChild)).toHaveLength(2);
    expect((await statusesOf(worker.url, REF)).map(({ state, subState }) => subState ?? state)).toEqual([
      'WORKING',
      'AWAITING_ANSWER',
      'WORKING',
      'AWAITING_MESSAGE',
      'COMPLETED',
    ]);
    const types = (await eventsOf(worker.url, REF)).map(({ type }) => type);
    for (const type of ['task.created', 'task.question', 'task.answered', 'task.childStarted']) {
      expect(
        types.filter((each) => each === type),
        type,
      ).toHaveLength(1);
    }
    const { events } = await readGraphQL(worker.url, '{ events(first: 1000) { nodes { offset } } }');
    const offsets = events.nodes.map(({ offset }: { readonly offset: number }) => offset);
    expect(offsets).toEqual(offsets.map((_: number, index: number) => index + 1));
  },
);

/** Answers each agent by how often it has answered before; the first request of the sub-task never. */
async function startModel(): Promise<FakeEndpoint> {
  let ofChild = 0;
  const endpoint: FakeEndpoint = await FakeEndpoint.start((response) => {
    const request = endpoint.requests.at(-1);
    if (!request) return;
    const say = (answer: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    if (isOfChild(request)) {
      ofChild += 1;
      if (ofChild > 1) say(textOf('The ledger is fine.'));
      return;
    }
    const answered = messagesOf(request).filter(({ role }) => role === 'assistant').length;
    const answer = PARENT[answered];
    if (answer) say(answer);
  });
  return endpoint;
}

interface Asked {
  readonly body: Readonly<Record<string, unknown>>;
}

function messagesOf({ body }: Asked): readonly { readonly role: string; readonly content: unknown }[] {
  return body.messages as readonly { readonly role: string; readonly content: unknown }[];
}

function isOfChild(request: Asked): boolean {
  return messagesOf(request).some(({ content }) => String(content).includes(`Goal: ${GOAL}`));
}

function textOf(content: string): object {
  return { choices: [{ message: { content } }] };
}

function callOf(name: string, args: object): object {
  const call = { id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return { choices: [{ message: { content: null, tool_calls: [call] } }] };
}
