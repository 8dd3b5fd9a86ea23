/** A message whose id comes again: an agent may take it twice, or wait for ever. */
import { expect, test } from 'vitest';
import { answerWith, MISBEHAVIOURS } from '../../../support/MemberServer.ts';
import { type OpenA2AMember, openA2AMember } from './openA2AMember.ts';

const REF = 'a2a:agent/t#1';
const SEND = `mutation { sendMessage(ref: "${REF}", text: "go on", messageId: "m1") { duplicate state } }`;

function result(value: unknown) {
  return answerWith(200, { jsonrpc: '2.0', id: 1, result: value });
}

async function openWithTask(): Promise<OpenA2AMember> {
  const open = await openA2AMember();
  open.server.addTask('t');
  return open;
}

test.each([
  ['the connection breaks', MISBEHAVIOURS.reset, { kind: 'transport', reason: 'connection closed' }],
  ['the answer is none', result({ task: 'none' }), { kind: 'malformed', reason: 'the answer is not a task' }],
  ['the status is 503', answerWith(503, {}), { kind: 'status', status: 503, reason: 'HTTP 503' }],
])('is not sent again when %s: the repeat is told what to do', async (_what, how, failure) => {
  await using open = await openWithTask();
  open.server.misbehave('SendMessage', how);
  const first = await open.execute(SEND);
  expect(first).toEqual({ kind: 'failure', failure });
  open.server.misbehave('SendMessage', undefined);
  expect(await open.refusal(SEND)).toEqual({
    code: 'CONFLICT',
    message:
      'Cannot send message "m1" again: its answer was lost and the agent may have it, read the task, and send the text with a new messageId if it was not taken',
  });
  expect(open.server.asked('SendMessage')).toHaveLength(1);
  expect((await open.ask(SEND.replace('m1', 'm2'))).sendMessage).toEqual({
    duplicate: false,
    state: 'WORKING',
  });
});

test('is a duplicate when the agent tells that it has the message', async () => {
  await using open = await openWithTask();
  open.server.misbehave('SendMessage', MISBEHAVIOURS.reset);
  await open.execute(SEND);
  const status = { state: 'TASK_STATE_COMPLETED' };
  const history = [{ role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'go on' }] }];
  open.server.misbehave('GetTask', result({ id: 't', status, history }));
  expect((await open.ask(SEND)).sendMessage).toEqual({ duplicate: true, state: 'COMPLETED' });
  expect(open.server.asked('SendMessage')).toHaveLength(1);
});

test('waits for the first one, whose answer is lost', async () => {
  await using open = await openWithTask();
  const arrived = Promise.withResolvers<() => void>();
  open.server.misbehave('SendMessage', (response) => arrived.resolve(() => MISBEHAVIOURS.reset(response)));
  const first = open.execute(SEND);
  const breakOff = await arrived.promise;
  const second = open.refusal(SEND);
  breakOff();
  expect(await first).toMatchObject({ kind: 'failure' });
  expect((await second).code).toBe('CONFLICT');
  expect(open.server.asked('SendMessage')).toHaveLength(1);
});

test('is told the refusal of the first one', async () => {
  await using open = await openWithTask();
  const error = { code: -32602, message: 'no such part' };
  open.server.misbehave('SendMessage', answerWith(200, { jsonrpc: '2.0', id: 1, error }));
  const refusal = { code: 'BAD_USER_INPUT', message: 'no such part' };
  expect(await open.refusal(SEND)).toEqual(refusal);
  expect(await open.refusal(SEND)).toEqual(refusal);
  expect(open.server.asked('SendMessage')).toHaveLength(1);
});

test.each([401, 403, 429])('is sent when the agent has let nobody in: HTTP %i', async (status) => {
  await using open = await openWithTask();
  open.server.misbehave('SendMessage', answerWith(status, {}));
  expect(await open.execute(SEND)).toMatchObject({ failure: { status } });
  open.server.misbehave('SendMessage', undefined);
  expect((await open.ask(SEND)).sendMessage).toEqual({ duplicate: false, state: 'WORKING' });
  expect(open.server.asked('SendMessage')).toHaveLength(2);
});
