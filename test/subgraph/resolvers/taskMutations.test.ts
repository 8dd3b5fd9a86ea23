import { describe, expect, test } from 'vitest';
import { FakeModel } from '../../support/FakeModel.ts';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

const ASK_ALICE = {
  toolCalls: [
    {
      tool: 'ask_participant',
      arguments: { participant_id: 'alice', question: 'Which order?', options: ['7', '8'] },
    },
  ],
};

const READ = `query ($ref: ID!) { task(ref: $ref) {
  state subState paused name description acceptanceCriteria { text met }
  participants { id role } settings { model effort } budget { turns tokens cost } heldBy errorCode statusMessage
  question { participant text options messageId askedAt } lastReply turns version
  origin { ref version } history { nodes { ... on HistoryMessage { text } } }
} }`;

async function create(open: OpenWorker, input: Record<string, unknown> = {}): Promise<string> {
  const { createTask } = await open.ask(
    'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }',
    { input },
  );
  return createTask.ref;
}

async function read({ ask }: OpenWorker, ref: string) {
  return (await ask(READ, { ref })).task;
}

/** Resolves with the task when it has these values. */
async function awaitTask(open: OpenWorker, ref: string, wanted: Record<string, unknown>) {
  await expect.poll(() => read(open, ref), { timeout: 10_000 }).toMatchObject(wanted);
  return read(open, ref);
}

describe('answerQuestion', () => {
  const ANSWER = `mutation ($ref: ID!, $text: String!, $messageId: ID, $participant: String) {
    answerQuestion(ref: $ref, text: $text, messageId: $messageId, participant: $participant) {
      instance ref messageId accepted duplicate state cursor
    }
  }`;

  async function asked(): Promise<OpenWorker & { readonly ref: string; readonly model: FakeModel }> {
    const model = new FakeModel([ASK_ALICE, { text: 'Order 7 it is.' }]);
    const open = await openWorker({ model });
    const ref = await create(open, { message: 'Find the order', participant: 'alice' });
    await awaitTask(open, ref, { subState: 'AWAITING_ANSWER' });
    return { ...open, ref, model };
  }

  test('as the one who is asked closes the question, and the agent reads both', async () => {
    await using open = await asked();
    const { ref, model } = open;
    expect((await read(open, ref)).question).toEqual({
      participant: 'alice',
      text: 'Which order?',
      options: ['7', '8'],
      messageId: expect.stringContaining(':help:'),
      askedAt: expect.any(String),
    });
    const { answerQuestion } = await open.ask(ANSWER, { ref, text: '/7', messageId: 'a1' });
    expect(answerQuestion).toMatchObject({ instance: 'alpha', ref, messageId: 'a1', duplicate: false });
    const task = await awaitTask(open, ref, { lastReply: 'Order 7 it is.' });
    expect(task).toMatchObject({ question: null, subState: 'AWAITING_MESSAGE' });
    expect(JSON.stringify(model.requests[1])).toContain('Question: Which order?\\nAnswer: /7');
  });

  test('that is sent again is a duplicate, whether or not a question is open', async () => {
    await using open = await asked();
    const { ref } = open;
    await open.ask(ANSWER, { ref, text: '7', messageId: 'a1' });
    await awaitTask(open, ref, { lastReply: 'Order 7 it is.' });
    const again = await open.ask(ANSWER, { ref, text: '7', messageId: 'a1' });
    expect(again.answerQuestion).toMatchObject({ messageId: 'a1', duplicate: true });
    expect((await read(open, ref)).turns).toBe(2);
  });

  test('of somebody else is refused, and so is one to no question', async () => {
    await using open = await asked();
    const { ref } = open;
    expect(await open.refusal(ANSWER, { ref, text: '7', participant: 'operator' })).toEqual({
      code: 'CONFLICT',
      message: `Cannot answer "${ref}": "operator" is not asked, an answer of "alice" is expected`,
    });
    expect((await read(open, ref)).question).not.toBeNull();
    const other = await create(open);
    expect(await open.refusal(ANSWER, { ref: other, text: '7' })).toEqual({
      code: 'CONFLICT',
      message: `Cannot answer "${other}": no question is open, one is expected`,
    });
  });
});

