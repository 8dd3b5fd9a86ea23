/** Sub-tasks of a command: all of the command happens, or nothing (spec/worker.md §§ 4.5, 4.7). */
import { expect, test } from 'vitest';
import { TaskMachine, typesOf } from './TaskMachine.ts';

const SPAWN = { kind: 'spawn', message: '  Check the ledger\nof May' };

test('a command that returns reply, spawn and settings has them applied in their order', () => {
  const task = TaskMachine.parked();
  task.commands('sub-task');
  task.commandReturns({ kind: 'reply', text: 'Started {child.1}, not {child.2}' }, SPAWN, {
    kind: 'settings',
    model: 'm2',
  });
  expect(task.events).toEqual([]);
  expect(task.state.settings).toEqual({});
  expect(task.effects).toMatchObject([
    {
      kind: 'startChild',
      child: {
        id: 't1.1',
        lifecycle: 'CONVERSATION',
        name: 'Check the ledger',
        goal: '  Check the ledger\nof May',
        settings: { model: 'm2' },
        message: { messageId: 't1.1:message', participant: 'alice', text: '  Check the ledger\nof May' },
      },
    },
  ]);
  task.childStarts('o/r#2');
  expect(task.events).toMatchObject([
    { type: 'task.updated', changed: ['settings'] },
    { type: 'task.childStarted', childId: 't1.1', childRef: 'o/r#2' },
    { type: 'task.commandReplied', ok: true, text: 'Started t1.1, not {child.2}' },
  ]);
  expect(task.state).toMatchObject({
    settings: { model: 'm2' },
    commands: [],
    children: [{ id: 't1.1', ref: 'o/r#2' }],
    status: { state: 'INPUT_REQUIRED', message: 'hi' },
  });
  expect(task.effects).toEqual([]);
});

test('a sub-task without a message waits for one under a name of its own', () => {
  const task = TaskMachine.parked();
  task.commands('sub-task');
  task.commandReturns({ kind: 'spawn', acceptance_criteria: ['signed'] });
  expect(task.effects).toMatchObject([
    {
      child: {
        name: 'sub-task 1',
        lifecycle: 'CONVERSATION',
        acceptanceCriteria: [{ text: 'signed', met: false }],
      },
    },
  ]);
  expect(task.effects[0]).not.toHaveProperty('child.message');
  task.childStarts();
  expect(task.events.at(-1)).toMatchObject({ text: 'The command sub-task is done' });
});

test('sub-tasks are started one after the other, and other commands wait', () => {
  const task = TaskMachine.working();
  task.commands('sub-task');
  task.commands('ping');
  const key = task.keyOf('runCommand');
  task.apply({
    kind: 'commandReturned',
    effectKey: key,
    outcome: {
      kind: 'intents',
      intents: [
        { kind: 'spawn', name: 'a' },
        { kind: 'spawn', name: 'b' },
      ],
    },
  });
  task.childStarts();
  expect(task.effects).toMatchObject([{ kind: 'startChild', child: { id: 't1.2', name: 'b' } }]);
  task.childStarts();
  expect(task.effects).toMatchObject([{ kind: 'runCommand', name: 'ping' }]);
  expect(typesOf(task.events)).toEqual(['task.childStarted', 'task.childStarted', 'task.commandReplied']);
});

test('the agent and a command may start sub-tasks at once, each with an id of its own', () => {
  const task = TaskMachine.working();
  task.commands('sub-task');
  task.commandReturns({ kind: 'spawn' });
  const fromCommand = task.keyOf('startChild');
  task.calls('spawn_subtask', { name: 'a', goal: 'b' });
  expect(task.effects).toMatchObject([{ kind: 'startChild', child: { id: 't1.2' } }]);
  task.apply({ kind: 'childStarted', effectKey: fromCommand, ref: 'o/r#2' });
  expect(typesOf(task.events)).toEqual(['task.childStarted', 'task.commandReplied']);
  task.childStarts('o/r#3');
  expect(task.state.children).toMatchObject([
    { id: 't1.1', ref: 'o/r#2', lifecycle: 'CONVERSATION' },
    { id: 't1.2', ref: 'o/r#3', lifecycle: 'DELEGATED' },
  ]);
});

test('a sub-task that cannot start takes the others, the settings and every trace back', () => {
  const task = TaskMachine.parked();
  const { settings, history, status } = task.state;
  task.commands('sub-task');
  task.commandReturns({ kind: 'settings', model: 'm2' }, { kind: 'spawn' }, { kind: 'spawn' });
  task.childStarts();
  expect(task.events).toEqual([]);
  task.childFails('internal', 'the disk is full');
  expect(task.events).toMatchObject([
    {
      type: 'task.commandReplied',
      ok: false,
      error: 'internal',
      text: 'sub-task: cannot start a sub-task: the disk is full',
    },
  ]);
  expect(task.effects).toMatchObject([{ kind: 'cancelChild', childId: 't1.1' }]);
  expect(task.state).toMatchObject({ settings, history, status, commands: [] });
  expect(task.state).not.toHaveProperty('children');
  expect(task.state).not.toHaveProperty('notes');
});

test('a command may start eight', () => {
  const task = TaskMachine.parked();
  task.commands('sub-task');
  task.commandReturns(...Array.from({ length: 8 }, () => ({ kind: 'spawn' })));
  for (let n = 0; n < 8; n += 1) task.childStarts();
  expect(task.events.at(-1)).toMatchObject({ type: 'task.commandReplied', ok: true });
  expect(task.state.children).toHaveLength(8);
});

test.each([
  ['nine', Array.from({ length: 9 }, () => ({ kind: 'spawn' }))],
  ['an empty message', [{ kind: 'spawn', message: '' }]],
  ['criteria that are no texts', [{ kind: 'spawn', acceptance_criteria: [1] }]],
  ['a field too many', [{ kind: 'spawn', agent: 'x' }]],
])('a command with %s is failed whole', (_what, intents) => {
  const task = TaskMachine.parked();
  task.commands('sub-task');
  task.commandReturns({ kind: 'settings', model: 'm2' }, ...intents);
  expect(task.events).toMatchObject([{ ok: false, error: 'command.invalid_intent' }]);
  expect(task.state.settings).toEqual({});
  expect(task.effects).toEqual([]);
});

test('a participant has no agent to work on a sub-task', () => {
  const task = new TaskMachine({ lifecycle: 'PARTICIPANT' });
  task.commands('sub-task', { participant: 'bob' });
  task.commandReturns({ kind: 'spawn' });
  expect(task.events).toMatchObject([{ ok: false, error: 'command.invalid_intent' }]);
});

test('a task of older rules knows no such intent', () => {
  const task = TaskMachine.parked({ rules: 2 });
  task.commands('sub-task');
  task.commandReturns({ kind: 'spawn' });
  expect(task.events).toMatchObject([
    { ok: false, text: 'sub-task: an intent has an unknown kind, "settings" or "reply" is expected' },
  ]);
});

test('a command that intake refuses is a refused message: nobody gets a reply', () => {
  const task = TaskMachine.parked();
  task.commands('ping');
  const effectKey = task.keyOf('runCommand');
  task.apply({
    kind: 'commandReturned',
    effectKey,
    outcome: { kind: 'refused', code: 'hook.abort', reason: 'not today' },
  });
  expect(task.events).toEqual([
    {
      type: 'task.inputRefused',
      input: 'commandReceived',
      code: 'hook.abort',
      reason: 'not today',
      messageId: 'm3',
      participant: 'alice',
    },
  ]);
  expect(task.state.commands).toEqual([]);
});
