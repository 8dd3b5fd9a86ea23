/** Subscriptions, replays and notices over the A2A face of an instance, on every host of tasks (docs/guides/a2a.md). */
import { expect } from 'vitest';
import type { HookDefinition } from '../../server/index.ts';
import { type A2AClient, completion, messageOf, statesOf } from '../support/A2AClient.ts';
import { readGraphQL } from '../support/askGraphQL.ts';
import { countingTool } from '../support/countingTool.ts';
import { openA2AFace } from '../support/openA2AFace.ts';
import { awaitState } from '../support/taskClient.ts';
import { hostedTest } from '../support/taskHosts.ts';

const PARKED = { state: 'TASK_STATE_INPUT_REQUIRED' };

/** A data part with an envelope. */
function envelope(payload: object): object {
  return { mediaType: 'application/vnd.flotilla.event+json', data: { kind: 'task', payload } };
}

/** A task of alice on which bob watches and ops is an admin. */
async function startWatched(alice: A2AClient): Promise<string> {
  const participants = [
    { id: 'bob', kind: 'human', role: 'watcher' },
    { id: 'ops', kind: 'human', role: 'admin' },
  ];
  const parts = [{ text: 'Hello' }, envelope({ name: 'Order 7', goal: 'Find it', participants })];
  const { task } = await alice.call('SendMessage', messageOf(parts as never));
  return task.id;
}

/*
 * Feature: Subscriptions over A2A
 * Scenario: subscribers of a parked task stay attached until it ends
 *   Requirement: spec/worker.md#3
 *   Requirement: spec/worker.md#28
 *   Requirement: spec/worker.md#13.9
 *   Requirement: spec/worker.md#13.10
 *   Given a parked task of alice, to which bob, a watcher, has subscribed, and alice, too
 *   When bob reads and lists it, alice sends the next message, and bob completes the task
 *   Then both see the work and the new reply without another request, and stay attached
 *   And both streams end behind the completion with its text, which is bob's answer, too
 */
hostedTest('subscribers of a parked task stay attached until it ends', async (host) => {
  await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }]);
  const [alice, bob] = [face.as('alice'), face.as('bob')];
  const id = await startWatched(alice);
  using watched = await bob.stream('SubscribeToTask', { id });
  using own = await alice.httpStream(`/tasks/${id}:subscribe`);
  const streams = [watched, own];
  for (const stream of streams) {
    expect((await stream.next()).task).toMatchObject({ id, status: PARKED });
    await stream.until(({ status }) => status.message?.parts[0].text === 'One');
  }
  expect(await bob.call('GetTask', { id })).toMatchObject({ id });
  expect((await bob.call('ListTasks', {})).tasks).toMatchObject([{ id }]);

  await alice.call('SendMessage', messageOf('Go on', { taskId: id }));
  for (const stream of streams) {
    expect(await stream.next()).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
    const parked = { ...PARKED, message: { parts: [{ text: 'Two' }] } };
    expect(await stream.next()).toMatchObject({ statusUpdate: { status: parked } });
    expect(stream.isEnded).toBe(false);
  }

  const { task } = await bob.call('SendMessage', messageOf(completion('It is done'), { taskId: id }));
  expect(statesOf([{ task }])).toEqual(['task COMPLETED It is done']);
  for (const stream of streams) {
    expect(statesOf(await stream.rest())).toEqual(['COMPLETED It is done']);
    expect(stream.isEnded).toBe(true);
  }
});

/*
 * Feature: Subscriptions over A2A
 * Scenario: a task that has ended is replayed by the next process
 *   Requirement: spec/worker.md#12
 *   Requirement: spec/worker.md#13.11
 *   Given a task that has answered twice and was completed, and another one with the same ref
 *   When the instance is started again, and alice subscribes to the first one
 *   Then the stream has the task, then each status of its own once and in order, and ends
 */