describe('sendMessage with interrupt', () => {
  test('cuts the running turn short, so that the next one begins with the message', async () => {
    const model = new FakeModel([{ text: 'never said' }, { text: 'Stopped.' }]);
    model.hold();
    await using open = await openWorker({ model });
    const ref = await create(open, { message: 'Count to a million' });
    await model.requested(1);
    await open.ask(
      'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "Stop", interrupt: true) { accepted } }',
      { ref },
    );
    await model.requested(2);
    expect(JSON.stringify(model.requests[1])).toContain('Stop');
    model.release();
    await awaitTask(open, ref, { state: 'INPUT_REQUIRED' });
  });
});

describe('pauseTask and resumeTask', () => {
  test('hold the next turn back and let it start', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    await using open = await openWorker({ model });
    const ref = await create(open);
    const pause = 'mutation ($ref: ID!) { pauseTask(ref: $ref) { paused } }';
    expect((await open.ask(pause, { ref })).pauseTask).toEqual({ paused: true });
    await open.ask('mutation ($ref: ID!) { sendMessage(ref: $ref, text: "hello") { accepted } }', { ref });
    expect(model.requests).toEqual([]);
    const { resumeTask } = await open.ask('mutation ($ref: ID!) { resumeTask(ref: $ref) { paused } }', {
      ref,
    });
    expect(resumeTask).toEqual({ paused: false });
    await awaitTask(open, ref, { lastReply: 'Hi.' });
  });

  test('of an ended task say what cannot be done', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    await open.ask('mutation ($ref: ID!) { cancelTask(ref: $ref) { ref } }', { ref });
    expect(await open.refusal('mutation ($ref: ID!) { pauseTask(ref: $ref) { ref } }', { ref })).toEqual({
      code: 'CONFLICT',
      message: `Cannot pause task "${ref}": the task is CANCELED, an open task is expected`,
    });
  });
});

describe('updateTask', () => {
  const UPDATE = `mutation ($ref: ID!, $input: UpdateTaskInput!, $participant: String) {
    updateTask(ref: $ref, input: $input, participant: $participant) {
      name description acceptanceCriteria { text met } participants { id role } version
    }
  }`;

  test('replaces what it names, and asks no model', async () => {
    const model = new FakeModel([]);
    await using open = await openWorker({ model });
    const ref = await create(open, { name: 'Ledger', description: 'of March' });
    const input = { acceptanceCriteria: [{ text: 'it adds up', met: true }, { text: 'it is signed' }] };
    const { updateTask } = await open.ask(UPDATE, { ref, input });
    expect(updateTask).toMatchObject({
      name: 'Ledger',
      description: 'of March',
      acceptanceCriteria: [
        { text: 'it adds up', met: true },
        { text: 'it is signed', met: false },
      ],
    });
    expect(await read(open, ref)).toMatchObject({ state: 'INPUT_REQUIRED', turns: 0 });
    expect(model.requests).toEqual([]);
  });

  test('of the participants is an admin’s, and keeps the agent', async () => {
    await using open = await openWorker();
    const ref = await create(open, { participant: 'alice' });
    const input = {
      participants: [
        { id: 'operator', role: 'ADMIN' },
        { id: 'bob', role: 'WATCHER' },
      ],
    };
    expect(await open.refusal(UPDATE, { ref, input, participant: 'alice' })).toEqual({
      code: 'CONFLICT',
      message: expect.stringMatching(/^Cannot update task .*an admin is expected$/),
    });
    const { updateTask } = await open.ask(UPDATE, { ref, input });
    expect(updateTask.participants).toEqual([
      { id: 'operator', role: 'ADMIN' },
      { id: 'bob', role: 'WATCHER' },
      { id: 'flotilla', role: 'ASSIGNEE' },
    ]);
  });

  test.each([
    [{ name: ' ' }, 'Cannot read name: the text is empty'],
    [{ acceptanceCriteria: [{ text: '' }] }, 'Cannot read criterion: the text is empty'],
    [{ participants: [{ id: ' ', role: 'ADMIN' }] }, 'the participant\'s id " " holds'],
  ])('refuses %j', async (input, message) => {
    await using open = await openWorker();
    const ref = await create(open);
    expect(await open.refusal(UPDATE, { ref, input })).toEqual({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining(message),
    });
  });
});

