/** The table of transitions (spec/worker.md § 2.4): creation, runs and ends. The rows about questions, sub-tasks, intake and interrupts have files of their own. */
import { describe, expect, test } from 'vitest';
import { CREATION, TaskMachine, typesOf } from './TaskMachine.ts';

describe('creation', () => {
  test('rows 1 and 2: a first message is in the mailbox, then in the history, and the model is asked', () => {
    const task = TaskMachine.working();
    expect(typesOf(task.events)).toEqual([
      'task.created',
      'task.messageAccepted',
      'task.status WORKING',
      'task.turnStarted',
    ]);
    expect(task.events[0]).toMatchObject({ state: 'SUBMITTED', name: 'hello' });
    expect(task.effects).toEqual([{ kind: 'callModel', key: 't1:1:0' }]);
    expect(task.history).toMatchObject([{ id: 1, role: 'USER', text: 'hello', participant: 'alice' }]);
    expect(task.state).toMatchObject({ version: 1, goal: 'hello', mailbox: [], seenMessageIds: ['m1'] });
  });

  test('row 3: without a message the task waits for one and no model is asked', () => {
    const task = new TaskMachine();
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(typesOf(task.events)).toEqual(['task.created', 'task.status INPUT_REQUIRED']);
    expect(task.effects).toEqual([]);
    expect(task.state).toMatchObject({ name: 'task', goal: '' });
  });

  test('row 4: a first message that is a command is run and the task parks', () => {
    const command = { messageId: 'm1', participant: 'alice', name: 'status', args: '' };
    const task = new TaskMachine({ command });
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(task.effects).toEqual([{ kind: 'runCommand', key: 't1:1:0', ...command }]);
    expect(task.history).toEqual([]);
  });

  test('a first message of somebody who is not on the task is refused and the task waits', () => {
    const task = TaskMachine.working({ message: { messageId: 'm1', participant: 'mallory', text: 'hello' } });
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(typesOf(task.events)).toEqual(['task.created', 'task.inputRefused', 'task.status INPUT_REQUIRED']);
  });

  test('a given name and goal stand before the message', () => {
    expect(TaskMachine.working({ name: 'Refund', goal: 'Pay back' }).state).toMatchObject({
      name: 'Refund',
      goal: 'Pay back',
    });
  });

  test('the name is the first line, cut at 60 characters and not inside one', () => {
    const text = `\n  ${'🚢'.repeat(70)}\nmore`;
    const task = TaskMachine.working({ message: { messageId: 'm1', participant: 'alice', text } });
    expect(task.state.name).toBe('🚢'.repeat(60));
    expect(task.state.goal).toBe(text);
  });

  test('a task is created once', () => {
    const task = TaskMachine.parked();
    const before = task.state;
    task.apply(CREATION);
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.exists' }]);
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
  });
});

