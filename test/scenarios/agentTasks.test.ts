/** What an agent does beside talking: sub-tasks, questions, tasks for others; and conversations that outgrow their context. */
import { expect } from 'vitest';
import type { ModelProvider, ModelRequest } from '../../subgraph/models/ModelProvider.ts';
import type { JsonObject } from '../../subgraph/task/index.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { eventsOf, statusesOf } from '../support/taskAccount.ts';
import {
  awaitParked,
  awaitReply,
  awaitState,
  createTask,
  readTask,
  sendMessage,
} from '../support/taskClient.ts';
import {
  type HostedConfig,
  type HostedInstance,
  hostedTest,
  openHosted,
  type TaskHost,
} from '../support/taskHosts.ts';

const REF = 'github:o/r#1';
const GOAL = 'Check the ledger';
const SPAWN = { tool: 'spawn_subtask', arguments: { name: 'Ledger', goal: GOAL } };

/*
 * Feature: Sub-tasks
 * Scenario: a parent waits for the sub-task that its agent has started, and replies once with what came of it
 *   Requirement: spec/worker.md#36
 *   Requirement: spec/worker.md#44
 *   Given an agent that starts a sub-task and has a text in its next turn
 *   When a message is sent, and the sub-task's agent answers only later
 *   Then the parent is WORKING after that text, without a reply
 *   And when the sub-task has answered, it is COMPLETED with its text and never parked
 *   And the parent has one more turn, whose request tells the sub-task's id, state and words as untrusted
 *   And its one reply is the text of that turn
 */
hostedTest(
  'a parent waits for the sub-task that its agent has started, and replies once with what came of it',
  async (host) => {
    const gate = Promise.withResolvers<void>();
    await using instance = await open(host, async (request) => {
      if (isAbout(request, GOAL)) {
        await gate.promise;
        return { text: 'The ledger is fine.' };
      }
      return [{ call: SPAWN }, { text: 'I wait for it.' }, { text: 'All is fine.' }][turnsBefore(request)];
    });
    await createTask(instance.url, 'Is all well?', { ref: REF });
    const waiting = await awaitState(async () => {
      const task = await readTask(instance.url, { ref: REF });
      expect(task.turns).toBe(2);
      return task;
    });
    expect(waiting).toMatchObject({ state: 'WORKING', lastReply: null });

    gate.resolve();
    await awaitReply(instance.url, { ref: REF }, 'All is fine.');

    const child = await readChild(instance.url);
    expect(child).toMatchObject({
      state: 'COMPLETED',
      lifecycle: 'DELEGATED',
      statusMessage: 'The ledger is fine.',
    });
    expect(await statesOf(instance.url, child.ref)).toEqual(['WORKING', 'COMPLETED']);
    expect(await statesOf(instance.url, REF)).toEqual(['WORKING', 'INPUT_REQUIRED']);
    const told = textOf(instance.requests.at(-1));
    expect(told).toMatch(
      new RegExp(`<untrusted source="note">[\\s\\S]*${child.id}[^\\n]*COMPLETED[^\\n]*The ledger is fine\\.`),
    );
  },
);

/*
 * Feature: Sub-tasks
 * Scenario: work for a person is a task of theirs, whose answer ends it, and a command does not
 *   Requirement: spec/worker.md#27
 *   Requirement: spec/worker.md#31
 *   Requirement: spec/worker.md#69
 *   Given an agent that makes a task for alice
 *   When a message is sent
 *   Then that task is assigned to alice and waits for her answer with its goal as the status message, and the parent is WORKING
 *   And the parent cannot be completed, and the refusal names that task
 *   When alice asks /status there
 *   Then she has a reply, and the task still waits
 *   When alice answers
 *   Then it is COMPLETED with her words, which the parent's agent reads in its next turn
 */