describe('updateTaskSettings', () => {
  const UPDATE = `mutation ($ref: ID!, $settings: TaskSettingsInput!) {
    updateTaskSettings(ref: $ref, settings: $settings) { settings { model effort } }
  }`;

  test('sets, keeps what is not named, and clears with null', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    const set = async (settings: object) =>
      (await open.ask(UPDATE, { ref, settings })).updateTaskSettings.settings;
    expect(await set({ model: 'm2', effort: 'HIGH' })).toEqual({ model: 'm2', effort: 'HIGH' });
    expect(await set({ effort: 'LOW' })).toEqual({ model: 'm2', effort: 'LOW' });
    expect(await set({ model: null })).toEqual({ model: null, effort: 'LOW' });
  });

  test('takes no model that is not allowed', async () => {
    await using open = await openWorker({ model: new FakeModel([], { allowedModels: ['m1'] }) });
    const ref = await create(open);
    expect(await open.refusal(UPDATE, { ref, settings: { model: 'm2' } })).toEqual({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('one of m1 is expected'),
    });
  });
});

describe('setTaskBudget', () => {
  const SET = `mutation ($ref: ID!, $budget: TaskBudgetInput!) {
    setTaskBudget(ref: $ref, budget: $budget) { budget { turns tokens cost } heldBy }
  }`;

  test('a task that reaches its budget waits, and goes on when it is raised', async () => {
    await using open = await openWorker({ model: new FakeModel([{ text: 'r1' }, { text: 'r2' }]) });
    const ref = await create(open, { message: 'm1', budget: { turns: 1 } });
    await awaitTask(open, ref, { lastReply: 'r1' });
    await open.ask('mutation ($ref: ID!) { sendMessage(ref: $ref, text: "m2") { accepted } }', { ref });
    await awaitTask(open, ref, {
      state: 'INPUT_REQUIRED',
      heldBy: 'TURNS',
      errorCode: 'task.budget_reached',
      turns: 1,
    });
    const { setTaskBudget } = await open.ask(SET, { ref, budget: { turns: 5 } });
    expect(setTaskBudget).toEqual({ budget: { turns: 5, tokens: null, cost: null }, heldBy: null });
    await awaitTask(open, ref, { lastReply: 'r2', errorCode: null });
  });

  test('of somebody who is no admin is refused', async () => {
    await using open = await openWorker();
    const ref = await create(open, { participants: [{ id: 'bob', role: 'WATCHER' }], budget: { turns: 1 } });
    const text =
      'mutation ($ref: ID!) { setTaskBudget(ref: $ref, participant: "bob", budget: { turns: null }) { ref } }';
    expect(await open.refusal(text, { ref })).toEqual({
      code: 'CONFLICT',
      message: expect.stringContaining('"bob" sets limits and is no admin'),
    });
    expect((await read(open, ref)).budget).toMatchObject({ turns: 1 });
  });

  test('keeps limits that are not named, and lifts with null', async () => {
    await using open = await openWorker();
    const ref = await create(open, { budget: { tokens: 4_000_000_000 } });
    const set = async (budget: object) => (await open.ask(SET, { ref, budget })).setTaskBudget.budget;
    expect(await set({ cost: 2.5 })).toEqual({ turns: null, tokens: 4_000_000_000, cost: 2.5 });
    expect(await set({ tokens: null })).toEqual({ turns: null, tokens: null, cost: 2.5 });
    expect(await set({ cost: null })).toBeNull();
  });

  test.each([
    [{ cost: -1 }, 'Cannot set budget: "cost" is -1, 0 to 1000000 is expected'],
    [{ turns: 1.5 }, 'Cannot read Count'],
    [{ tokens: -1 }, 'Cannot read Count'],
  ])('refuses %j', async (budget, message) => {
    await using open = await openWorker();
    const ref = await create(open);
    expect((await open.refusal(SET, { ref, budget })).message).toContain(message);
  });
});

