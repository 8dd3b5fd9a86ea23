/** One worker and its model: turns, messages and commands that meet, and ends. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { AimockServer, replyTo } from '../support/AimockServer.ts';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { EventReader } from '../support/EventReader.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import { taskEventsOverSocket } from '../support/openStreams.ts';
import { statusesOf } from '../support/taskAccount.ts';
import { awaitParked, awaitReply, createTask, readTask, sendMessage } from '../support/taskClient.ts';
import { configOf, hostedTest, sharedByHost } from '../support/taskHosts.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

interface Desk extends AsyncDisposable {
  readonly model: AimockServer;
  readonly worker: InstanceProcess;
}

/** One worker for the whole file, and an endpoint that only it asks. */
const deskOf = sharedByHost(async (host): Promise<Desk> => {
  await using resources = new AsyncDisposableStack();
  const directory = resources.adopt(temporaryDirectory(), (each) => each[Symbol.dispose]());
  const model = resources.use(await AimockServer.start());
  const worker = resources.use(
    new InstanceProcess('alpha', join(directory.path, 'alpha'), {
      ...model.configFor('chat_completions', 'default-model'),
      retries: { default: { initialIntervalSeconds: 0.05, maximumAttempts: 3 } },
      ...(await configOf(host)),
    }),
  );
  await worker.start();
  const owned = resources.move();
  return { model, worker, [Symbol.asyncDispose]: () => owned.disposeAsync() };
});

/*
 * Feature: Turns
 * Scenario: a reply parks the task until the next message, which finds the whole conversation
 *   Requirement: spec/worker.md#32
 *   Requirement: spec/worker.md#33
 *   Given a task whose model has replied
 *   When the next message is sent
 *   Then the task was parked as awaiting a message, with the reply as its status message
 *   And the next change of state is to WORKING without a sub-state, and then the task is parked again
 *   And the second request has the first message, the first reply and the second message, in order
 */