hostedTest(
  'work for a person is a task of theirs, whose answer ends it, and a command does not',
  async (host) => {
    const make = {
      tool: 'create_task_for_participant',
      arguments: { participant_id: 'alice', name: 'Sign', goal: 'Sign the contract' },
    };
    await using instance = await open(
      host,
      (request) => [{ call: make }, { text: 'I wait for it.' }, { text: 'Thank you.' }][turnsBefore(request)],
    );
    const { url } = instance;
    await readGraphQL(url, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }', {
      input: { ref: REF, message: 'Get the contract signed', participant: 'alice' },
    });
    const child = await awaitState(async () => {
      const found = await readChild(instance.url);
      expect(found).toMatchObject({
        state: 'INPUT_REQUIRED',
        subState: 'AWAITING_ANSWER',
        lifecycle: 'PARTICIPANT',
        statusMessage: 'Sign the contract',
        participants: expect.arrayContaining([{ id: 'alice', role: 'ASSIGNEE' }]),
      });
      return found;
    });
    await expect(
      readGraphQL(instance.url, 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref: REF }),
    ).rejects.toThrow(child.id);
    expect((await readTask(instance.url, { ref: REF })).state).toBe('WORKING');

    const { runCommand } = await readGraphQL(
      instance.url,
      'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/status", participant: "alice") { ok } }',
      { ref: child.ref },
    );
    expect(runCommand).toEqual({ ok: true });
    expect((await readTask(instance.url, { ref: child.ref })).state).toBe('INPUT_REQUIRED');

    await readGraphQL(
      url,
      'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "Signed in blue ink", participant: "alice") { ref } }',
      { ref: child.ref },
    );
    await awaitReply(instance.url, { ref: REF }, 'Thank you.');

    expect(await readChild(instance.url)).toMatchObject({
      state: 'COMPLETED',
      statusMessage: 'Signed in blue ink',
    });
    expect(textOf(instance.requests.at(-1))).toMatch(
      new RegExp(`${child.id}[^\\n]*COMPLETED[^\\n]*Signed in blue ink`),
    );
  },
);

/*
 * Feature: Sub-tasks
 * Scenario: a task is not completed over an open sub-task, and is when that has ended
 *   Requirement: spec/worker.md#31
 *   Given a task with an open sub-task of a person
 *   When it is completed
 *   Then that is refused and the sub-task's id told, and the task goes on
 *   And when the sub-task is completed, so can it be
 */
hostedTest('a task is not completed over an open sub-task, and is when that has ended', async (host) => {
  await using instance = await open(host, () => ({ text: 'Hello.' }));
  await createTask(instance.url, 'Hello', { ref: REF });
  await awaitReply(instance.url, { ref: REF }, 'Hello.');
  await readGraphQL(
    instance.url,
    'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/sub-task") { ok } }',
    {
      ref: REF,
    },
  );
  const child = await readChild(instance.url);
  const complete = 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }';
  await expect(readGraphQL(instance.url, complete, { ref: REF })).rejects.toThrow(child.id);
  expect((await readTask(instance.url, { ref: REF })).state).toBe('INPUT_REQUIRED');

  await readGraphQL(instance.url, complete, { ref: child.ref });
  await awaitState(async () => {
    expect(await readGraphQL(instance.url, complete, { ref: REF })).toEqual({
      completeTask: { state: 'COMPLETED' },
    });
  });
});

/*
 * Feature: Sub-tasks
 * Scenario: a delegated task waits for its own sub-task, which keeps the settings that it began with
 *   Requirement: spec/worker.md#31
 *   Requirement: spec/worker.md#44
 *   Requirement: spec/worker.md#49
 *   Given a delegated task with a model and an effort of its own, whose agent starts a sub-task
 *   When the sub-task's first request is made, the parent's model is changed, and its second one is made
 *   Then both requests have the model and the effort that the parent had, and so has its record
 *   And until it ends the parent cannot be completed, and the refusal names it
 *   And then the parent is COMPLETED with the text of its last turn
 */
hostedTest(
  'a delegated task waits for its own sub-task, which keeps the settings that it began with',
  async (host) => {
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const plan = {
      tool: 'create_plan',
      arguments: { steps: [{ name: 'Look', description: 'At the ledger' }] },
    };
    await using instance = await open(host, async (request) => {
      if (!isAbout(request, GOAL)) {
        return [{ call: SPAWN }, { text: 'I wait for it.' }, { text: 'All is fine.' }][turnsBefore(request)];
      }
      if (turnsBefore(request) > 0) return { text: 'The ledger is fine.' };
      asked.resolve();
      await gate.promise;
      return { call: plan };
    });
    const { url } = instance;
    await readGraphQL(url, 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }', {
      input: {
        message: 'Is all well?',
        ref: REF,
        lifecycle: 'DELEGATED',
        settings: { model: 'm2', effort: 'HIGH' },
      },
    });
    await asked.promise;
    const child = await readChild(url);
    await expect(
      readGraphQL(url, 'mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref: REF }),
    ).rejects.toThrow(child.id);
    await readGraphQL(
      url,
      'mutation ($ref: ID!) { updateTaskSettings(ref: $ref, settings: { model: "m3" }) { ref } }',
      { ref: REF },
    );
    gate.resolve();
    await awaitState(async () => {
      expect((await statesOf(url, REF)).at(-1)).toBe('COMPLETED');
    });

    const ofChild = instance.requests.filter((request) => isAbout(request, GOAL));
    expect(ofChild.map(({ model, effort }) => [model, effort])).toEqual([
      ['m2', 'HIGH'],
      ['m2', 'HIGH'],
    ]);
    const { task } = await readGraphQL(
      url,
      'query ($ref: ID!) { task(ref: $ref) { statusMessage children { settings { model effort } } } }',
      { ref: REF },
    );
    expect(task).toEqual({
      statusMessage: 'All is fine.',
      children: [{ settings: { model: 'm2', effort: 'HIGH' } }],
    });
    expect(await statesOf(url, REF)).toEqual(['WORKING', 'COMPLETED']);
  },
);

