/** Questions and the tasks of participants: rows 5, 12 and 18 to 22 (spec/worker.md §§ 2.4, 5.4). */
import { describe, expect, test } from 'vitest';
import { TaskMachine, typesOf } from './TaskMachine.ts';

const ASK = (participant: string, question: string) => ({
  callId: question,
  tool: 'ask_participant',
  arguments: { participant_id: participant, question },
});

function lastResult(task: TaskMachine) {
  return task.history.findLast((entry) => entry.kind === 'toolResult');
}

describe('a question', () => {
  test('row 12: it parks the task for the answer, and is told before the status', () => {
    const task = TaskMachine.working();
    task.asks('bob', 'Which order?', ['7', '8']);
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    expect(typesOf(task.events)).toEqual([
      'task.toolCalled',
      'task.question',
      'task.toolReturned',
      'task.status INPUT_REQUIRED',
    ]);
    expect(task.events[1]).toEqual({
      type: 'task.question',
      messageId: 't1:help:2',
      channelId: 't1',
      participant: 'bob',
      text: 'Which order?',
      options: ['7', '8'],
    });
    expect(task.state.status.message).toBe('Which order?\nOptions: 7, 8');
    expect(task.state.question).toMatchObject({ participant: 'bob', messageId: 't1:help:2', turn: 1 });
    expect(task.effects).toEqual([]);
  });

  test('row 12: the other calls of the turn are made first', () => {
    const task = TaskMachine.working();
    task.replies('', [ASK('bob', 'Which?'), { callId: 'b', tool: 'get_order', arguments: {} }]);
    expect(task.status).toBe('WORKING');
    task.toolReturns('order 7');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    expect(task.effects).toEqual([]);
  });

  test('row 18: the answer of the one who is asked closes it and the line quotes both', () => {
    const task = TaskMachine.working();
    task.asks('bob', 'Which order?');
    task.says('bob', 'Number 7', 'm9');
    expect(typesOf(task.events)).toEqual([
      'task.messageAccepted',
      'task.status WORKING',
      'task.answered',
      'task.turnStarted',
    ]);
    expect(task.events[2]).toEqual({
      type: 'task.answered',
      questionId: 't1:help:2',
      messageId: 'm9',
      participant: 'bob',
    });
    expect(task.state).not.toHaveProperty('question');
    expect(task.history.at(-1)).toMatchObject({
      role: 'USER',
      participant: 'bob',
      text: 'Question: Which order?\nAnswer: Number 7',
    });
  });

  test('row 19: a message of another wakes the task and leaves the question open', () => {
    const task = TaskMachine.working();
    task.asks('bob', 'Which order?');
    task.says('alice', 'Hurry');
    expect(task.status).toBe('WORKING');
    expect(task.state.question?.participant).toBe('bob');
    expect(task.history.at(-1)).toMatchObject({ participant: 'alice', text: 'Hurry' });
  });

  test('row 20: a reply while it is open parks the task for the answer', () => {
    const task = TaskMachine.working();
    task.asks('bob', 'Which order?');
    task.says('alice', 'Hurry');
    task.replies('I wait for bob');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    expect(task.state).toMatchObject({
      lastReply: 'I wait for bob',
      status: { message: 'I wait for bob' },
      question: { participant: 'bob' },
    });
    task.says('bob', '7');
    expect(task.history.at(-1)).toMatchObject({ text: 'Question: Which order?\nAnswer: 7' });
  });

  test('a second one in the same turn is an error result and the first stays', () => {
    const task = TaskMachine.working();
    task.replies('', [ASK('bob', 'First?'), ASK('alice', 'Second?')]);
    expect(lastResult(task)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^question.open: /),
    });
    expect(task.state.question).toMatchObject({ participant: 'bob', text: 'First?' });
  });

  test('one of a later turn takes the place of the one that is open', () => {
    const task = TaskMachine.working();
    task.asks('bob', 'Which order?');
    task.says('alice', 'Ask me instead');
    task.asks('alice', 'Then which?');
    expect(task.state.question).toMatchObject({ participant: 'alice', text: 'Then which?' });
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
  });

  test.each(['mallory', 'flotilla'])('%s cannot be asked', (participant) => {
    const task = TaskMachine.working();
    task.asks(participant);
    expect(lastResult(task)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^channel.not_a_member: /),
    });
    expect(task.state).not.toHaveProperty('question');
    expect(task.status).toBe('WORKING');
  });

  test('a message that came in meanwhile wakes the task at once', () => {
    const task = TaskMachine.working();
    task.says('alice', 'Never mind');
    task.asks('bob');
    expect(task.events.map(({ type }) => type).slice(-3)).toEqual([
      'task.status',
      'task.status',
      'task.turnStarted',
    ]);
    expect(task.status).toBe('WORKING');
    expect(task.state.question?.participant).toBe('bob');
  });

  test('the end of the task closes it', () => {
    const task = TaskMachine.working();
    task.asks('bob');
    task.apply({ kind: 'completeRequested', participant: 'alice' });
    expect(task.status).toBe('COMPLETED');
    expect(task.state).not.toHaveProperty('question');
  });

  test('a task of older rules has no such tool', () => {
    const task = TaskMachine.working({ rules: 2 });
    task.asks('bob');
    expect(task.effects).toMatchObject([{ kind: 'callTool', call: { tool: 'ask_participant' } }]);
  });
});

