/** Slash commands as the core sees them (spec/worker.md §§ 4.3, 4.5, 4.6). */
import { expect, test } from 'vitest';
import { TaskMachine } from './TaskMachine.ts';

test('a command runs beside a turn and leaves state, status message and history alone', () => {
  const task = TaskMachine.working();
  const before = task.state;
  task.commands('ping', { args: 'now' });
  expect(task.events).toEqual([]);
  expect(task.effects).toMatchObject([
    { kind: 'runCommand', messageId: 'm2', participant: 'alice', name: 'ping', args: 'now' },
  ]);
  task.commandReturns({ kind: 'reply', text: 'pong', data: { ms: 3 } });
  expect(task.events).toEqual([
    {
      type: 'task.commandReplied',
      messageId: 'm2',
      name: 'ping',
      ok: true,
      text: 'pong',
      data: { ms: 3 },
    },
  ]);
  expect(task.state).toMatchObject({
    status: before.status,
    history: before.history,
    run: before.run,
    commands: [],
  });
});

test('a command does not wake a parked task', () => {
  const task = TaskMachine.parked();
  task.commands('ping');
  task.commandReturns({ kind: 'reply', text: 'pong' });
  expect(task.state.status).toMatchObject({ state: 'INPUT_REQUIRED', message: 'hi' });
  expect(task.effects).toEqual([]);
});

test('a command runs while the task is paused', () => {
  const task = TaskMachine.parked();
  task.apply({ kind: 'pauseRequested', participant: 'alice' });
  task.commands('ping');
  expect(task.effects).toMatchObject([{ kind: 'runCommand' }]);
});

test('commands run one at a time, in the order of their arrival', () => {
  const task = TaskMachine.parked();
  task.commands('one');
  task.commands('two');
  expect(task.effects).toEqual([]);
  task.commandReturns();
  expect(task.effects).toMatchObject([{ kind: 'runCommand', name: 'two' }]);
});

test('a command of somebody who is not on the task is refused', () => {
  const task = TaskMachine.parked();
  task.commands('ping', { participant: 'mallory' });
  expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'channel.not_a_member' }]);
  expect(task.effects).toEqual([]);
});

test('settings are told before the reply, whatever order the command returned', () => {
  const task = TaskMachine.parked();
  task.commands('model', { args: 'm2' });
  task.commandReturns({ kind: 'reply', text: 'was m1' }, { kind: 'settings', model: 'm2', effort: 'HIGH' });
  const settings = { model: 'm2', effort: 'HIGH' };
  expect(task.events).toMatchObject([
    { type: 'task.updated', changed: ['settings'], settings },
    { type: 'task.commandReplied', ok: true, text: 'was m1' },
  ]);
  expect(task.state.settings).toEqual(settings);
  task.says('alice', 'go');
  expect(task.effects).toMatchObject([{ kind: 'callModel', ...settings }]);
});

test('null clears a setting and an absent field keeps it', () => {
  const task = TaskMachine.parked({ settings: { model: 'm2', effort: 'LOW' } });
  task.commands('model', { args: 'default' });
  task.commandReturns({ kind: 'settings', model: null });
  expect(task.state.settings).toEqual({ effort: 'LOW' });
});

test('settings that are in force already are not told', () => {
  const task = TaskMachine.parked({ settings: { model: 'm2' } });
  task.commands('model', { args: 'm2' });
  task.commandReturns({ kind: 'settings', model: 'm2' });
  expect(task.events).toMatchObject([{ type: 'task.commandReplied', text: 'The command model is done' }]);
});

test('a failed command says so and changes nothing', () => {
  const task = TaskMachine.parked();
  task.commands('bad');
  const { version, commands, updatedAtMs, ...before } = task.state;
  task.apply({
    kind: 'commandReturned',
    effectKey: task.keyOf('runCommand'),
    outcome: { kind: 'error', code: 'command.failed', message: 'boom' },
  });
  expect(task.events).toEqual([
    {
      type: 'task.commandReplied',
      messageId: 'm3',
      name: 'bad',
      ok: false,
      text: 'bad: boom',
      error: 'command.failed',
    },
  ]);
  expect(task.state).toMatchObject(before);
});

test.each([
  ['an unknown kind', { kind: 'explode' }],
  ['no object', 'reply'],
  ['nothing', null],
  ['an unknown field', { kind: 'settings', temperature: 1 }],
  ['an unknown effort', { kind: 'settings', effort: 'high' }],
  ['an empty model', { kind: 'settings', model: '' }],
  ['a model with white space', { kind: 'settings', model: 'gpt 6' }],
  ['a model of 129 characters', { kind: 'settings', model: 'x'.repeat(129) }],
  ['a second settings intent', { kind: 'settings', effort: 'LOW' }],
  ['a reply that is no text', { kind: 'reply', text: 7 }],
  ['a reply whose data is a list', { kind: 'reply', text: 'x', data: [] }],
  ['a reply of 100,001 characters', { kind: 'reply', text: 'x'.repeat(100_001) }],
  ['a reply with too much data', { kind: 'reply', text: 'x', data: { list: 'x'.repeat(100_000) } }],
])('one intent that is %s fails the whole command', (_what, bad) => {
  const task = TaskMachine.parked();
  task.commands('mixed');
  task.commandReturns({ kind: 'settings', model: 'm2' }, bad);
  expect(task.events).toMatchObject([
    { type: 'task.commandReplied', ok: false, error: 'command.invalid_intent' },
  ]);
  expect(task.state.settings).toEqual({});
});

test('a reply of 100,000 characters is taken, and one of any length by tasks of older rules', () => {
  for (const [rules, length] of [
    [3, 100_000],
    [2, 100_001],
  ] as const) {
    const task = TaskMachine.parked({ rules });
    task.commands('long');
    task.commandReturns({ kind: 'reply', text: 'x'.repeat(length) });
    expect(task.events).toMatchObject([{ type: 'task.commandReplied', ok: true }]);
  }
});

test('intents that are no list fail the command', () => {
  const task = TaskMachine.parked();
  task.commands('mixed');
  const outcome = { kind: 'intents', intents: undefined } as never;
  task.apply({ kind: 'commandReturned', effectKey: task.keyOf('runCommand'), outcome });
  expect(task.events).toMatchObject([{ type: 'task.commandReplied', ok: false }]);
});
