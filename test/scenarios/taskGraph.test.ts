/** Everything of a task through a manager: its record, its relatives, its past, and what people decide about it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { runCli } from '../support/CliProcess.ts';
import { createMemberServer } from '../support/MemberServer.ts';
import { olderSchema } from '../support/olderSchema.ts';
import { openWorker } from '../support/openWorker.ts';
import { ProcessFleet } from '../support/ProcessFleet.ts';
import { awaitParked, awaitReply, awaitState, createTask, sendMessage } from '../support/taskClient.ts';

/** The scripted model's replies to the n-th turn of every task on alpha. */
const ASKS_ALICE = {
  replies: [
    {
      toolCalls: [
        {
          tool: 'ask_participant',
          arguments: { participant_id: 'alice', question: 'Which order?', options: ['7', '8'] },
        },
      ],
    },
    { text: 'Order 7 it is.' },
  ],
};

let fleet: ProcessFleet;

beforeAll(async () => {
  fleet = await ProcessFleet.start({
    workers: {
      alpha: { scripted: ASKS_ALICE },
      beta: { heartbeat: { intervalSeconds: 3600 } },
    },
  });
});

afterAll(async () => {
  await fleet?.[Symbol.asyncDispose]();
});

/** What hq says of the task with this ref. */
async function readFields(ref: string, fields: string) {
  return (await readGraphQL(fleet.url, `query ($ref: ID!) { task(ref: $ref) { ${fields} } }`, { ref })).task;
}

/** Asks hq for a mutation of the task with this ref; `text` is what follows the ref. */
async function change(ref: string, field: string, text = '') {
  const answer = await askGraphQL(fleet.url, `mutation ($ref: ID!) { ${field}(ref: $ref ${text} }`, { ref });
  return { ...answer, result: answer.data?.[field] };
}

/*
 * Feature: Questions over the fleet
 * Scenario: a question of a worker's task is read and answered through the manager
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/worker.md#68
 *   Given a task on alpha whose agent asks alice
 *   When it is read through the manager by its ref alone
 *   Then it waits for her answer, and the question, its options and whom it asks are there
 *   When the manager is asked to answer as somebody else
 *   Then that is refused, and the question is open
 *   When it is asked to answer
 *   Then the task parks behind the reply to the answer, and no question is open
 */
test("a question of a worker's task is read and answered through the manager", async () => {
  const ref = 'github:o/ask#1';
  await readGraphQL(
    fleet.url,
    'mutation ($input: CreateTaskInput!) { createTask(input: $input, instance: "alpha") { ref } }',
    { input: { ref, message: 'Find the order', participant: 'alice' } },
  );
  await awaitState(async () =>
    expect(await readFields(ref, 'instance subState question { participant text options }')).toEqual({
      instance: 'alpha',
      subState: 'AWAITING_ANSWER',
      question: { participant: 'alice', text: 'Which order?', options: ['7', '8'] },
    }),
  );

  const refused = await change(ref, 'answerQuestion', ', text: "8", participant: "operator") { ref }');
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'task.not_asked' });

  const { result } = await change(ref, 'answerQuestion', ', text: "7") { instance duplicate state }');
  expect(result).toMatchObject({ instance: 'alpha', duplicate: false });
  await awaitReply(fleet.url, { ref }, 'Order 7 it is.');
  expect(await readFields(ref, 'question { text }')).toEqual({ question: null });
});

/*
 * Feature: The past of a task
 * Scenario: a past version of a worker's task is read through the manager, and another way is taken from it
 *   Requirement: spec/manager.md#R2.3
 *   Given a task on beta that has answered two messages
 *   When the manager is asked for the task at the version of the first reply
 *   Then it is as it was then, its conversation too
 *   And a version that there never was is NOT_FOUND, with the versions that there are, also where beta is named
 *   When it is forked there with another message
 *   Then the fork runs on beta, and goes on from the first reply with that message
 *   And the other task is as it was
 */
