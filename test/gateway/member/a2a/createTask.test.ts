/** Tasks that are begun at an agent: by their first message, and once for each of its ids. */
import { expect, test } from 'vitest';
import { answerWith, MISBEHAVIOURS } from '../../../support/MemberServer.ts';
import { endOfLog, openA2AMember, openWatch } from './openA2AMember.ts';

function creation(fields: string, selection = 'ref state'): string {
  return `mutation { createTask(input: { ${fields} }) { ${selection} } }`;
}

const CREATE = creation('message: "Say hello", messageId: "m1"');

function result(value: unknown) {
  return answerWith(200, { jsonrpc: '2.0', id: 1, result: value });
}

test.each(['JSONRPC', 'HTTP+JSON'] as const)(
  'a task is begun with its first message, over %s, and answered at once',
  async (binding) => {
    await using open = await openA2AMember({ server: { binding }, participant: 'ops' });
    expect((await open.ask(CREATE)).createTask).toEqual({ ref: 'a2a:agent/begun-1#1', state: 'WORKING' });
    const [sent] = open.server.asked('SendMessage');
    expect(sent?.params).toEqual({
      message: { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Say hello' }] },
      configuration: { returnImmediately: true, historyLength: 0 },
    });
    expect(sent?.headers['x-participant-id']).toBe('ops');
  },
);

test('the agent is asked as the participant that the input names', async () => {
  await using open = await openA2AMember();
  const input = 'message: "x", messageId: "m1", participant: "alice"';
  expect((await open.ask(creation(input))).createTask.ref).toBe('a2a:agent/begun-1#1');
  expect((await open.ask(creation(input))).createTask.ref).toBe('a2a:agent/begun-1#1');
  const asked = ['SendMessage', 'GetTask'].flatMap((name) => open.server.asked(name));
  expect(asked.map(({ headers }) => headers['x-participant-id'])).toEqual(['alice', 'alice']);
});

test.each([
  ['name', 'message: "x", name: "Hello"', 'an A2A agent takes no "name" with a new task'],
  ['goal', 'message: "x", goal: "y"', 'an A2A agent takes no "goal" with a new task'],
  ['ref', 'message: "x", ref: "github:o/r#1"', 'an A2A agent takes no "ref" with a new task'],
  ['settings', 'message: "x", settings: { model: "m" }', 'an A2A agent takes no "settings" with a new task'],
  ['budget', 'message: "x", budget: { turns: 1 }', 'an A2A agent takes no "budget" with a new task'],
  ['lifecycle', 'message: "x", lifecycle: DELEGATED', 'an A2A agent takes no "lifecycle" with a new task'],
  ['no message', 'name: ""', 'a task of an A2A agent begins with a message, and "message" is empty'],
])('what no message can carry is refused before anything is sent: %s', async (_what, fields, why) => {
  await using open = await openA2AMember();
  expect(await open.refusal(creation(fields))).toEqual({
    code: 'NOT_SUPPORTED',
    message: `Cannot do createTask: ${why}`,
  });
  expect(open.server.asked('SendMessage')).toEqual([]);
});

test('fields that say nothing are none', async () => {
  await using open = await openA2AMember();
  const fields =
    'message: "x", name: "", ref: null, participants: [], acceptanceCriteria: [], settings: { model: null }, budget: {}, lifecycle: CONVERSATION';
  expect((await open.ask(creation(fields))).createTask.state).toBe('WORKING');
});

test('a repeated id is answered with the task as it is now', async () => {
  await using open = await openA2AMember();
  await open.ask(CREATE);
  open.server.setStatus('begun-1', 'INPUT_REQUIRED', 'Hello');
  expect(
    (await open.ask(creation('message: "Say hello", messageId: "m1"', 'ref lastReply'))).createTask,
  ).toEqual({
    ref: 'a2a:agent/begun-1#1',
    lastReply: 'Hello',
  });
  expect(open.server.asked('SendMessage')).toHaveLength(1);
  expect((await open.ask(CREATE.replace('m1', 'm2'))).createTask.ref).toBe('a2a:agent/begun-2#1');
  expect((await open.ask(creation('message: "x"'))).createTask.ref).toBe('a2a:agent/begun-3#1');
});

test('a creation whose answer was lost is not sent again: the repeat is told what to do', async () => {
  await using open = await openA2AMember();
  open.server.misbehave('SendMessage', MISBEHAVIOURS.reset);
  expect(await open.execute(CREATE)).toEqual({
    kind: 'failure',
    failure: { kind: 'transport', reason: 'connection closed' },
  });
  open.server.misbehave('SendMessage', undefined);
  expect(await open.refusal(CREATE)).toEqual({
    code: 'CONFLICT',
    message:
      'Cannot create task with message "m1" again: its answer was lost and the agent may have the task, read the list of its tasks, and create with a new messageId if it is not there',
  });
  expect(open.server.asked('SendMessage')).toHaveLength(1);
});

test.each([401, 403, 429])('is sent again when the agent has let nobody in: HTTP %i', async (status) => {
  await using open = await openA2AMember();
  open.server.misbehave('SendMessage', answerWith(status, {}));
  expect(await open.execute(CREATE)).toMatchObject({ failure: { status } });
  open.server.misbehave('SendMessage', undefined);
  expect((await open.ask(CREATE)).createTask.state).toBe('WORKING');
});

test.each([
  [-32602, 'BAD_USER_INPUT'],
  [-32004, 'NOT_SUPPORTED'],
])('a refusal of the agent is told, to who repeats the id as well: %i', async (code, told) => {
  await using open = await openA2AMember();
  const error = { code, message: 'not like this' };
  open.server.misbehave('SendMessage', answerWith(200, { jsonrpc: '2.0', id: 1, error }));
  expect(await open.refusal(CREATE)).toEqual({ code: told, message: 'not like this' });
  expect(await open.refusal(CREATE)).toEqual({ code: told, message: 'not like this' });
  expect(open.server.asked('SendMessage')).toHaveLength(1);
});

test('an answer without a task is told, as there is nothing to come back to', async () => {
  await using open = await openA2AMember();
  const message = { role: 'ROLE_AGENT', messageId: 'r', parts: [{ text: 'x'.repeat(600) }] };
  open.server.misbehave('SendMessage', result({ message }));
  const refusal = {
    code: 'NOT_SUPPORTED',
    message: `Cannot do createTask: the agent keeps no task of the message and has answered: "${'x'.repeat(500)}…"`,
  };
  expect(await open.refusal(CREATE)).toEqual(refusal);
  expect(await open.refusal(CREATE)).toEqual(refusal);
  expect(open.server.asked('SendMessage')).toHaveLength(1);
});

test('a task that was begun is told of as a new one, also before the first look at all tasks', async () => {
  await using open = await openA2AMember();
  open.server.addTask('old');
  await open.ask(CREATE);
  const end = await endOfLog(open.member);
  await using watch = openWatch(open.member, end - 2);
  expect(await watch.told(2)).toEqual([
    'task.created a2a:agent/begun-1#1 WORKING',
    'task.status a2a:agent/begun-1#1 WORKING',
  ]);
});
