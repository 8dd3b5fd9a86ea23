import { describe, expect, test } from 'vitest';
import { FakeModel } from '../../support/FakeModel.ts';
import { type OpenWorker, openWorker } from '../../support/openWorker.ts';

const CREATE =
  'mutation ($input: CreateTaskInput!) { createTask(input: $input) { ref state subState name } }';
const READ = `query ($ref: ID!) {
  task(ref: $ref) { state subState statusMessage lastReply paused participants { id kind role }
    history { nodes { __typename ... on HistoryMessage { role participant text } } } }
}`;

async function create({ ask }: OpenWorker, input: Record<string, unknown> = {}): Promise<string> {
  return (await ask(CREATE, { input })).createTask.ref;
}

/** Waits in the task's events until it is parked or ended. */
async function awaitStop(open: OpenWorker, ref: string): Promise<void> {
  const events = await open.listen(
    `subscription { taskEvents(after: "0", ref: "${ref}") { type task { state queuedMessages } } }`,
    'taskEvents',
  );
  for await (const { type, task } of events) {
    if (type === 'task.status' && task.state !== 'WORKING' && task.queuedMessages === 0) return;
  }
}

describe('createTask', () => {
  test('numbers tasks that have no ref, and lets one without a message wait for it', async () => {
    await using open = await openWorker();
    const { createTask } = await open.ask(CREATE, { input: { name: 'Ledger' } });
    expect(createTask).toEqual({
      ref: 'flotilla:alpha/task#1',
      state: 'INPUT_REQUIRED',
      subState: 'AWAITING_MESSAGE',
      name: 'Ledger',
    });
    expect(await create(open)).toBe('flotilla:alpha/task#2');
  });

  test.each([{}, { message: 'Find the order' }])(
    'with a message id that was sent before gives the same task: %j',
    async (input) => {
      await using open = await openWorker();
      const first = await create(open, { ...input, messageId: 'm1' });
      expect(await create(open, { ...input, messageId: 'm1' })).toBe(first);
      expect(await create(open, { ...input, messageId: 'm2' })).not.toBe(first);
    },
  );

  test('puts sender, agent, named participants and operator on the task, each once', async () => {
    await using open = await openWorker();
    const participants = [
      { id: 'bob', role: 'WATCHER' },
      { id: 'alice', role: 'ADMIN' },
    ];
    const ref = await create(open, { participant: 'alice', participants });
    const { task } = await open.ask(READ, { ref });
    expect(task.participants).toEqual([
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE' },
      { id: 'bob', kind: 'HUMAN', role: 'WATCHER' },
      { id: 'alice', kind: 'HUMAN', role: 'ADMIN' },
      { id: 'operator', kind: 'HUMAN', role: 'ADMIN' },
    ]);
  });

  test('a second open task for one ref is a conflict, a new one after its end is not', async () => {
    await using open = await openWorker();
    await create(open, { ref: 'github:octo/repo#15' });
    expect(await open.refusal(CREATE, { input: { ref: 'github:octo/repo#15' } })).toMatchObject({
      code: 'CONFLICT',
    });
    await open.ask('mutation { cancelTask(ref: "github:octo/repo#15") { ref } }');
    expect(await create(open, { ref: 'github:octo/repo#15' })).toBe('github:octo/repo#15');
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['a ref outside the grammar', { ref: 'no ref' }, /ref/],
    ['a ref that only the instance gives out', { ref: 'flotilla:alpha/task#9' }, /flotilla/],
    ['a blank message', { message: '   ' }, /^Cannot read message: the text is empty/],
    ['a name that is too long', { name: 'x'.repeat(501) }, /^Cannot read name: the text has 501 characters/],
    ['a participant without an id', { participants: [{ id: ' ', role: 'ADMIN' }] }, /participant's id/],
    ['a model with white space', { settings: { model: 'a b' } }, /settings\.model/],
  ])('refuses %s', async (_, input, message) => {
    await using open = await openWorker();
    const refusal = await open.refusal(CREATE, { input });
    expect(refusal).toEqual({ code: 'BAD_USER_INPUT', message: expect.stringMatching(message) });
    expect((await open.ask('{ tasks { nodes { ref } } }')).tasks.nodes).toEqual([]);
  });
});

describe('sendMessage', () => {
  const SEND = `mutation ($ref: ID!, $text: String!, $messageId: ID, $participant: String) {
    sendMessage(ref: $ref, text: $text, messageId: $messageId, participant: $participant) {
      instance ref messageId accepted duplicate state cursor }
  }`;

  test('delivers a message that the agent answers, each id once', async () => {
    await using open = await openWorker({ model: new FakeModel([{ text: 'Hi.' }]) });
    const ref = await create(open);
    const variables = { ref, text: 'hello', messageId: 'm1' };
    expect((await open.ask(SEND, variables)).sendMessage).toMatchObject({
      instance: 'alpha',
      ref,
      messageId: 'm1',
      accepted: true,
      duplicate: false,
    });
    await awaitStop(open, ref);
    expect((await open.ask(SEND, variables)).sendMessage.duplicate).toBe(true);
    const { task } = await open.ask(READ, { ref });
    expect(task.lastReply).toBe('Hi.');
    expect(task.history.nodes).toEqual([
      { __typename: 'HistoryMessage', role: 'USER', participant: 'operator', text: 'hello' },
      { __typename: 'HistoryMessage', role: 'ASSISTANT', participant: null, text: 'Hi.' },
    ]);
  });

  test('answers a stranger as if the task were not there', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    const stranger = await open.refusal(SEND, { ref, text: 'hello', participant: 'mallory' });
    const nobody = await open.refusal(SEND, { ref: 'github:octo/none#1', text: 'hello' });
    expect(stranger.code).toBe('NOT_FOUND');
    expect(stranger.message.replace(ref, 'github:octo/none#1')).toBe(nobody.message);
  });

  test('a task that has ended names its state', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    await open.ask('mutation ($ref: ID!) { completeTask(ref: $ref) { state } }', { ref });
    expect(await open.refusal(SEND, { ref, text: 'hello' })).toEqual({
      code: 'CONFLICT',
      message: expect.stringContaining('COMPLETED'),
    });
  });
});