describe('the task of a participant', () => {
  const forAlice = () =>
    new TaskMachine({
      lifecycle: 'PARTICIPANT',
      goal: 'Sign the form',
      agentId: 'flotilla',
      parent: { ref: 'o/r#0', id: 't0' },
      participants: [
        { id: 'alice', kind: 'HUMAN', role: 'ASSIGNEE', displayName: '' },
        { id: 'flotilla', kind: 'AGENT', role: 'WATCHER', displayName: '' },
        { id: 'bob', kind: 'HUMAN', role: 'WATCHER', displayName: '' },
      ],
    });

  test('row 5: it waits for the answer and its status says the goal', () => {
    const task = forAlice();
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    expect(task.state.status.message).toBe('Sign the form');
    expect(task.state.question).toMatchObject({ participant: 'alice', text: 'Sign the form' });
    expect(task.effects).toEqual([]);
  });

  test('row 21: the answer of its assignee completes it and the parent is told', () => {
    const task = forAlice();
    task.says('alice', 'Signed');
    expect(task.state.status).toMatchObject({ state: 'COMPLETED', message: 'Signed' });
    expect(task.history).toMatchObject([{ text: 'Question: Sign the form\nAnswer: Signed' }]);
    expect(task.effects).toEqual([
      {
        kind: 'tellParent',
        key: 't1:2:0',
        parent: { ref: 'o/r#0', id: 't0' },
        childId: 't1',
        version: 2,
        state: 'COMPLETED',
        summary: 'Signed',
      },
    ]);
  });

  test('row 22: a message of anybody else is refused, and the sender is told why', () => {
    const task = forAlice();
    const before = task.state;
    task.says('bob', 'I could');
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.not_the_assignee' }]);
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
  });

  test('row 23: a command does not end it', () => {
    const task = forAlice();
    task.commands('status');
    task.commandReturns({ kind: 'reply', text: 'waiting' });
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    expect(typesOf(task.events)).toEqual(['task.commandReplied']);
  });

  test('an answer while it is paused ends it when it is resumed', () => {
    const task = forAlice();
    task.apply({ kind: 'pauseRequested', participant: 'bob' });
    task.says('alice', 'Signed');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    task.apply({ kind: 'resumeRequested', participant: 'bob' });
    expect(task.status).toBe('COMPLETED');
  });

  test('no model runs for it, whatever its mailbox holds', () => {
    const task = forAlice();
    task.apply({
      kind: 'messageReceived',
      messageId: 'm2',
      participant: 'alice',
      text: 'x',
      needsIntake: true,
    });
    expect(task.effects).toMatchObject([{ kind: 'intake' }]);
    task.intakeRefuses();
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    expect(task.outstanding).toEqual([]);
  });
});