hostedTest('a task that has ended is replayed by the next process', async (host) => {
  await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }, { text: 'Other' }]);
  const ref = 'github:o/r#1';
  const create = 'mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }';
  const input = { ref, message: 'First', participant: 'alice' };
  const { createTask } = await readGraphQL(face.instance.url, create, { input });
  const { id } = createTask;
  using live = await face.as('alice').stream('SubscribeToTask', { id });
  await live.until(({ status }) => status.message?.parts[0].text === 'One');
  await face.as('alice').call('SendMessage', messageOf('Second', { taskId: id }));
  await face.as('alice').call('SendMessage', messageOf(completion('Enough'), { taskId: id }));
  await live.rest();
  await readGraphQL(face.instance.url, create, { input: { ...input, message: 'Another' } });

  await face.instance.restart();
  using replayed = await face.as('alice').stream('SubscribeToTask', { id });
  expect(statesOf(await replayed.rest())).toEqual([
    'task COMPLETED Enough',
    'WORKING',
    'INPUT_REQUIRED One',
    'WORKING',
    'INPUT_REQUIRED Two',
    'COMPLETED Enough',
  ]);
  expect(replayed.isEnded).toBe(true);
});

/*
 * Feature: Subscriptions over A2A
 * Scenario: a client that leaves, and an instance that stops, end a stream and nothing else
 *   Requirement: docs/guides/a2a.md#streams
 *   Given a task that waits for a tool, a sender that waits for it, and a subscriber
 *   When the sender goes away, and then the instance is stopped and started again
 *   Then the subscriber's stream ends with the instance, and the task goes on to its answer
 */
hostedTest(
  'a client that leaves, and an instance that stops, end a stream and nothing else',
  async (host) => {
    const gate = Promise.withResolvers<void>();
    const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
    const replies = [{ toolCalls: [{ tool: 'get_order', arguments: {} }] }, { text: 'Found' }];
    await using face = await openA2AFace(host, replies, { tools: [order.tool] });
    const alice = face.as('alice');
    const sender = await alice.stream('SendStreamingMessage', messageOf('Find order 7'));
    const { id } = (await sender.next()).task;
    using subscriber = await alice.stream('SubscribeToTask', { id });
    await subscriber.next();
    await order.called;
    sender[Symbol.dispose]();
    const waiting = alice.call('SendMessage', messageOf('And order 8?', { taskId: id }));
    await awaitState(async () => {
      const { tasks } = await readGraphQL(face.instance.url, '{ tasks { nodes { queuedMessages } } }');
      expect(tasks.nodes).toEqual([{ queuedMessages: 1 }]);
    });

    const restarted = face.instance.restart();
    const { task } = await waiting;
    expect(task).toMatchObject({ id, status: { state: 'TASK_STATE_WORKING' } });
    await subscriber.rest();
    expect(subscriber.isEnded).toBe(true);
    gate.resolve();
    await restarted;
    await awaitState(async () =>
      expect(await face.as('alice').call('GetTask', { id })).toMatchObject({
        status: { ...PARKED, message: { parts: [{ text: 'Found' }] } },
      }),
    );
  },
);

/*
 * Feature: Refused messages over A2A
 * Scenario: a refused message does not wake a task, and whoever watches is told why
 *   Requirement: spec/worker.md#34
 *   Given a parked task of alice, whose hook refuses a word, and a subscriber
 *   When mallory writes to it past the face, and alice sends the word
 *   Then both are told to the subscriber in the state of before, with the reason and without the texts
 *   And alice's stream ends with her notice, the stored status is still the reply, and no model was asked
 *   And her next message is answered
 */