test.each(['completeTask', 'cancelTask'])('%s of an ended task says what cannot be done', async (field) => {
  await using open = await openWorker();
  const ref = await create(open);
  await open.ask('mutation ($ref: ID!) { completeTask(ref: $ref) { ref } }', { ref });
  expect(await open.refusal(`mutation ($ref: ID!) { ${field}(ref: $ref) { ref } }`, { ref })).toEqual({
    code: 'CONFLICT',
    message: `Cannot ${field.replace('Task', ' task')} "${ref}": the task is COMPLETED, an open task is expected`,
  });
});

describe('runCommand', () => {
  const RUN = `mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { name ok text error } }`;

  test('waits for the reply, and needs no model', async () => {
    const model = new FakeModel([]);
    await using open = await openWorker({ model });
    const ref = await create(open);
    const { runCommand } = await open.ask(RUN, { ref, text: '/model m2' });
    expect(runCommand).toMatchObject({
      name: 'model',
      ok: true,
      text: expect.stringContaining('m2'),
      error: null,
    });
    expect(
      (await open.ask('query ($ref: ID!) { task(ref: $ref) { settings { model } } }', { ref })).task,
    ).toEqual({
      settings: { model: 'm2' },
    });
    expect(model.requests).toEqual([]);
  });

  test('an unknown command is answered with what is near', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    const { runCommand } = await open.ask(RUN, { ref, text: '/modle' });
    expect(runCommand).toMatchObject({
      ok: false,
      error: 'command.unknown',
      text: expect.stringContaining('model'),
    });
  });

  test('refuses a text that is no command', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    expect(await open.refusal(RUN, { ref, text: 'hello' })).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('controlSession and closeSession', () => {
  const CONTROL = `mutation ($ref: ID!, $verb: String!) {
    controlSession(ref: $ref, verb: $verb) { verb effect exitCode messages { stream text } }
  }`;

  test('pause holds the next turn back, resume lets it start', async () => {
    const model = new FakeModel([{ text: 'Hi.' }]);
    await using open = await openWorker({ model });
    const ref = await create(open);
    expect((await open.ask(CONTROL, { ref, verb: 'pause' })).controlSession.effect).toBe('paused');
    await open.ask('mutation ($ref: ID!) { sendMessage(ref: $ref, text: "hello") { accepted } }', { ref });
    expect((await open.ask(READ, { ref })).task).toMatchObject({ paused: true, state: 'INPUT_REQUIRED' });
    expect(model.requests).toEqual([]);
    await open.ask(CONTROL, { ref, verb: 'resume' });
    await awaitStop(open, ref);
    expect((await open.ask(READ, { ref })).task.lastReply).toBe('Hi.');
  });

  test('stop cancels; on an ended task every verb is refused with exit code 1', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    expect((await open.ask(CONTROL, { ref, verb: 'stop' })).controlSession).toMatchObject({
      effect: 'stopped',
      exitCode: 0,
    });
    expect((await open.ask(READ, { ref })).task.state).toBe('CANCELED');
    expect((await open.ask(CONTROL, { ref, verb: 'pause' })).controlSession).toMatchObject({
      effect: 'rejected',
      exitCode: 1,
    });
    const { closeSession } = await open.ask(
      'mutation ($ref: ID!) { closeSession(ref: $ref) { closed exitCode } }',
      { ref },
    );
    expect(closeSession).toEqual({ closed: false, exitCode: 1 });
  });

  test('a verb that does not exist is named with those that do', async () => {
    await using open = await openWorker();
    const ref = await create(open);
    expect(await open.refusal(CONTROL, { ref, verb: 'explode' })).toEqual({
      code: 'BAD_USER_INPUT',
      message: expect.stringContaining('start, pause, resume, stop, cleanup'),
    });
  });
});

test('a worker has no registry to change', async () => {
  await using open = await openWorker();
  const refusal = await open.refusal('mutation { unregisterInstance(name: "beta") { written } }');
  expect(refusal).toEqual({ code: 'BAD_USER_INPUT', message: expect.stringContaining('instance.role') });
});

test('a change of the configuration is in the log, keys only', async () => {
  await using open = await openWorker();
  await open.ask('mutation { updateConfig(patch: { tasks: { maxTurns: 7 } }) { changed written } }');
  const { events } = await open.ask(
    '{ events(first: 10, filter: { types: ["config.*"] }) { nodes { type data } } }',
  );
  expect(events.nodes).toEqual([
    { type: 'config.updated', data: { path: open.worker.config.path, keys: ['tasks.maxTurns'] } },
  ]);
});
