import { expect, test } from 'vitest';
import { taskAt, toStreamResponse } from '../../../server/a2a/toStreamResponse.ts';
import { toTaskRow } from '../../../subgraph/engine/toTaskRow.ts';
import type { EventRecord } from '../../../subgraph/index.ts';
import { initialState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

const AT = '2026-01-01T00:00:00.000Z';
const TASK = toTaskRow(initialState(aTask()).state);
const PARKED = {
  ...TASK,
  status: { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', message: 'Found', atMs: Date.parse(AT) },
} as const;

function record(type: string, data: Readonly<Record<string, unknown>> = {}): EventRecord {
  return {
    type,
    data,
    level: 'INFO',
    source: 'tasks',
    ref: TASK.ref,
    offset: 9,
    atMs: Date.parse(AT),
    pid: 1,
  };
}

test('toStreamResponse() tells a change of state with its message, its time and why the task waits', () => {
  const status = {
    state: 'INPUT_REQUIRED',
    subState: 'AWAITING_MESSAGE',
    message: 'Found',
    errorCode: 'x.y',
  };
  const told = record('task.status', status);
  expect(toStreamResponse(told, taskAt(told, TASK))).toEqual({
    statusUpdate: {
      taskId: 'task-1',
      contextId: 'context-1',
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: {
          messageId: 'task-1:status:9',
          taskId: 'task-1',
          contextId: 'context-1',
          role: 'ROLE_AGENT',
          parts: [{ text: 'Found' }],
        },
        timestamp: AT,
      },
      metadata: { 'dev.flotilla/status': { sub_state: 'awaiting_message', error_code: 'x.y' } },
    },
  });
});

test('toStreamResponse() has no metadata where nothing is to be said', () => {
  const told = record('task.status', { state: 'WORKING' });
  expect(toStreamResponse(told, taskAt(told, PARKED))).toEqual({
    statusUpdate: {
      taskId: 'task-1',
      contextId: 'context-1',
      status: { state: 'TASK_STATE_WORKING', timestamp: AT },
    },
  });
});

test('toStreamResponse() leaves the state alone in a reply to a command and in a refusal', () => {
  const reply = record('task.commandReplied', {
    messageId: 'm',
    name: 'x',
    ok: false,
    text: 'x: no',
    error: 'a.b',
  });
  const { statusUpdate: replied } = toStreamResponse(reply, PARKED) as never as { statusUpdate: never };
  expect(replied).toMatchObject({
    status: {
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: {
        parts: [{ text: 'x: no' }, { data: { name: 'x', message_id: 'm', ok: false, error: 'a.b' } }],
      },
    },
    metadata: {
      'dev.flotilla/status': { sub_state: 'awaiting_message' },
      'dev.flotilla/command': { name: 'x', message_id: 'm', ok: false },
    },
  });
  const refusal = { input: 'messageReceived', code: 'hook.abort', reason: 'not here', messageId: 'm' };
  expect(toStreamResponse(record('task.inputRefused', refusal), PARKED)).toMatchObject({
    statusUpdate: {
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: { parts: [{ text: expect.stringMatching('not here') }] },
      },
      metadata: { 'dev.flotilla/refusal': { message_id: 'm', code: 'hook.abort' } },
    },
  });
});

test.each([
  [
    'a refused request without a message',
    record('task.inputRefused', { input: 'cancelRequested', code: 'c', reason: 'r' }),
  ],
  ['a turn', record('task.turnStarted', { turn: 1 })],
  ['an accepted message', record('task.messageAccepted', { messageId: 'm', participant: 'alice' })],
  ['an event of newer versions', record('task.somethingNew')],
])('toStreamResponse() does not tell %s', (_, told) => {
  expect(toStreamResponse(told, PARKED)).toBeUndefined();
});

test('toStreamResponse() tells no refusal behind the end of the task', () => {
  const refusal = record('task.inputRefused', {
    input: 'messageReceived',
    code: 'task.terminal',
    messageId: 'm',
    reason: 'the task is COMPLETED',
  });
  const ended = taskAt(record('task.status', { state: 'COMPLETED' }), TASK);
  expect(toStreamResponse(refusal, ended)).toBeUndefined();
  expect(toStreamResponse(refusal, TASK)).toBeDefined();
});

test.each(['task.created', 'task.updated', 'task.childStarted', 'task.childChanged'])(
  'toStreamResponse() tells the whole task for %s',
  (type) => {
    expect(toStreamResponse(record(type, { state: 'SUBMITTED' }), TASK)).toMatchObject({
      task: { id: 'task-1' },
    });
  },
);

test('taskAt() follows a question from its asking to its answer', () => {
  const asked = taskAt(
    record('task.question', {
      messageId: 'task-1:help:3',
      channelId: 'task-1',
      participant: 'alice',
      text: 'Which?',
      options: ['7'],
    }),
    TASK,
  );
  const waits = { state: 'INPUT_REQUIRED', subState: 'AWAITING_ANSWER' };
  const told = record('task.status', { ...waits, message: 'Which?\nOptions: 7' });
  expect(toStreamResponse(told, taskAt(told, asked))).toMatchObject({
    statusUpdate: {
      status: { message: { messageId: 'task-1:help:3', parts: [{}, { data: { kind: 'help_request' } }] } },
      metadata: { 'dev.flotilla/status': { participant_id: 'alice', message_id: 'task-1:help:3' } },
    },
  });
  const reply = record('task.status', { ...waits, message: 'To bob: yes' });
  expect(toStreamResponse(reply, taskAt(reply, asked))).toMatchObject({
    statusUpdate: { status: { message: { parts: [{ text: 'To bob: yes' }] } } },
  });
  const answered = record('task.answered', { questionId: 'q', messageId: 'm', participant: 'alice' });
  expect(taskAt(answered, asked).question).toBeUndefined();
  expect(taskAt(record('task.created', { state: 'SUBMITTED' }), PARKED).status).toEqual({
    state: 'SUBMITTED',
    atMs: Date.parse(AT),
  });
});