/*
 * Feature: Questions
 * Scenario: a question parks the task for the answer, which the next turn reads beside it
 *   Requirement: spec/worker.md#35
 *   Requirement: spec/worker.md#68
 *   Given an agent that asks the operator which order is meant, with options
 *   When a message is sent
 *   Then the task waits for the answer of the operator, and the question and its options are told, in the status and in an event
 *   And the question is a help request on the channel of the task, and was there before the status told it
 *   When the operator answers
 *   Then the receipt says that the task was INPUT_REQUIRED when it took the answer
 *   And no question is open, and the next request has question and answer in one item
 *   And the task is parked as awaiting a message
 */
hostedTest('a question parks the task for the answer, which the next turn reads beside it', async (host) => {
  const ask = {
    tool: 'ask_participant',
    arguments: { participant_id: 'operator', question: 'Which order?', options: ['15', '16'] },
  };
  await using instance = await open(
    host,
    (request) => [{ call: ask }, { text: 'Found.' }][turnsBefore(request)],
  );
  await createTask(instance.url, 'Find my order', { ref: REF });
  await awaitParked(instance.url, { ref: REF }, { subState: 'AWAITING_ANSWER' });
  const { id, statusMessage, question } = await readQuestion(instance.url);
  const messageId = expect.stringMatching(/:help:\d+$/);
  const asked = { participant: 'operator', text: 'Which order?', options: ['15', '16'], messageId };
  expect(question).toEqual({ ...asked, channel: { channelId: id, kind: 'help_request' } });
  expect(statusMessage).toMatch(/Which order\?[\s\S]*15, 16/);
  const events = await eventsOf(instance.url, REF);
  const stored = events.find(({ type }) => type === 'task.question');
  expect(stored?.data).toEqual({ ...asked, messageId: question.messageId, channelId: id });
  const told = events.find(({ data }) => data.subState === 'AWAITING_ANSWER');
  expect(told?.data).toMatchObject({ message: statusMessage });
  expect(stored?.offset).toBeLessThan(told?.offset ?? 0);

  const { answerQuestion: receipt } = await readGraphQL(
    instance.url,
    'mutation ($ref: ID!) { answerQuestion(ref: $ref, text: "The first one") { accepted duplicate state } }',
    { ref: REF },
  );
  expect(receipt).toEqual({ accepted: true, duplicate: false, state: 'INPUT_REQUIRED' });
  await awaitParked(instance.url, { ref: REF }, { subState: 'AWAITING_MESSAGE', lastReply: 'Found.' });
  expect((await readQuestion(instance.url)).question).toBeNull();

  const items = instance.requests.at(-1)?.input.map((entry) => ('text' in entry ? entry.text : '')) ?? [];
  expect(
    items.filter((text) => text.includes('Which order?') && text.includes('The first one')),
  ).toHaveLength(1);
});

/*
 * Feature: Compaction
 * Scenario: a first message that is too large for the context is summarised before the first turn
 *   Requirement: spec/worker.md#42
 *   Given a budget that the first message alone exceeds
 *   When it is sent
 *   Then the first request asks for a summary of it, and offers no tools
 *   And the second is the turn, with the summary and without the message
 *   And the conversation itself still has the message, and one event tells what was summarised and by how much it shrank
 */