hostedTest('a refused message does not wake a task, and whoever watches is told why', async (host) => {
  const refuse: HookDefinition = {
    name: 'refuse',
    points: ['request.received.pre'],
    execute: (context) =>
      (context as { message: { text: string } }).message.text.includes('gossip')
        ? { abort: { reason: 'policy', message: 'No such talk here' } }
        : undefined,
  };
  await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }], { hooks: [refuse] });
  const alice = face.as('alice');
  const { id } = await alice.startTask('Hello');
  using subscriber = await alice.stream('SubscribeToTask', { id });
  await subscriber.until(({ status }) => status.message?.parts[0].text === 'One');

  const { tasks } = await readGraphQL(face.instance.url, '{ tasks { nodes { ref } } }');
  const leave =
    'mutation ($ref: ID!) { sendMessage(ref: $ref, text: "let me in", participant: "mallory") { ref } }';
  await expect(readGraphQL(face.instance.url, leave, { ref: tasks.nodes[0].ref })).rejects.toThrow();
  const params = messageOf('some gossip', { taskId: id });
  using sent = await alice.stream('SendStreamingMessage', params);
  const own = (await sent.rest()).at(-1);

  const waits = { 'dev.flotilla/status': { sub_state: 'awaiting_message' } };
  const stranger = (await subscriber.next()).statusUpdate;
  expect(stranger.metadata).toMatchObject({
    ...waits,
    'dev.flotilla/refusal': { code: 'channel.not_a_member' },
  });
  expect(statesOf([{ statusUpdate: stranger }])[0]).toMatch(/^INPUT_REQUIRED .*mallory/);
  const refused = await subscriber.next();
  expect(refused).toEqual(own);
  expect(refused.statusUpdate.metadata).toEqual({
    ...waits,
    'dev.flotilla/refusal': { message_id: params.message.messageId, code: 'hook.abort' },
  });
  expect(statesOf([refused])[0]).toMatch(/^INPUT_REQUIRED .*No such talk here/);
  expect(JSON.stringify([stranger, refused])).not.toMatch(/let me in|gossip/);
  expect(await alice.call('GetTask', { id })).toMatchObject({
    status: { ...PARKED, message: { parts: [{ text: 'One' }] } },
    metadata: waits,
  });
  expect(face.model.requests).toHaveLength(1);

  const { task } = await alice.call('SendMessage', messageOf('and now?', { taskId: id }));
  expect(statesOf([{ task }])).toEqual(['task INPUT_REQUIRED Two']);
});

/*
 * Feature: Envelopes over A2A
 * Scenario: an envelope changes what its sender may change, or nothing
 *   Requirement: spec/worker.md#45
 *   Given a task of alice with ops, an admin
 *   When alice sends other criteria, then other participants, and ops the same participants, and alice a plan
 *   Then the criteria and, in the order given, the participants of ops are told as changes of the task
 *   And alice's participants and her plan are refused by name, and their texts reach nobody
 */
hostedTest('an envelope changes what its sender may change, or nothing', async (host) => {
  await using face = await openA2AFace(host, [{ text: 'One' }, { text: 'Two' }, { text: 'Three' }]);
  const [alice, ops] = [face.as('alice'), face.as('ops')];
  const id = await startWatched(alice);
  const send = async (client: A2AClient, payload: object, text: string) => {
    const params = messageOf([{ text }, envelope(payload)] as never, { taskId: id });
    using stream = await client.stream('SendStreamingMessage', params);
    return await stream.rest();
  };
  const dataOf = ({ task }: { task: { metadata: Readonly<Record<string, unknown>> } }) =>
    task.metadata['dev.flotilla/task'];

  const changed = await send(alice, { acceptance_criteria: [{ text: 'It arrives' }] }, 'See above');
  expect(dataOf(changed[1])).toMatchObject({ acceptance_criteria: [{ text: 'It arrives', met: false }] });
  expect(changed.at(-1).statusUpdate.status).toMatchObject({
    ...PARKED,
    message: { parts: [{ text: 'Two' }] },
  });

  const participants = [
    { id: 'ops', kind: 'human', role: 'admin', display_name: '' },
    { id: 'alice', kind: 'human', role: 'watcher', display_name: 'Alice' },
    { id: 'flotilla', kind: 'agent', role: 'assignee', display_name: '' },
  ];
  const refused = await send(alice, { participants }, 'crimson');
  expect(statesOf(refused).at(-1)).toMatch(/^INPUT_REQUIRED .*admin/);
  const plan = await send(alice, { plan: { steps: [] }, goal: 'Lose it' }, 'crimson');
  expect(statesOf(plan).at(-1)).toMatch(/^INPUT_REQUIRED .*plan, goal/);

  const allowed = await send(ops, { participants }, 'All of them');
  expect(dataOf(allowed[1])).toMatchObject({ participants });
  expect(face.model.requests).toHaveLength(3);
  expect(JSON.stringify(face.model.requests)).not.toContain('crimson');
});