describe('forkTask', () => {
  const FORK = `mutation ($ref: ID!, $atVersion: Int!, $message: String, $newRef: ID, $messageId: ID, $participant: String) {
    forkTask(ref: $ref, atVersion: $atVersion, message: $message, newRef: $newRef, messageId: $messageId, participant: $participant) {
      ref name origin { ref version }
    }
  }`;

  async function talked(): Promise<OpenWorker & { readonly ref: string }> {
    const open = await openWorker({
      model: new FakeModel([{ text: 'r1' }, { text: 'r2' }, { text: 'other' }]),
    });
    const ref = await create(open, { name: 'Ledger', message: 'm1' });
    await awaitTask(open, ref, { lastReply: 'r1' });
    await open.ask('mutation ($ref: ID!) { sendMessage(ref: $ref, text: "m2") { accepted } }', { ref });
    await awaitTask(open, ref, { lastReply: 'r2' });
    return { ...open, ref };
  }

  test('goes on from a past version by another way, and leaves the other task as it is', async () => {
    await using open = await talked();
    const { ref } = open;
    const before = await read(open, ref);
    const { forkTask } = await open.ask(FORK, { ref, atVersion: 2, message: 'another m2' });
    expect(forkTask).toEqual({
      ref: 'flotilla:alpha/task#2',
      name: 'Ledger',
      origin: { ref, version: 2 },
    });
    const forked = await awaitTask(open, forkTask.ref, { lastReply: 'other' });
    expect(forked.history.nodes).toEqual(['m1', 'r1', 'another m2', 'other'].map((text) => ({ text })));
    expect(await read(open, ref)).toEqual(before);
  });

  test('that is sent again with its message id is the same task', async () => {
    await using open = await talked();
    const { ref } = open;
    const fork = { ref, atVersion: 2, newRef: 'github:octo/repo#15', messageId: 'f1' };
    for (let time = 1; time <= 2; time++) {
      expect((await open.ask(FORK, fork)).forkTask.ref).toBe('github:octo/repo#15');
    }
    expect((await open.ask('{ tasks { nodes { ref } } }')).tasks.nodes).toHaveLength(2);
  });

  test('with a message id that has created something else is refused', async () => {
    await using open = await talked();
    const { ref } = open;
    await create(open, { messageId: 'c1' });
    await open.ask(FORK, { ref, atVersion: 2, messageId: 'f1' });
    for (const fork of [
      { ref, atVersion: 3, messageId: 'f1' },
      { ref, atVersion: 2, messageId: 'c1' },
    ]) {
      expect(await open.refusal(FORK, fork)).toEqual({
        code: 'CONFLICT',
        message: expect.stringContaining('a new id is expected'),
      });
    }
    expect((await open.ask('{ tasks { nodes { ref } } }')).tasks.nodes).toHaveLength(3);
  });

  test.each([
    ['a version that is not there', { atVersion: 99 }, 'NOT_FOUND', 'version is 99, 1 to 4 is expected'],
    ['a stranger', { atVersion: 2, participant: 'mallory' }, 'NOT_FOUND', 'no task has the key'],
    ['a command', { atVersion: 2, message: '/status' }, 'BAD_USER_INPUT', 'is a slash command'],
    ['a ref outside the grammar', { atVersion: 2, newRef: 'self' }, 'BAD_USER_INPUT', 'ref is "self"'],
  ])('refuses %s, and starts nothing', async (_, change, code, message) => {
    await using open = await talked();
    expect(await open.refusal(FORK, { ref: open.ref, ...change })).toEqual({
      code,
      message: expect.stringContaining(message),
    });
    expect((await open.ask('{ tasks { nodes { ref } } }')).tasks.nodes).toHaveLength(1);
  });
});

