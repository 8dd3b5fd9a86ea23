/** Processes that are killed at the turning points of a task, on every host of tasks. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { readGraphQL } from '../../support/askGraphQL.ts';
import { FakeEndpoint } from '../../support/FakeEndpoint.ts';
import { InstanceProcess } from '../../support/InstanceProcess.ts';
import { startJsonRpcServer } from '../../support/JsonRpcServer.ts';
import { eventsOf, type LoggedEvent, statusesOf } from '../../support/taskAccount.ts';
import {
  awaitParked,
  awaitReply,
  awaitState,
  createTask,
  readTask,
  sendMessage,
} from '../../support/taskClient.ts';
import { configOf, hostedTest } from '../../support/taskHosts.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { writePlugin } from '../../support/writePlugin.ts';

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

/** What the executor of the command is asked by. */
const EXECUTOR = 'commands.fork';

const FORK = [
  { kind: 'reply', text: 'Started {child.1}' },
  { kind: 'spawn', name: 'a fork' },
  { kind: 'settings', model: 'm7', effort: 'low' },
];

/*
 * Feature: Durable tasks
 * Scenario: a task asks, delegates and ends as if its process had not been killed at each of these points
 *   Requirement: spec/worker.md#13.4
 *   Requirement: spec/worker.md#38
 *   Given an agent that asks the operator, then starts a sub-task, then replies
 *   When the process is killed behind the question, in the model call of the sub-task, behind the reply, and behind the completion
 *   Then each time it goes on where it was: question, answer, sub-task, reply and end are there once
 *   And the model was asked once for each turn, and once more for the one in which it was killed
 *   And the log has that one attempt as lost, and no other one as failed
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
    const { events } = await readGraphQL(
      worker.url,
      '{ events(first: 1000) { nodes { offset type data } } }',
    );
    const nodes: readonly LoggedEvent[] = events.nodes;
    expect(nodes.filter(({ type }) => type === 'task.attemptFailed')).toMatchObject([
      { data: { effect: 'callModel', attempt: 1, code: 'attempt.lost', retryInMs: 0 } },
    ]);
    const offsets = nodes.map(({ offset }) => offset);
    expect(offsets).toEqual(offsets.map((_, index) => index + 1));
  },
);

/*
 * Feature: Slash commands
 * Scenario: a command is done once and in its order, though its process was killed between its steps
 *   Requirement: spec/worker.md#26
 *   Given a command that returns a reply, a sub-task and settings, and hooks that are told of the sub-task before and behind its start
 *   When it is sent, and the process is killed in the first hook, and again in the second one
 *   Then until then the settings are as before each time, and nothing is told of the command
 *   And when it is done, its executor was asked once
 *   And the settings have changed, the sub-task is there with them, and the reply names it: each once, in this order
 */
hostedTest(
  'a command is done once and in its order, though its process was killed between its steps',
  async (host) => {
    using folder = temporaryDirectory();
    const asked: string[] = [];
    const isFirst = (method: string) => asked.filter((each) => each === method).length === 1;
    await using desk = await startJsonRpcServer((method) => {
      asked.push(method);
      if (method === EXECUTOR) return { result: { intents: FORK } };
      // The process dies while it waits for the first answer of each hook.
      return isFirst(method) ? () => {} : { result: null };
    });
    const plugin = writePlugin(join(folder.path, 'desk'), {
      'dev.flotilla/hooks.json': {
        hooks: [{ name: 'told', points: ['subtask.spawned.pre', 'subtask.spawned.post'], url: desk.url }],
      },
      'dev.flotilla/commands.json': {
        commands: [{ name: 'fork', description: 'Starts a sub-task.', url: desk.url }],
      },
    });
    await using worker = new InstanceProcess('alpha', join(folder.path, 'alpha'), {
      plugins: [{ path: plugin }],
      scripted: { replies: [{ text: 'Hello.' }] },
      ...(await configOf(host)),
    });
    await worker.start();
    await createTask(worker.url, 'Hello', KEY);
    await awaitReply(worker.url, KEY, 'Hello.');
    const told = async () =>
      (await eventsOf(worker.url, REF)).filter(({ type }) => type !== 'task.attemptFailed');
    const seen = (await told()).length;

    await sendMessage(worker.url, '/fork', KEY);
    for (const hook of ['subtask.spawned.pre', 'subtask.spawned.post']) {
      // Temporal misses a heartbeat before it knows that the process is gone.
      await expect.poll(() => asked, { timeout: 60_000 }).toContain(hook);
      expect(await settingsOf(worker.url, REF)).toEqual({ model: null, effort: null });
      expect(await told()).toHaveLength(seen);
      await worker.kill();
      await worker.start();
    }
    await expect
      .poll(async () => (await told()).at(-1)?.type, { timeout: 60_000 })
      .toBe('task.commandReplied');

    expect(asked.filter((method) => method === EXECUTOR)).toHaveLength(1);
    const events = (await told()).slice(seen);
    expect(events).toMatchObject([
      { type: 'task.updated', data: { settings: { model: 'm7', effort: 'LOW' } } },
      { type: 'task.childStarted' },
      { type: 'task.commandReplied', data: { ok: true } },
    ]);
    const { childId, childRef } = events[1]?.data ?? {};
    expect(events[2]?.data.text).toBe(`Started ${childId}`);
    expect(await settingsOf(worker.url, REF)).toEqual({ model: 'm7', effort: 'LOW' });
    expect(await settingsOf(worker.url, String(childRef))).toEqual({ model: 'm7', effort: 'LOW' });
    const { tasks } = await readGraphQL(worker.url, '{ tasks(first: 10) { nodes { ref } } }');
    expect(tasks.nodes).toHaveLength(2);
  },
);

async function settingsOf(url: string, ref: string) {
  const { task } = await readGraphQL(
    url,
    'query ($ref: ID!) { task(ref: $ref) { settings { model effort } } }',
    { ref },
  );
  return task.settings;
}

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
