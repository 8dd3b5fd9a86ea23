/** What the effects of a task are a part of, outside (spec/worker.md § 9.2). */
import { expect, test } from 'vitest';
import { CREATION, TaskMachine, type Untimed } from './TaskMachine.ts';

function aMessage(messageId: string, trace: string): Untimed {
  return { kind: 'messageReceived', messageId, participant: 'alice', text: 'and now?', trace };
}

/** By kind, of the newest step. */
function tracesOf({ effects }: TaskMachine): Record<string, unknown> {
  return Object.fromEntries(
    effects.flatMap((effect) => (effect.kind === 'abandon' ? [] : [[effect.kind, effect.trace]])),
  );
}

test('a run belongs to the message that began it, to its end', () => {
  const task = TaskMachine.working({ trace: 'first' });
  expect(tracesOf(task)).toEqual({ callModel: 'first' });
  task.apply(aMessage('m2', 'second'));
  task.calls('get_order', {});
  expect(tracesOf(task)).toEqual({ callTool: 'first' });
});

test('the message that wakes a parked task is what it works on', () => {
  const task = TaskMachine.parked({ trace: 'first' });
  task.apply(aMessage('m2', 'second'));
  expect(tracesOf(task)).toEqual({ callModel: 'second' });
});

test('a message without a trace does not go on with that of another one', () => {
  const task = TaskMachine.parked({ trace: 'first' });
  task.apply({ kind: 'messageReceived', messageId: 'm2', participant: 'alice', text: 'and now?' });
  expect(tracesOf(task)).toEqual({ callModel: undefined });
  expect(task.effects[0]).not.toHaveProperty('trace');
});

test('a command belongs to whoever sent it, and the run beside it does not', () => {
  const task = TaskMachine.working({ trace: 'first' });
  task.apply({
    kind: 'commandReceived',
    messageId: 'c1',
    participant: 'alice',
    name: 'sub-task',
    args: '',
    trace: 'command',
  });
  expect(tracesOf(task)).toEqual({ runCommand: 'command' });
  task.commandReturns({ kind: 'spawn' });
  expect(tracesOf(task)).toEqual({ startChild: 'command' });
  task.calls('get_order', {});
  expect(tracesOf(task)).toEqual({ callTool: 'first' });
});

test('an end belongs to whoever asked for it, in the middle of a run too', () => {
  const task = TaskMachine.working({ trace: 'first', parent: { ref: 'o/r#9', id: 't9' } });
  task.apply({ kind: 'completeRequested', participant: 'alice', trace: 'end' });
  expect(tracesOf(task)).toEqual({ tellParent: 'end' });
});

test('what a sub-task tells is what the task that waited for it works on', () => {
  const task = TaskMachine.working({ trace: 'first' });
  task.calls('spawn_subtask', { name: 'Look up', goal: 'Find order 7' });
  task.childStarts('o/r#2');
  task.replies('I wait');
  task.apply({
    kind: 'childChanged',
    childId: 't1.1',
    version: 4,
    state: 'COMPLETED',
    summary: 'Found',
    trace: 'child',
  });
  expect(tracesOf(task)).toEqual({ callModel: 'child' });
});

test('somebody who is refused changes nothing about it', () => {
  const task = TaskMachine.parked({ trace: 'first' });
  task.apply({ ...aMessage('m2', 'stranger'), participant: 'mallory' } as Untimed);
  expect(task.state.trace).toBe('first');
});

test('whether something is traced makes no other difference', () => {
  const traced = TaskMachine.parked({ trace: 'first' });
  const { trace: _trace, ...state } = traced.state;
  expect(state).toEqual(TaskMachine.parked().state);
  expect(CREATION).not.toHaveProperty('trace');
});