describe('a run', () => {
  test('row 6: a message during a turn waits for the next drain', () => {
    const task = TaskMachine.working();
    task.calls('get_order');
    task.says('bob', 'hurry');
    expect(typesOf(task.events)).toEqual(['task.messageAccepted']);
    expect(task.effects).toEqual([]);
    task.toolReturns('order 7');
    expect(task.history.at(-1)).toMatchObject({ role: 'USER', text: 'hurry' });
    expect(task.state.mailbox).toEqual([]);
  });

  test('row 8: a reply parks the conversation', () => {
    const task = TaskMachine.parked();
    expect(task.events).toEqual([
      { type: 'task.status', state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', message: 'hi' },
    ]);
    expect(task.state).toMatchObject({ lastReply: 'hi', run: { phase: 'idle' }, turns: 1 });
    expect(task.history.at(-1)).toMatchObject({ role: 'ASSISTANT', text: 'hi' });
  });

  test('row 9: a reply completes a delegated task', () => {
    const task = TaskMachine.working({ lifecycle: 'DELEGATED' });
    task.replies('done');
    expect(task.state.status).toMatchObject({ state: 'COMPLETED', message: 'done' });
  });

  test('row 13: a model call that failed for good parks a conversation with the error', () => {
    const task = TaskMachine.working();
    task.modelFails('provider.failed', 'no such model');
    const message = 'The model call failed after 1 attempt: no such model';
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(task.state).toMatchObject({ lastReply: message, turns: 0 });
    expect(task.state.status).toMatchObject({ message, errorCode: 'provider.failed' });
    expect(task.history).toHaveLength(1);
  });

  test('row 13: a model call that failed for good fails a delegated task', () => {
    const task = TaskMachine.working({ lifecycle: 'DELEGATED' });
    task.modelFails();
    expect(task.state.status).toMatchObject({ state: 'FAILED', errorCode: 'provider.failed' });
  });

  test('row 14: the turn limit parks a conversation and the next message starts a new count', () => {
    const task = TaskMachine.working({ maxTurns: 2 });
    task.calls('get_order');
    task.toolReturns('7');
    task.calls('get_order');
    task.toolReturns('7');
    expect(task.state.status).toMatchObject({ state: 'INPUT_REQUIRED', errorCode: 'task.turn_limit' });
    expect(task.effects).toEqual([]);
    task.says('alice', 'go on');
    expect(task.state).toMatchObject({ turnsInRun: 0, turns: 2 });
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('row 16: a message wakes a parked task', () => {
    const task = TaskMachine.parked();
    task.says('bob', 'and now?');
    expect(typesOf(task.events)).toEqual(['task.messageAccepted', 'task.status WORKING', 'task.turnStarted']);
    expect(task.status).toBe('WORKING');
    expect(task.history.map((entry) => 'text' in entry && entry.text)).toEqual(['hello', 'hi', 'and now?']);
  });

  test('rows 7 and 17: a message of a stranger changes nothing and its text is not told', () => {
    for (const task of [TaskMachine.working(), TaskMachine.parked()]) {
      const before = task.state;
      task.says('mallory', 'secret plan', 'm9');
      expect(task.state).toEqual({ ...before, version: before.version + 1 });
      expect(task.events).toMatchObject([
        { type: 'task.inputRefused', code: 'channel.not_a_member', participant: 'mallory', messageId: 'm9' },
      ]);
      expect(JSON.stringify(task.events)).not.toContain('secret plan');
      expect(task.effects).toEqual([]);
    }
  });

  test('a message between the last drain and the reply is not lost: the next run follows at once', () => {
    const task = TaskMachine.working();
    task.says('bob', 'one more thing');
    task.replies('hi');
    expect(typesOf(task.events)).toEqual(['task.updated', 'task.turnStarted']);
    expect(task.state).toMatchObject({ lastReply: 'hi', turnsInRun: 0, status: { state: 'WORKING' } });
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
    expect(task.history.at(-1)).toMatchObject({ text: 'one more thing' });
  });

  test('a message that waited while the model failed starts a new run after the failure was told', () => {
    const task = TaskMachine.working();
    task.says('bob', 'try again');
    task.modelFails();
    expect(typesOf(task.events)).toEqual([
      'task.status INPUT_REQUIRED',
      'task.status WORKING',
      'task.turnStarted',
    ]);
  });

  test('an empty reply parks and leaves the reply before it', () => {
    const task = TaskMachine.parked();
    task.says('alice', 'thanks');
    task.replies('');
    expect(task.events).toEqual([
      {
        type: 'task.status',
        state: 'INPUT_REQUIRED',
        subState: 'AWAITING_MESSAGE',
        message: 'The model gave no text',
      },
    ]);
    expect(task.state.lastReply).toBe('hi');
    expect(task.history).toHaveLength(3);
  });
});

describe('ends', () => {
  test.each([
    ['complete', 'COMPLETED', 'Completed by bob', { kind: 'completeRequested', participant: 'bob' }],
    [
      'complete',
      'COMPLETED',
      'Good work',
      { kind: 'completeRequested', participant: 'bob', text: 'Good work' },
    ],
    ['cancel', 'CANCELED', 'Canceled by bob', { kind: 'cancelRequested', participant: 'bob' }],
    ['cancel', 'CANCELED', 'Too late', { kind: 'cancelRequested', participant: 'bob', reason: 'Too late' }],
  ] as const)('rows 24 and 25: %s ends the task as %s, saying "%s"', (_verb, state, message, input) => {
    const task = TaskMachine.parked();
    task.apply(input);
    expect(task.events).toEqual([{ type: 'task.status', state, message }]);
    expect(task.state.status).toMatchObject({ state, message });
    expect(task.effects).toEqual([]);
  });

  test('rows 24 and 25: what runs is abandoned, what waits is dropped, a late outcome changes nothing', () => {
    const task = TaskMachine.working();
    const [model] = task.outstanding;
    task.commands('status');
    const [, command] = task.outstanding;
    task.commands('help');
    task.says('bob', 'wait');
    task.apply({ kind: 'cancelRequested', participant: 'alice' });
    expect(task.effects).toEqual([
      { kind: 'abandon', key: model?.key },
      { kind: 'abandon', key: command?.key },
    ]);
    expect(task.state).toMatchObject({ mailbox: [], commands: [], run: { phase: 'idle' } });

    const before = task.state;
    task.apply({ kind: 'toolReturned', effectKey: model?.key ?? '', text: 'late', isError: false });
    expect(task.last).toEqual({
      state: { ...before, version: before.version + 1 },
      effects: [],
      events: [],
    });
  });

  test('rows 24 and 25: only a participant may end a task', () => {
    const task = TaskMachine.working();
    task.apply({ kind: 'completeRequested', participant: 'mallory' });
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'channel.not_a_member' }]);
    expect(task.status).toBe('WORKING');
  });

  test.each([
    ['message', { kind: 'messageReceived', messageId: 'm9', participant: 'alice', text: 'x' }],
    ['command', { kind: 'commandReceived', messageId: 'm9', participant: 'alice', name: 'help', args: '' }],
    ['completion', { kind: 'completeRequested', participant: 'alice' }],
    ['cancellation', { kind: 'cancelRequested', participant: 'alice' }],
    ['pause', { kind: 'pauseRequested', participant: 'alice' }],
    ['resumption', { kind: 'resumeRequested', participant: 'alice' }],
  ] as const)('rows 26 and 27: a terminal task refuses a %s and names its state', (_what, input) => {
    const task = TaskMachine.parked();
    task.apply({ kind: 'cancelRequested', participant: 'alice' });
    const before = task.state;
    task.apply(input);
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.terminal' }]);
    expect(task.events[0]).toHaveProperty('reason', expect.stringContaining('CANCELED'));
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
  });
});
