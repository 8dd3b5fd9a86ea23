import { expect, test } from 'vitest';
import { toNewEvent } from '../../../subgraph/engine/toNewEvent.ts';
import type { TaskEvent } from '../../../subgraph/task/index.ts';

const OWNER = { task: 7, ref: 'o/r#1', id: 't1' };

test('an event of the core becomes a record of its task', () => {
  expect(toNewEvent(OWNER, { type: 'task.created', name: 'Order', state: 'SUBMITTED' })).toEqual({
    type: 'task.created',
    level: 'INFO',
    source: 'tasks',
    task: 7,
    ref: 'o/r#1',
    data: { name: 'Order', state: 'SUBMITTED', taskId: 't1' },
  });
});

const reply = { type: 'task.commandReplied', messageId: 'm', name: 'ping', text: 'pong' } as const;
const result = { type: 'task.toolReturned', callId: 'c', tool: 't' } as const;
const refusal = {
  type: 'task.inputRefused',
  input: 'messageReceived',
  code: 'task.terminal',
  reason: '',
} as const;

test("a refusal names its task: the ref may be another one's by then", () => {
  expect(toNewEvent(OWNER, refusal).data).toMatchObject({ code: 'task.terminal', taskId: 't1' });
});

test.each<[string, TaskEvent, string]>([
  ['a status', { type: 'task.status', state: 'WORKING' }, 'INFO'],
  ['a status with an error code', { type: 'task.status', state: 'FAILED', errorCode: 'a.b' }, 'ERROR'],
  ['a turn', { type: 'task.turnStarted', turn: 1 }, 'DEBUG'],
  ['a command that worked', { ...reply, ok: true }, 'INFO'],
  ['a command that failed', { ...reply, ok: false }, 'WARNING'],
  ['a tool that worked', { ...result, isError: false }, 'DEBUG'],
  ['a tool that failed', { ...result, isError: true }, 'WARNING'],
  ['a refusal', refusal, 'WARNING'],
])('%s has its level', (_, event, level) => {
  expect(toNewEvent(OWNER, event).level).toBe(level);
});