hostedTest(
  'a reply parks the task until the next message, which finds the whole conversation',
  async (host) => {
    const { model, worker } = await deskOf(host);
    const ref = 'github:o/park#1';
    await createTask(worker.url, 'say first-park', { ref });
    const parked = await awaitReply(worker.url, { ref }, replyTo('first-park'));
    expect(parked).toMatchObject({ state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', turns: 1 });

    await sendMessage(worker.url, 'say second-park', { ref });
    await awaitReply(worker.url, { ref }, replyTo('second-park'));

    expect(await statusesOf(worker.url, ref)).toEqual([
      { state: 'WORKING' },
      { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', message: replyTo('first-park') },
      { state: 'WORKING' },
      { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', message: replyTo('second-park') },
    ]);
    const [request] = model.callsFor('second-park');
    expect(request?.texts.slice(-3)).toEqual([
      expect.stringContaining('say first-park'),
      replyTo('first-park'),
      expect.stringContaining('say second-park'),
    ]);
  },
);

/*
 * Feature: Turns
 * Scenario: a message during a turn is read by the next one
 *   Requirement: spec/worker.md#41
 *   Given a task whose model call is under way
 *   When a second message is sent and the call is answered
 *   Then the message was accepted while the task was WORKING
 *   And the first request lacks it, the second has it
 */
hostedTest('a message during a turn is read by the next one', async (host) => {
  const { model, worker } = await deskOf(host);
  const ref = 'github:o/during#1';
  const held = model.hold('long-turn');
  await createTask(worker.url, 'say long-turn', { ref });
  await held.asked;

  const { sendMessage: receipt } = await readGraphQL(
    worker.url,
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "say meanwhile") { accepted duplicate state } }',
    { ref },
  );
  held.release();
  await awaitReply(worker.url, { ref }, replyTo('meanwhile'));

  expect(receipt).toEqual({ accepted: true, duplicate: false, state: 'WORKING' });
  expect(model.callsFor('long-turn')).toHaveLength(1);
  expect(model.callsFor('meanwhile')).toHaveLength(1);
  expect((await readTask(worker.url, { ref })).turns).toBe(2);
});

/*
 * Feature: Slash commands
 * Scenario: a command is answered while a turn runs, and the model never reads of it
 *   Requirement: spec/worker.md#23
 *   Requirement: spec/worker.md#24
 *   Given a task whose model call is under way
 *   When "/status" is sent, and the call is answered
 *   Then its reply comes before the answer, while the task is WORKING
 *   And the turn finishes with its one request, and no later request has the command or its reply
 */
hostedTest('a command is answered while a turn runs, and the model never reads of it', async (host) => {
  const { model, worker } = await deskOf(host);
  const ref = 'github:o/command#1';
  const held = model.hold('busy');
  await createTask(worker.url, 'say busy', { ref });
  await held.asked;

  const { runCommand } = await readGraphQL(
    worker.url,
    'mutation ($ref: ID!) { runCommand(ref: $ref, text: "/status") { ok name text } }',
    { ref },
  );
  const meanwhile = await readTask(worker.url, { ref });
  held.release();
  await awaitReply(worker.url, { ref }, replyTo('busy'));
  await sendMessage(worker.url, 'say after-command', { ref });
  await awaitReply(worker.url, { ref }, replyTo('after-command'));

  expect(runCommand).toMatchObject({ ok: true, name: 'status' });
  expect(meanwhile).toMatchObject({ state: 'WORKING', texts: ['say busy'] });
  expect(model.callsFor('busy')).toHaveLength(1);
  const read = model
    .callsFor('after-command')
    .flatMap(({ texts }) => texts)
    .join('\n');
  expect(read).not.toContain('/status');
  expect(read).not.toContain(runCommand.text);
});

/*
 * Feature: Slash commands
 * Scenario: settings chosen by commands are those of the next request
 *   Requirement: spec/worker.md#20
 *   Requirement: spec/worker.md#47
 *   Given a parked task on the default model and without an effort
 *   When "/model m2" and "/effort high" are sent, and then a message
 *   Then the requests before had the default model and no effort, the next one has m2 and high
 *   And both replies name the old and the new value, and the task has the new ones
 */
hostedTest('settings chosen by commands are those of the next request', async (host) => {
  const { model, worker } = await deskOf(host);
  const ref = 'github:o/settings#1';
  await createTask(worker.url, 'say with-defaults', { ref });
  await awaitReply(worker.url, { ref }, replyTo('with-defaults'));
  const run = async (text: string): Promise<string> => {
    const data = await readGraphQL(
      worker.url,
      'mutation ($ref: ID!, $text: String!) { runCommand(ref: $ref, text: $text) { ok text } }',
      { ref, text },
    );
    expect(data.runCommand.ok).toBe(true);
    return data.runCommand.text;
  };

  const replies = [await run('/model m2'), await run('/effort high')];
  await sendMessage(worker.url, 'say with-settings', { ref });
  await awaitReply(worker.url, { ref }, replyTo('with-settings'));

  expect(replies[0]).toMatch(/m2.*default-model/);
  expect(replies[1]).toMatch(/high.*unset/);
  const { task } = await readGraphQL(
    worker.url,
    'query ($ref: ID!) { task(ref: $ref) { settings { model effort } } }',
    { ref },
  );
  expect(task.settings).toEqual({ model: 'm2', effort: 'HIGH' });
  expect(model.callsFor('with-defaults')).toMatchObject([{ model: 'default-model', effort: undefined }]);
  expect(model.callsFor('with-settings')).toMatchObject([{ model: 'm2', effort: 'high' }]);
});

/*
 * Feature: Ends
 * Scenario: completing a task cuts its turn short, and the late answer changes nothing
 *   Requirement: spec/worker.md#29
 *   Given a task whose model call is under way
 *   When the task is completed, and the call is answered later
 *   Then the task is COMPLETED without waiting for the answer
 *   And no event, no message and no request follows
 */
hostedTest('completing a task cuts its turn short, and the late answer changes nothing', async (host) => {
  const { model, worker } = await deskOf(host);
  const ref = 'github:o/complete#1';
  const held = model.hold('too-late');
  await createTask(worker.url, 'say too-late', { ref });
  await held.asked;

  const { completeTask } = await readGraphQL(
    worker.url,
    'mutation ($ref: ID!) { completeTask(ref: $ref, text: "Enough") { state } }',
    { ref },
  );
  expect(completeTask.state).toBe('COMPLETED');
  held.release();
  // Later work of the same worker is through: so is what the answer could have done.
  await createTask(worker.url, 'say marker', { ref: 'github:o/complete#2' });
  await awaitReply(worker.url, { ref: 'github:o/complete#2' }, replyTo('marker'));

  expect((await statusesOf(worker.url, ref)).map(({ state }) => state)).toEqual(['WORKING', 'COMPLETED']);
  expect((await readTask(worker.url, { ref })).texts).not.toContain(replyTo('too-late'));
  expect(model.callsFor('too-late')).toHaveLength(1);
});

/*
 * Feature: Ends
 * Scenario: a task that has ended names its state to whoever wants to end it again
 *   Requirement: spec/worker.md#30
 *   Given a completed and a cancelled task
 *   When each is completed, cancelled and written to
 *   Then every call is a CONFLICT that names the state, and nothing is added to the tasks
 */
hostedTest('a task that has ended names its state to whoever wants to end it again', async (host) => {
  const { worker } = await deskOf(host);
  for (const [end, state] of [
    ['completeTask', 'COMPLETED'],
    ['cancelTask', 'CANCELED'],
  ] as const) {
    const ref = `github:o/${state.toLowerCase()}#1`;
    await createTask(worker.url, `say ${state}`, { ref });
    await awaitReply(worker.url, { ref }, replyTo(state));
    await readGraphQL(worker.url, `mutation ($ref: ID!) { ${end}(ref: $ref) { state } }`, { ref });
    const before = await statusesOf(worker.url, ref);

    for (const call of [
      'completeTask(ref: $ref)',
      'cancelTask(ref: $ref)',
      'sendMessage(ref: $ref, text: "Hello?")',
    ]) {
      const { errors } = await askGraphQL(worker.url, `mutation ($ref: ID!) { ${call} { ref } }`, { ref });
      expect(errors, call).toMatchObject([
        { message: expect.stringContaining(state), extensions: { code: 'CONFLICT' } },
      ]);
    }
    expect(await statusesOf(worker.url, ref)).toEqual(before);
  }
});

/*
 * Feature: Models
 * Scenario: a failure that may pass is tried again, another one parks the conversation
 *   Requirement: spec/worker.md#17
 *   Given an endpoint that answers one message with 503 first, and another with 400
 *   When both are sent
 *   Then the first is answered by the second request
 *   And the second has one request, and its conversation waits with the error, to be mended
 */
hostedTest('a failure that may pass is tried again, another one parks the conversation', async (host) => {
  const { model, worker } = await deskOf(host);
  model.fail('passing', 503);
  model.fail('lasting', 400);
  await createTask(worker.url, 'say passing', { ref: 'github:o/failure#1' });
  await createTask(worker.url, 'say lasting', { ref: 'github:o/failure#2' });

  await awaitReply(worker.url, { ref: 'github:o/failure#1' }, replyTo('passing'));
  expect(model.callsFor('passing')).toHaveLength(2);

  await awaitParked(worker.url, { ref: 'github:o/failure#2' }, { subState: 'AWAITING_MESSAGE' });
  expect((await statusesOf(worker.url, 'github:o/failure#2')).at(-1)).toHaveProperty('errorCode');
  expect(model.callsFor('lasting')).toHaveLength(1);
  await sendMessage(worker.url, 'say mended', { ref: 'github:o/failure#2' });
  await awaitReply(worker.url, { ref: 'github:o/failure#2' }, replyTo('mended'));
});

/*
 * Feature: Subscriptions
 * Scenario: a reader of one parked task stays attached until the next message, and sees no other task
 *   Requirement: spec/worker.md#3
 *   Given a parked task that a client reads the events of
 *   When another task works, and then the next message for the first is answered
 *   Then the client sees the second turn on the same connection, and nothing of the other task
 */
hostedTest(
  'a reader of one parked task stays attached until the next message, and sees no other task',
  async (host) => {
    const { worker } = await deskOf(host);
    const ref = 'github:o/attached#1';
    await createTask(worker.url, 'say attached', { ref });
    await awaitReply(worker.url, { ref }, replyTo('attached'));
    using reader = new EventReader({ open: taskEventsOverSocket(worker.url, { ref }), after: '0' });
    await reader.until(() => reader.events.some(({ type }) => type === 'task.status'));

    await createTask(worker.url, 'say elsewhere', { ref: 'github:o/attached#2' });
    await awaitReply(worker.url, { ref: 'github:o/attached#2' }, replyTo('elsewhere'));
    await sendMessage(worker.url, 'say once-more', { ref });
    await awaitReply(worker.url, { ref }, replyTo('once-more'));

    const turn = ['task.messageAccepted', 'task.status', 'task.turnStarted', 'task.status'];
    await reader.until(() => reader.events.length >= 9);
    expect(reader.events.map(({ type }) => type)).toEqual(['task.created', ...turn, ...turn]);
    expect(reader).toMatchObject({ connections: 1, desyncs: 0 });
  },
);