hostedTest(
  'a first message that is too large for the context is summarised before the first turn',
  async (host) => {
    const long = `Long story. ${'x'.repeat(8_000)}`;
    await using instance = await open(
      host,
      (request) => (request.tools.length === 0 ? { text: 'A long story.' } : { text: 'I see.' }),
      { context: { turnBudgetTokens: 500, compactionFraction: 1 } },
    );
    await readGraphQL(
      instance.url,
      'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }',
      { input: { message: long, ref: REF, goal: 'Listen', name: 'Story' } },
    );
    const { texts } = await awaitReply(instance.url, { ref: REF }, 'I see.');

    expect(instance.requests).toHaveLength(2);
    const [summariser, turn] = instance.requests;
    expect(summariser?.tools).toEqual([]);
    expect(textOf(summariser)).toContain(long);
    expect(textOf(turn)).toContain('A long story.');
    expect(textOf(turn)).not.toContain('xxxx');
    expect(texts).toEqual([long, 'I see.']);
    const compactions = (await eventsOf(instance.url, REF)).filter(({ type }) => type === 'task.compacted');
    expect(compactions).toHaveLength(1);
    const sizes = (compactions[0]?.data ?? {}) as Readonly<Record<string, number>>;
    expect(sizes.removedThroughId).toBeGreaterThan(0);
    expect(sizes.tokensBefore).toBeGreaterThan(sizes.tokensAfter ?? Number.NaN);
  },
);

/*
 * Feature: Compaction
 * Scenario: the budget follows the task's model, and summaries are written by it
 *   Requirement: spec/worker.md#48
 *   Given a default model with a large window, and a small one whose share the last turn has nearly used
 *   When a message is sent, then one after /model with the small model, then one after /model default
 *   Then only the second turn is preceded by a summary
 *   And summary and turn have the model and the effort that the task has chosen
 */
hostedTest("the budget follows the task's model, and summaries are written by it", async (host) => {
  await using instance = await open(
    host,
    (request) => (request.tools.length === 0 ? { text: 'In short.' } : { text: 'Yes.' }),
    {
      context: { turnBudgetTokens: 100_000 },
      model: { provider: 'scripted' },
      openai: { modelWindows: [{ model: 'small-model', tokens: 1_000 }] },
    },
  );
  const kinds = () =>
    instance.requests.map(({ model, tools }) => `${tools.length > 0 ? 'turn' : 'summary'} ${model}`);
  await createTask(instance.url, 'One', { ref: REF });
  await awaitTurns(instance.url, 1);
  await sendMessage(instance.url, 'Two', { ref: REF });
  await awaitTurns(instance.url, 2);
  for (const text of ['/model small-model', '/effort high']) await runCommand(instance.url, text);
  await sendMessage(instance.url, 'Three', { ref: REF });
  await awaitTurns(instance.url, 3);
  await runCommand(instance.url, '/model default');
  await sendMessage(instance.url, 'Four', { ref: REF });
  await awaitTurns(instance.url, 4);

  expect(kinds()).toEqual(['turn d', 'turn d', 'summary small-model', 'turn small-model', 'turn d']);
  expect(instance.requests.map(({ effort }) => effort)).toEqual([
    undefined,
    undefined,
    'HIGH',
    'HIGH',
    'HIGH',
  ]);
});

/*
 * Feature: Task settings
 * Scenario: the settings of a task hold for its turns, its summaries and where its needs for help go
 *   Requirement: spec/worker.md#46
 *   Given a task with the model m2, whose small window the last turn has nearly used, and the effort high
 *   When a message is sent, and a need for help of the task is to be routed
 *   Then the requests for the summary, the turn and the route have m2 and high, and the route is that of the model
 *   When somebody who is not on the task has a need routed
 *   Then there is no such task for them, and the model is not asked
 */