describe('createTask', () => {
  test('of lifecycle DELEGATED completes with its reply', async () => {
    await using open = await openWorker({ model: new FakeModel([{ text: 'done' }]) });
    const ref = await create(open, { message: 'm1', lifecycle: 'DELEGATED' });
    await awaitTask(open, ref, { state: 'COMPLETED', statusMessage: 'done' });
  });

  test('takes no lifecycle that only agents give', async () => {
    await using open = await openWorker();
    const text = 'mutation { createTask(input: { lifecycle: PARTICIPANT }) { ref } }';
    expect(await open.refusal(text)).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('ids', () => {
  const LONG = 'x'.repeat(201);
  const CREATE = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref } }';
  const ARGUMENTS = '$ref: ID!, $participant: String, $messageId: ID';
  const PASSED = 'participant: $participant, messageId: $messageId';

  test.each([
    ['sendMessage', `mutation (${ARGUMENTS}) { sendMessage(ref: $ref, text: "x", ${PASSED}) { ref } }`],
    ['leaveMessage', `mutation (${ARGUMENTS}) { leaveMessage(ref: $ref, text: "x", ${PASSED}) }`],
    ['forkTask', `mutation (${ARGUMENTS}) { forkTask(ref: $ref, atVersion: 1, ${PASSED}) { ref } }`],
  ])('%s takes no id that could pass for another and none that is too long', async (_, text) => {
    await using open = await openWorker();
    const ref = await create(open);
    for (const ids of [{ participant: '[operator]' }, { participant: 'bob ' }, { messageId: LONG }]) {
      expect(await open.refusal(text, { ref, ...ids })).toMatchObject({ code: 'BAD_USER_INPUT' });
    }
    expect((await read(open, ref)).version).toBe(1);
  });

  test.each([
    ['a sender in brackets', { participant: '[operator]' }, 'square brackets'],
    ['a sender of two lines', { participant: 'alice\nbob' }, 'control characters'],
    ['a sender of 129 characters', { participant: 'x'.repeat(129) }, '1 to 128'],
    ['a participant with white space', { participants: [{ id: ' bob', role: 'WATCHER' }] }, 'outer white'],
    ['a long message id', { messageId: LONG }, 'at most 200'],
    ['a message of white space', { message: ' ' }, 'the text is empty'],
    [
      'a participant twice',
      { participants: ['ADMIN', 'WATCHER'].map((role) => ({ id: 'bob', role })) },
      '"bob" comes twice',
    ],
  ])('createTask does not take %s', async (_, input, message) => {
    await using open = await openWorker();
    expect(await open.refusal(CREATE, { input })).toEqual({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining(message),
    });
    expect((await open.ask('{ tasks { nodes { ref } } }')).tasks.nodes).toEqual([]);
  });
});

describe('the operator', () => {
  test.each([undefined, 'operator', 'alice'])(
    'is an admin of a task that %s creates',
    async (participant) => {
      await using open = await openWorker();
      const ref = await create(open, { participant });
      const { participants } = await read(open, ref);
      expect(participants).toContainEqual({ id: 'operator', role: 'ADMIN' });
      const change =
        'mutation ($ref: ID!) { setTaskBudget(ref: $ref, budget: { turns: 9 }) { budget { turns } } }';
      expect(await open.ask(change, { ref })).toEqual({ setTaskBudget: { budget: { turns: 9 } } });
    },
  );
});

describe('schedules and deleteSchedule', () => {
  const READ_SCHEDULES = '{ schedules { instance id intervalSeconds nextAt lastAt result error } }';

  test('the heartbeat is there, and is gone when it is deleted', async () => {
    await using open = await openWorker({ config: 'heartbeat:\n  intervalSeconds: 3600\n' });
    expect((await open.ask(READ_SCHEDULES)).schedules).toEqual([
      {
        instance: 'alpha',
        id: 'flotilla-heartbeat',
        intervalSeconds: 3600,
        nextAt: expect.any(String),
        lastAt: null,
        result: null,
        error: null,
      },
    ]);
    const remove = 'mutation { deleteSchedule(id: "flotilla-heartbeat") }';
    expect(await open.ask(remove)).toEqual({ deleteSchedule: true });
    expect(await open.ask(remove)).toEqual({ deleteSchedule: false });
    expect(await open.ask('{ schedules { id } }')).toEqual({ schedules: [] });
  });
});