test("a past version of a worker's task is read through the manager, and another way is taken from it", async () => {
  const ref = 'github:o/past#1';
  const forkRef = 'github:o/past#2';
  await createTask(fleet.url, 'one', { ref, instance: 'beta' });
  await awaitReply(fleet.url, { ref }, 'operator wrote 1 word on 1 line.');
  const { version } = await readFields(ref, 'version');
  await sendMessage(fleet.url, 'two words', { ref });
  await awaitReply(fleet.url, { ref }, 'operator wrote 2 words on 1 line.');
  const before = await readFields(ref, 'version lastReply updatedAt');

  const texts = 'history { nodes { ... on HistoryMessage { text } } }';
  const { task } = await readGraphQL(
    fleet.url,
    `query ($ref: ID!, $version: Int) { task(ref: $ref, atVersion: $version) { instance version lastReply ${texts} } }`,
    { ref, version },
  );
  expect(task).toEqual({
    instance: 'beta',
    version,
    lastReply: 'operator wrote 1 word on 1 line.',
    history: { nodes: [{ text: 'one' }, { text: 'operator wrote 1 word on 1 line.' }] },
  });
  for (const instance of [undefined, 'beta']) {
    const { data, errors } = await askGraphQL(
      fleet.url,
      'query ($ref: ID!, $instance: String) { task(ref: $ref, atVersion: 99, instance: $instance) { ref } }',
      { ref, instance },
    );
    expect(data.task).toBeNull();
    expect(errors?.[0]?.message).toContain(`version is 99, 1 to ${before.version} is expected`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', reason: 'task.version_not_kept' });
  }

  const { result } = await change(
    ref,
    'forkTask',
    `, atVersion: ${version}, newRef: "${forkRef}", message: "three other words") { instance ref origin { ref version } }`,
  );
  expect(result).toEqual({ instance: 'beta', ref: forkRef, origin: { ref, version } });
  const forked = await awaitReply(fleet.url, { ref: forkRef }, 'operator wrote 3 words on 1 line.');
  expect(forked.texts).toEqual([
    'one',
    'operator wrote 1 word on 1 line.',
    'three other words',
    'operator wrote 3 words on 1 line.',
  ]);
  expect(await readFields(ref, 'version lastReply updatedAt')).toEqual(before);
});

/*
 * Feature: Sub-tasks over the fleet
 * Scenario: parent and children of a worker's task are read through the manager, all stamped with the worker
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/worker.md#31
 *   Given a task on beta that was told twice to start a sub-task
 *   When it is read through the manager
 *   Then its children are there in order, each with its parent, and both are stamped with beta
 *   And it is not completed over them, and the refusal names them
 *   When both are completed by their refs
 *   Then it is completed
 */
test("parent and children of a worker's task are read through the manager, all stamped with the worker", async () => {
  const ref = 'github:o/family#1';
  await createTask(fleet.url, 'one', { ref, instance: 'beta' });
  await awaitParked(fleet.url, { ref });
  for (const _ of [1, 2]) {
    const { result } = await change(ref, 'runCommand', ', text: "/sub-task") { ok }');
    expect(result).toEqual({ ok: true });
  }

  const { children } = await readFields(
    ref,
    'children(first: 10) { instance ref id name parent { instance ref } children { ref } }',
  );
  expect(children).toEqual(
    [1, 2].map((number) => ({
      instance: 'beta',
      ref: expect.stringMatching(/^flotilla:beta\/task#\d+$/),
      id: expect.stringMatching(new RegExp(`\\.${number}$`)),
      name: `sub-task ${number}`,
      parent: { instance: 'beta', ref },
      children: [],
    })),
  );
  const refused = await change(ref, 'completeTask', ') { state }');
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', reason: 'task.open_sub_tasks' });
  for (const { id } of children) expect(refused.errors?.[0]?.message).toContain(id);

  for (const child of children) {
    const { result } = await change(child.ref, 'completeTask', ') { state }');
    expect(result).toEqual({ state: 'COMPLETED' });
  }
  await awaitState(async () => {
    const { result } = await change(ref, 'completeTask', ') { state }');
    expect(result).toEqual({ state: 'COMPLETED' });
  });
});

/*
 * Feature: A task's record over the fleet
 * Scenario: record, settings, pause and budget of a worker's task are changed through the manager
 *   Requirement: spec/manager.md#R2.3
 *   Requirement: spec/worker.md#45
 *   Given a parked task of alice on beta
 *   When she sets its acceptance criteria through the manager
 *   Then they are the task's
 *   When she sets its participants
 *   Then that is refused with a reason that says admin, and when the operator sets the same, they are the task's
 *   When its model is set, and it is paused and sent a message
 *   Then no turn has started, and with resume one does
 *   When its budget is as many turns as it has made, and it is sent a message
 *   Then it waits and says which budget holds it back, and goes on when that is lifted
 */
test("record, settings, pause and budget of a worker's task are changed through the manager", async () => {
  const ref = 'github:o/record#1';
  await readGraphQL(
    fleet.url,
    'mutation ($input: CreateTaskInput!) { createTask(input: $input, instance: "beta") { ref } }',
    { input: { ref, name: 'Ledger', participant: 'alice', lifecycle: 'CONVERSATION' } },
  );
  const criteria = 'input: { acceptanceCriteria: [{ text: "it adds up" }] }';
  const updated = await change(
    ref,
    'updateTask',
    `, ${criteria}, participant: "alice") { name acceptanceCriteria { text met } }`,
  );
  expect(updated.result).toEqual({
    name: 'Ledger',
    acceptanceCriteria: [{ text: 'it adds up', met: false }],
  });

  const people =
    'input: { participants: [{ id: "operator", role: ADMIN }, { id: "alice", role: REPORTER }, { id: "bob", role: WATCHER }] }';
  const refused = await change(ref, 'updateTask', `, ${people}, participant: "alice") { ref }`);
  expect(refused.errors?.[0]?.message).toContain('an admin is expected');
  const byAdmin = await change(ref, 'updateTask', `, ${people}) { participants { id } }`);
  expect(byAdmin.result.participants.map(({ id }: { id: string }) => id)).toEqual([
    'operator',
    'alice',
    'bob',
    'flotilla',
  ]);
  const { tasks } = await readGraphQL(
    fleet.url,
    '{ tasks(filter: { participant: "bob", lifecycles: [CONVERSATION] }) { nodes { instance ref } } }',
  );
  expect(tasks.nodes).toEqual([{ instance: 'beta', ref }]);

  const settings = await change(
    ref,
    'updateTaskSettings',
    ', settings: { model: "m2" }) { settings { model } }',
  );
  expect(settings.result).toEqual({ settings: { model: 'm2' } });
  expect((await change(ref, 'pauseTask', ') { paused }')).result).toEqual({ paused: true });
  await sendMessage(fleet.url, 'one', { ref });
  expect(await readFields(ref, 'turns queuedMessages')).toEqual({ turns: 0, queuedMessages: 1 });
  expect((await change(ref, 'resumeTask', ') { paused }')).result).toEqual({ paused: false });
  await awaitReply(fleet.url, { ref }, 'operator wrote 1 word on 1 line.');
  expect(await readFields(ref, 'usage { byModel { model } }')).toEqual({
    usage: { byModel: [{ model: 'm2' }] },
  });

  const limited = await change(
    ref,
    'setTaskBudget',
    ', budget: { turns: 1 }) { budget { turns tokens cost } }',
  );
  expect(limited.result).toEqual({ budget: { turns: 1, tokens: null, cost: null } });
  await sendMessage(fleet.url, 'two words', { ref });
  await awaitState(async () =>
    expect(await readFields(ref, 'state heldBy errorCode')).toEqual({
      state: 'INPUT_REQUIRED',
      heldBy: 'TURNS',
      errorCode: 'task.budget_reached',
    }),
  );
  expect(
    (await change(ref, 'setTaskBudget', ', budget: { turns: null }) { budget { turns } heldBy }')).result,
  ).toEqual({ budget: null, heldBy: null });
  await awaitReply(fleet.url, { ref }, 'operator wrote 2 words on 1 line.');
});

/*
 * Feature: Command line
 * Scenario: what people decide about a task is decided from the command line
 *   Requirement: README.md#quick-start
 *   Given a task on alpha whose agent asks alice
 *   When "tasks show", "answer", "budget", "pause", "resume" and "fork" are run against the manager
 *   Then the question, the limits and the origin are printed, and each command says what it did and where
 */
test('what people decide about a task is decided from the command line', async () => {
  const ref = 'github:o/cli#1';
  const forkRef = 'github:o/cli#2';
  await readGraphQL(
    fleet.url,
    'mutation ($input: CreateTaskInput!) { createTask(input: $input, instance: "alpha") { ref } }',
    { input: { ref, name: 'Order', message: 'Find the order', participant: 'alice' } },
  );
  await awaitParked(fleet.url, { ref }, { subState: 'AWAITING_ANSWER' });
  const { version } = await readFields(ref, 'version');

  expect(await tasks('show', ref)).toMatch(/^asks +alice: Which order\? \(7, 8\)$/m);
  expect(await tasks('answer', ref, '7')).toMatch(/^answered on alpha: /);
  await awaitReply(fleet.url, { ref }, 'Order 7 it is.');
  expect(await tasks('show', ref)).not.toMatch(/^asks /m);
  expect(await tasks('show', ref, '--at', String(version))).toMatch(/^asks +alice: Which order\?/m);

  expect(await tasks('budget', ref, '--turns', '9', '--cost', '2.5')).toBe(
    `${ref} on alpha: 9 turns, cost 2.5\n`,
  );
  expect(await tasks('budget', ref, '--turns', 'none')).toBe(`${ref} on alpha: cost 2.5\n`);
  expect(await tasks('pause', ref)).toBe(`${ref} on alpha: paused\n`);
  expect(await tasks('resume', ref)).toBe(`${ref} on alpha: input required, awaiting message\n`);
  expect(await tasks('fork', ref, String(version), '--ref', forkRef)).toBe(
    `${forkRef} on alpha: input required\n`,
  );
  expect(await tasks('show', forkRef)).toMatch(
    new RegExp(`^name +Order$[\\s\\S]*^copy of +${ref} at version ${version}$`, 'm'),
  );
});

/** What `flotilla tasks …` prints about the fleet; it must end well. */
async function tasks(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runCli(['tasks', ...args, '--url', fleet.url]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

/*
 * Feature: The heartbeat is a schedule
 * Scenario: the heartbeats of a fleet are seen and deleted through the manager, each on its own instance
 *   Requirement: spec/worker.md#67
 *   Requirement: spec/manager.md#R2.5
 *   Given beta with a heartbeat every hour
 *   When the manager is asked for its own schedules and for those of beta
 *   Then each has one, its own every 30 seconds and that of beta every hour
 *   When that of beta is deleted
 *   Then beta has none, a second deletion says so, and the manager still has its own
 *   And when beta is started again, it is made anew
 */
test('the heartbeats of a fleet are seen and deleted through the manager, each on its own instance', async () => {
  const schedulesOf = async (instance?: string) => {
    const { schedules } = await readGraphQL(
      fleet.url,
      'query ($instance: String) { schedules(instance: $instance) { instance id intervalSeconds } }',
      { instance },
    );
    return schedules;
  };
  const ofBeta = [{ instance: 'beta', id: 'flotilla-heartbeat', intervalSeconds: 3600 }];
  const own = [{ instance: 'hq', id: 'flotilla-heartbeat', intervalSeconds: 30 }];
  expect(await schedulesOf()).toEqual(own);
  expect(await schedulesOf('beta')).toEqual(ofBeta);

  const remove = 'mutation { deleteSchedule(id: "flotilla-heartbeat", instance: "beta") }';
  expect(await readGraphQL(fleet.url, remove)).toEqual({ deleteSchedule: true });
  expect(await readGraphQL(fleet.url, remove)).toEqual({ deleteSchedule: false });
  expect(await schedulesOf('beta')).toEqual([]);
  expect(await schedulesOf()).toEqual(own);

  await fleet.instance('beta').stop();
  await fleet.instance('beta').start();
  await awaitState(async () => expect(await schedulesOf('beta')).toEqual(ofBeta));
});

/*
 * Feature: Version skew
 * Scenario: a member that knows nothing of the newer parts of a task is served with nulls, and the others whole
 *   Requirement: spec/manager.md#N-compat
 *   Given a member that has no budget, no children, no past and no forks
 *   When the manager lists tasks with all of them
 *   Then its row is there with null in their place, a warning says so, and the rows of others are whole
 *   When they are filtered by what only newer members know
 *   Then its rows are left out, and the answer says so
 *   And what only newer members can do is NOT_SUPPORTED for its task, and nothing happened there
 */
test('a member that knows nothing of the newer parts of a task is served with nulls, and the others whole', async () => {
  await using worker = await openWorker({ name: 'old' });
  const schema = olderSchema(
    worker.worker.schema,
    new Set([
      'Task.budget',
      'Task.children',
      'Usage.byModel',
      'Query.task(atVersion)',
      'Mutation.forkTask',
      'TaskFilter.participant',
    ]),
  );
  await using member = await createMemberServer({ schema, identity: worker.worker.identity });
  await readGraphQL(
    fleet.url,
    'mutation ($url: String!) { registerInstance(name: "old", url: $url) { written } }',
    {
      url: member.url,
    },
  );
  const ref = 'github:o/skew#1';
  const budget = { turns: 9 };
  await awaitState(async () => {
    const { instances } = await readGraphQL(fleet.url, '{ instances { name state } }');
    expect(instances).toContainEqual({ name: 'old', state: 'LIVE' });
  });
  for (const [name, instance] of [
    [ref, 'old'],
    ['github:o/skew#2', 'alpha'],
  ]) {
    await readGraphQL(
      fleet.url,
      'mutation ($input: CreateTaskInput!, $instance: String) { createTask(input: $input, instance: $instance) { ref } }',
      { input: { ref: name, budget }, instance },
    );
  }

  const { data, errors, extensions } = await askGraphQL(
    fleet.url,
    '{ tasks(filter: { text: "o/skew" }, orderBy: REF_ASC) { nodes { instance turns budget { turns } children { ref } usage { byModel { model } } } } }',
  );
  expect(errors).toBeUndefined();
  expect(data.tasks.nodes).toEqual([
    { instance: 'old', turns: 0, budget: null, children: null, usage: { byModel: null } },
    { instance: 'alpha', turns: 0, budget, children: [], usage: { byModel: [] } },
  ]);
  expect(extensions.fleet.warnings).toEqual(
    ['Task.budget', 'Task.children', 'Usage.byModel'].map((field) => expect.stringContaining(field)),
  );

  const found = await askGraphQL(
    fleet.url,
    '{ tasks(filter: { text: "o/skew", participant: "operator" }) { nodes { instance } } }',
  );
  expect(found.data.tasks.nodes).toEqual([{ instance: 'alpha' }]);
  expect(found.extensions.fleet.unreachable).toMatchObject([{ instance: 'old', state: 'error' }]);

  const past = await askGraphQL(
    fleet.url,
    'query ($ref: ID!) { task(ref: $ref, atVersion: 1, instance: "old") { ref } }',
    { ref },
  );
  expect(past.errors?.[0]?.extensions.code).toBe('NOT_SUPPORTED');
  const fork = await change(ref, 'forkTask', ', atVersion: 1) { ref }');
  expect(fork.errors?.[0]?.extensions.code).toBe('NOT_SUPPORTED');
  expect((await worker.ask('{ tasks { nodes { ref } } }')).tasks.nodes).toEqual([{ ref }]);
});
