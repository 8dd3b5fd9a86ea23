/** Interrupts: row 15 (spec/worker.md §§ 2.4, 3.1). */
import { expect, test } from 'vitest';
import { NO_USAGE, TaskMachine, typesOf } from './TaskMachine.ts';

function interrupts(task: TaskMachine, text = 'Stop that'): void {
  task.apply({ kind: 'messageReceived', messageId: 'm-stop', participant: 'bob', text, interrupt: true });
}

test('row 15: it abandons the model call, and the next turn begins with the message', () => {
  const task = TaskMachine.working();
  const key = task.keyOf('callModel');
  interrupts(task);
  expect(typesOf(task.events)).toEqual(['task.messageAccepted', 'task.turnInterrupted', 'task.turnStarted']);
  expect(task.events[1]).toEqual({ type: 'task.turnInterrupted', turn: 1, messageId: 'm-stop' });
  expect(task.effects).toMatchObject([{ kind: 'abandon', key }, { kind: 'callModel' }]);
  expect(task.history.at(-1)).toMatchObject({ text: 'Stop that' });
  expect(task.status).toBe('WORKING');
});

test('row 15: what the turn has finished stays, and of the call in flight the outcome is unknown', () => {
  const task = TaskMachine.working();
  task.replies('Let me look', [
    { callId: 'a', tool: 'get_order', arguments: {} },
    { callId: 'b', tool: 'refund', arguments: {} },
    { callId: 'c', tool: 'get_user', arguments: {} },
  ]);
  task.toolReturns('order 7');
  interrupts(task);
  expect(task.history.slice(1)).toMatchObject([
    { text: 'Let me look' },
    { kind: 'toolCall', callId: 'a' },
    { kind: 'toolResult', callId: 'a', isError: false },
    { kind: 'toolCall', callId: 'b' },
    {
      kind: 'toolResult',
      callId: 'b',
      isError: true,
      text: 'tool.interrupted: the call was cancelled by a message; whether it took effect is not known',
    },
    { text: 'Stop that' },
  ]);
  expect(task.events[1]).toMatchObject({ type: 'task.toolReturned', callId: 'b', isError: true });
  expect(task.events[2]).toMatchObject({ type: 'task.turnInterrupted', turn: 1 });
  expect(task.outstanding).toMatchObject([{ kind: 'callModel' }]);
});

test('row 15: the start of a sub-task is waited for, and the other calls are not made', () => {
  const task = TaskMachine.working();
  task.replies('', [
    { callId: 'a', tool: 'spawn_subtask', arguments: { name: 'a', goal: 'b' } },
    { callId: 'b', tool: 'refund', arguments: {} },
  ]);
  interrupts(task);
  expect(task.effects).toEqual([]);
  task.childStarts();
  expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  expect(JSON.stringify(task.history)).not.toContain('refund');
  expect(task.history.at(-1)).toMatchObject({ text: 'Stop that' });
});

test.each(['compactionDue', 'deciding'] as const)(
  'row 15: it abandons what else the run does: %s',
  (what) => {
    const task = TaskMachine.working();
    const effectKey = task.keyOf('callModel');
    const reply = { text: 'hi', toolCalls: [], usage: NO_USAGE, model: 'm', finish: 'stop' } as const;
    if (what === 'compactionDue') task.apply({ kind: 'compactionDue', effectKey });
    else task.apply({ kind: 'modelReplied', effectKey, ...reply, decideCompletion: true });
    const [out] = task.outstanding;
    interrupts(task);
    expect(task.effects).toMatchObject([{ kind: 'abandon', key: out?.key }, { kind: 'callModel' }]);
    expect(task.outstanding).toHaveLength(1);
  },
);

test('a parked task is woken by it as by any message', () => {
  const task = TaskMachine.parked();
  interrupts(task);
  expect(typesOf(task.events)).toEqual(['task.messageAccepted', 'task.status WORKING', 'task.turnStarted']);
});

test('a paused task is interrupted and begins the next turn when it is resumed', () => {
  const task = TaskMachine.working();
  task.apply({ kind: 'pauseRequested', participant: 'alice' });
  interrupts(task);
  expect(task.outstanding).toEqual([]);
  expect(task.status).toBe('WORKING');
  task.apply({ kind: 'resumeRequested', participant: 'alice' });
  expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
});

test('one that intake has to judge cuts the turn when it is accepted, not before', () => {
  const task = TaskMachine.working();
  const message = { messageId: 'm9', participant: 'bob', text: 'Stop', interrupt: true } as const;
  task.apply({ kind: 'messageReceived', ...message, needsIntake: true });
  expect(task.effects).toMatchObject([{ kind: 'intake' }]);
  expect(task.events).toEqual([]);
  task.intakeAccepts();
  expect(typesOf(task.events)).toEqual(['task.messageAccepted', 'task.turnInterrupted', 'task.turnStarted']);
});

test('a question that the cut turn has asked stays open', () => {
  const task = TaskMachine.working();
  task.replies('', [
    { callId: 'a', tool: 'ask_participant', arguments: { participant_id: 'alice', question: 'Which?' } },
    { callId: 'b', tool: 'refund', arguments: {} },
  ]);
  expect(typesOf(task.events)).toContain('task.question');
  interrupts(task);
  task.replies('I wait');
  expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
});