hostedTest(
  'the settings of a task hold for its turns, its summaries and where its needs for help go',
  async (host) => {
    const route = {
      route: 'ask',
      participant_id: 'operator',
      question: 'Is it 7 or 8?',
      options: ['7', '8'],
    };
    await using instance = await open(
      host,
      ({ responseFormat, tools }) => {
        if (responseFormat) return { text: JSON.stringify({ ...route, reason: 'Only the operator knows.' }) };
        return { text: tools.length === 0 ? 'In short.' : 'Yes.' };
      },
      {
        context: { turnBudgetTokens: 100_000 },
        model: { provider: 'scripted' },
        openai: { modelWindows: [{ model: 'm2', tokens: 1_000 }] },
      },
    );
    const kindOf = ({ responseFormat, tools }: ModelRequest) =>
      responseFormat ? 'route' : tools.length === 0 ? 'summary' : 'turn';
    await createTask(instance.url, 'One', { ref: REF });
    await awaitTurns(instance.url, 1);
    await sendMessage(instance.url, 'Two', { ref: REF });
    await awaitTurns(instance.url, 2);
    for (const text of ['/model m2', '/effort high']) await runCommand(instance.url, text);
    await sendMessage(instance.url, 'Three', { ref: REF });
    await awaitTurns(instance.url, 3);
    const { data } = await routeHelp(instance.url);
    expect(data?.routeHelp).toEqual({
      route: 'ASK',
      participant: 'operator',
      question: 'Is it 7 or 8?',
      options: ['7', '8'],
      goal: null,
      reason: 'Only the operator knows.',
    });
    expect(
      instance.requests.slice(2).map((request) => [kindOf(request), request.model, request.effort]),
    ).toEqual([
      ['summary', 'm2', 'HIGH'],
      ['turn', 'm2', 'HIGH'],
      ['route', 'm2', 'HIGH'],
    ]);

    const { errors } = await routeHelp(instance.url, 'mallory');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect(instance.requests).toHaveLength(5);
  },
);

function routeHelp(url: string, participant = 'operator') {
  return askGraphQL(
    url,
    `mutation ($ref: ID!, $participant: String) {
      routeHelp(ref: $ref, question: "Which order?", options: ["7", "8"], participant: $participant) {
        route participant question options goal reason } }`,
    { ref: REF, participant },
  );
}

async function readQuestion(url: string) {
  const { task } = await readGraphQL(
    url,
    `query ($ref: ID!) { task(ref: $ref) {
      id statusMessage question { participant text options messageId channel { channelId kind } } } }`,
    { ref: REF },
  );
  return task;
}

interface Reply {
  readonly text?: string;
  readonly call?: { readonly tool: string; readonly arguments: JsonObject };
}

type Answer = (request: ModelRequest) => Reply | undefined | Promise<Reply | undefined>;

/** An instance in this process whose model answers from a function and keeps what it was asked. */
async function open(
  host: TaskHost,
  answer: Answer,
  config: HostedConfig = {},
): Promise<HostedInstance & { readonly requests: readonly ModelRequest[] }> {
  const requests: ModelRequest[] = [];
  const model: ModelProvider = {
    name: 'fake',
    defaultModel: 'd',
    defaultEffort: undefined,
    allowedModels: [],
    async respond(request) {
      requests.push(request);
      const { text = '', call } = (await answer(request)) ?? {};
      return {
        text,
        toolCalls: call ? [{ callId: `call-${requests.length}`, ...call }] : [],
        usage: { inputTokens: 900, cachedTokens: 0, outputTokens: 10 },
        model: request.model,
        finish: call ? 'toolCalls' : 'stop',
      };
    },
  };
  return Object.assign(await openHosted(host, { config, model }), { requests });
}

function turnsBefore({ input }: ModelRequest): number {
  return input.filter(
    (entry) => entry.kind === 'toolCall' || (entry.kind === 'message' && entry.role === 'ASSISTANT'),
  ).length;
}

function isAbout({ input }: ModelRequest, goal: string): boolean {
  const [first] = input;
  return first?.kind === 'message' && first.text.includes(`Goal: ${goal}`);
}

function textOf(request: ModelRequest | undefined): string {
  return (request?.input ?? []).map((entry) => ('text' in entry ? entry.text : '')).join('\n');
}

async function awaitTurns(url: string, turns: number): Promise<void> {
  await awaitState(async () => {
    expect(await readTask(url, { ref: REF })).toMatchObject({ state: 'INPUT_REQUIRED', turns });
  });
}

async function runCommand(url: string, text: string): Promise<void> {
  const mutation = 'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { ok } }';
  expect(await readGraphQL(url, mutation, { ref: REF, text })).toEqual({ runCommand: { ok: true } });
}

interface ChildView {
  readonly ref: string;
  readonly id: string;
  readonly state: string;
  readonly statusMessage: string;
}

/** The one task beside the parent. */
async function readChild(url: string): Promise<ChildView> {
  const { tasks } = await readGraphQL(
    url,
    '{ tasks { nodes { ref id state subState lifecycle statusMessage participants { id role } } } }',
  );
  const child = (tasks.nodes as readonly ChildView[]).find(({ ref }) => ref !== REF);
  if (!child) throw new Error('There is no sub-task');
  return child;
}

async function statesOf(url: string, ref: string): Promise<readonly string[]> {
  return (await statusesOf(url, ref)).map(({ state }) => state);
}
