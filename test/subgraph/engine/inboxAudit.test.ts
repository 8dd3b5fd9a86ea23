import { expect, test } from 'vitest';
import { toAuditRows } from '../../../subgraph/engine/inboxAudit.ts';
import { initialState, step, type TaskInput } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

const { state } = initialState(aTask());
const MESSAGE = {
  kind: 'messageReceived',
  atMs: 0,
  messageId: 'm2',
  participant: 'alice',
  text: 'secret words',
} as const;
const COMMAND = {
  kind: 'commandReceived',
  atMs: 0,
  messageId: 'c1',
  participant: 'alice',
  name: 'ping',
  args: 'secret words',
} as const;

test.each<[string, TaskInput, object[]]>([
  ['a message that is taken', MESSAGE, [{ messageId: 'm2', participant: 'alice', accepted: true }]],
  ['a command that is taken', COMMAND, [{ messageId: 'c1', participant: 'alice', accepted: true }]],
  [
    'a message of a stranger',
    { ...MESSAGE, participant: 'mallory' },
    [
      {
        messageId: 'm2',
        participant: 'mallory',
        accepted: false,
        reason: 'channel.not_a_member: "mallory" is not on the task, a participant is expected',
      },
    ],
  ],
  [
    'a command of a stranger',
    { ...COMMAND, participant: 'mallory' },
    [expect.objectContaining({ accepted: false })],
  ],
  ['a message that intake has to judge', { ...MESSAGE, needsIntake: true }, []],
  ['a pause', { kind: 'pauseRequested', atMs: 0, participant: 'alice' }, []],
])('%s', (_, input, expected) => {
  const rows = toAuditRows(input, step(state, input).events);
  expect(rows).toEqual(expected);
  expect(JSON.stringify(rows)).not.toContain('secret');
});

test('the first message of a task, and a first command', () => {
  const { messageId, participant, name, args } = COMMAND;
  const input = aTask({ command: { messageId, participant, name, args } });
  expect(toAuditRows(input, initialState(input).events)).toEqual([
    { messageId: 'm1', participant: 'alice', accepted: true },
    { messageId: 'c1', participant: 'alice', accepted: true },
  ]);
});
