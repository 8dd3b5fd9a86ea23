/** Slash commands and questions over the A2A face of an instance, on every host of tasks (docs/guides/a2a.md). */
import { expect } from 'vitest';
import type { CommandDefinition } from '../../server/index.ts';
import { completion, messageOf, statesOf } from '../support/A2AClient.ts';
import { countingTool } from '../support/countingTool.ts';
import { openA2AFace } from '../support/openA2AFace.ts';
import { hostedTest } from '../support/taskHosts.ts';

const COMMAND_PART = 'application/vnd.flotilla.command+json';

const HELLO: CommandDefinition = {
  name: 'hello',
  description: 'Greets.',
  usage: '/hello [name]',
  executor: {
    kind: 'plugin',
    execute: ({ participant, args }) => ({
      intents: [{ kind: 'reply', text: `Hello ${args || participant.id}` }],
    }),
  },
};

/*
 * Feature: Commands over A2A
 * Scenario: the card lists the commands of a program, and its command is answered
 *   Requirement: spec/worker.md#65
 *   Given an instance of a program that brings a command
 *   When its card is read and the command is sent, as a text, as a data part, and as the first message of a task
 *   Then the card lists it beside the built-in ones, and each answer ends with its reply, without a model
 *   And who waits for the answer finds the reply behind the task, whose status is as it was
 */
hostedTest('the card lists the commands of a program, and its command is answered', async (host) => {
  await using face = await openA2AFace(host, [{ text: 'One' }], { commands: [HELLO] });
  const alice = face.as('alice');
  const { extensions } = (await alice.card()).capabilities;
  const listed = extensions.find(({ uri }: { uri: string }) => uri === 'urn:flotilla:a2a:commands:v1');
  expect(listed.params.commands).toContainEqual({
    name: 'hello',
    description: 'Greets.',
    usage: '/hello [name]',
  });
  expect(listed.params.commands.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['effort', 'help', 'model', 'status', 'sub-task']),
  );

  using first = await alice.stream('SendStreamingMessage', messageOf('/hello'));
  const events = await first.rest();
  expect(statesOf(events)).toEqual(['task SUBMITTED', 'INPUT_REQUIRED', 'INPUT_REQUIRED Hello alice']);
  const { id } = events[0].task;
  const part = { mediaType: COMMAND_PART, data: { name: 'hello', args: 'world' } };
  const { task } = await alice.call('SendMessage', messageOf([{ text: 'ignored' }, part], { taskId: id }));
  expect(task.history).toMatchObject([{ role: 'ROLE_AGENT', parts: [{ text: 'Hello world' }, {}] }]);
  expect(task.status).not.toHaveProperty('message');
  const unknown = await alice.call('SendMessage', messageOf('/helo', { taskId: id }));
  expect(unknown.task.history[0].parts[1].data).toMatchObject({ ok: false, error: 'command.unknown' });
  expect(face.model.requests).toHaveLength(0);

  // With a data part of another kind a slash is a text.
  const envelope = { kind: 'task', payload: { description: 'Of the shop' } };
  const text = messageOf(
    [{ text: '/hello' }, { mediaType: 'application/vnd.tiny-harness.event+json', data: envelope }],
    { taskId: id },
  );
  expect(statesOf([await alice.call('SendMessage', text)])).toEqual(['task INPUT_REQUIRED One']);
  expect(JSON.stringify(face.model.requests)).toContain('/hello');
});

/*
 * Feature: Commands over A2A
 * Scenario: the stream of a command ends at its own reply while a turn goes on
 *   Requirement: spec/worker.md#24
 *   Given a task whose turn waits for a tool
 *   When alice streams a command, and repeats it with the same message id
 *   Then the stream ends with the reply while the task works, and the repeated one with the task as it is
 *   And once the tool returns, who has waited for the turn has its answer
 */
hostedTest('the stream of a command ends at its own reply while a turn goes on', async (host) => {
  const gate = Promise.withResolvers<void>();
  const order = countingTool({ name: 'get_order', isIdempotent: true, gate: gate.promise });
  const replies = [{ toolCalls: [{ tool: 'get_order', arguments: {} }] }, { text: 'Found' }];
  await using face = await openA2AFace(host, replies, { commands: [HELLO], tools: [order.tool] });
  const alice = face.as('alice');
  using turn = await alice.stream('SendStreamingMessage', messageOf('Find order 7'));
  const { id } = (await turn.next()).task;
  await order.called;

  const params = messageOf('/hello', { taskId: id });
  using command = await alice.stream('SendStreamingMessage', params);
  expect(statesOf(await command.rest())).toEqual(['task WORKING', 'WORKING Hello alice']);
  using repeated = await alice.stream('SendStreamingMessage', params);
  expect(statesOf(await repeated.rest())).toEqual(['task WORKING']);
  gate.resolve();
  expect(statesOf(await turn.rest())).toEqual(['WORKING', 'WORKING Hello alice', 'INPUT_REQUIRED Found']);
  expect(JSON.stringify(face.model.requests)).not.toContain('hello');
});

/*
 * Feature: Questions over A2A
 * Scenario: a question says whom it is for, and its answer goes on with the task
 *   Requirement: spec/worker.md#35
 *   Given a model that asks alice with options
 *   When she has sent her first message, and then answers by the channel of the task
 *   Then the task waits with the question, its options and a channel part, and its metadata names her
 *   And her answer clears it, and the model reads question and answer
 */
hostedTest('a question says whom it is for, and its answer goes on with the task', async (host) => {
  const args = { participant_id: 'alice', question: 'Which order?', options: ['7', '8'] };
  const replies = [{ toolCalls: [{ tool: 'ask_participant', arguments: args }] }, { text: 'Found' }];
  await using face = await openA2AFace(host, replies);
  const alice = face.as('alice');
  const task = await alice.startTask('Find my order');
  const { id } = task;
  const asked = task.metadata['dev.flotilla/status'];
  expect(asked).toMatchObject({
    sub_state: 'awaiting_answer',
    participant_id: 'alice',
    question: 'Which order?',
    options: ['7', '8'],
  });
  expect(task.status.message).toMatchObject({
    messageId: asked.message_id,
    parts: [
      { text: 'Which order?\nOptions: 7, 8' },
      {
        mediaType: 'application/vnd.flotilla.channel+json',
        data: { channel_id: id, sender: 'flotilla', kind: 'help_request', text: 'Which order?' },
      },
    ],
  });

  const answer = {
    channel_id: id,
    sender: 'alice',
    kind: 'help_reply',
    text: 'Number 7',
    in_reply_to: asked.message_id,
  };
  const part = { mediaType: 'application/vnd.tiny-harness.channel+json', data: answer };
  const forged = { ...part, data: { ...answer, sender: 'bob' } };
  expect(await alice.refusal('SendMessage', messageOf([forged], { taskId: id }))).toMatchObject({
    code: -32602,
  });
  const { task: done } = await alice.call('SendMessage', messageOf([part], { taskId: id }));
  expect(statesOf([{ task: done }])).toEqual(['task INPUT_REQUIRED Found']);
  expect(done.metadata['dev.flotilla/status']).toEqual({ sub_state: 'awaiting_message' });
  expect(JSON.stringify(face.model.requests[1])).toMatch(/Which order\?.*Number 7/);
  await alice.call('SendMessage', messageOf(completion(), { taskId: id }));
  expect(statesOf([{ task: await alice.call('GetTask', { id }) }])).toEqual([
    'task COMPLETED Completed by alice',
  ]);
});
