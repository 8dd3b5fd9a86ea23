/** Budgets and usage: reaching one parks the task with the reason, raising it goes on with what was due. */
import { describe, expect, test } from 'vitest';
import type { Budget, Participant } from '../../../subgraph/task/index.ts';
import { CREATION, NO_USAGE, TaskMachine, typesOf } from './TaskMachine.ts';

const OPS: Participant = { id: 'ops', kind: 'HUMAN', role: 'ADMIN', displayName: '' };
const participants = [...CREATION.participants, OPS];

const USAGE = { inputTokens: 10, cachedTokens: 4, outputTokens: 2, costMicros: 30 };

function callsWith(task: TaskMachine, model = 'm', usage: typeof NO_USAGE = USAGE): void {
  const toolCalls = [{ callId: 'a', tool: 'get_order', arguments: {} }];
  const effectKey = task.keyOf('callModel');
  task.apply({ kind: 'modelReplied', effectKey, text: '', toolCalls, usage, model, finish: 'toolCalls' });
}

describe('a budget', () => {
  test.each([
    [{ turns: 1 }, "The task's budget is used up: 1 of 1 turns"],
    [{ tokens: 12 }, "The task's budget is used up: 12 of 12 tokens"],
    [{ costMicros: 25 }, "The task's budget is used up: 30 of 25 millionths of the currency"],
  ] satisfies [Budget, string][])(
    '%o parks the task before the turn that would go beyond',
    (budget, message) => {
      const task = TaskMachine.working({ budget });
      callsWith(task);
      task.toolReturns('order 7');
      expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
      expect(task.state.status).toMatchObject({ message, errorCode: 'task.budget_reached' });
      expect(task.state.heldBy).toBe(Object.keys(budget)[0]);
      expect(task.effects).toEqual([]);
    },
  );

  test('that is raised lets the turn begin that was due', () => {
    const task = TaskMachine.working({ budget: { turns: 1 }, participants });
    callsWith(task);
    task.toolReturns('order 7');
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: 2 });
    expect(typesOf(task.events)).toEqual(['task.updated', 'task.status WORKING', 'task.turnStarted']);
    expect(task.state).toMatchObject({ budget: { turns: 2 }, turnsInRun: 1 });
    expect(task.state).not.toHaveProperty('heldBy');
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('that is raised too little holds on, and a message waits', () => {
    const task = TaskMachine.parked({ budget: { turns: 1, tokens: 100 }, participants });
    task.says('alice', 'And now?');
    expect(task.state).toMatchObject({ heldBy: 'turns', mailbox: [{ text: 'And now?' }] });
    task.says('alice', 'Hello?');
    expect(typesOf(task.events)).toEqual(['task.messageAccepted']);
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: 1, tokens: null });
    expect(task.state).toMatchObject({ budget: { turns: 1 }, heldBy: 'turns' });
    expect(task.effects).toEqual([]);
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: null });
    expect(task.state).not.toHaveProperty('budget');
    expect(task.history.slice(-2)).toMatchObject([{ text: 'And now?' }, { text: 'Hello?' }]);
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('holds a delegated task back too, and does not end it', () => {
    const task = TaskMachine.working({ lifecycle: 'DELEGATED', budget: { turns: 1 } });
    callsWith(task);
    task.toolReturns('order 7');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
  });

  test('of nothing lets no first turn begin', () => {
    const task = TaskMachine.working({ budget: { tokens: 0 } });
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(task.state.mailbox).toHaveLength(1);
    expect(task.effects).toEqual([]);
  });

  test('of the instance holds the task back until a message or an operator tries again', () => {
    for (const retry of [
      { kind: 'messageReceived', messageId: 'm9', participant: 'alice', text: 'Again' },
      { kind: 'budgetChanged', participant: 'alice' },
    ] as const) {
      const task = TaskMachine.working({ lifecycle: 'DELEGATED' });
      task.modelFails('instance.budget_reached', 'The instance has used its budget of today');
      expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
      expect(task.state).toMatchObject({
        heldBy: 'instance',
        status: {
          message: 'The instance has used its budget of today',
          errorCode: 'instance.budget_reached',
        },
      });
      task.apply(retry);
      expect(task.state).not.toHaveProperty('heldBy');
      expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
    }
  });

  test.each([-1, 1.5, '7', Number.NaN])('with the limit %o is refused', (turns) => {
    const task = TaskMachine.parked({ participants });
    const before = task.state;
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: turns as number });
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.invalid_change' }]);
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
  });

  test('as it is already changes nothing', () => {
    const task = TaskMachine.parked({ budget: { turns: 3 }, participants });
    const before = task.state;
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: 3 });
    expect(task.last).toEqual({ state: { ...before, version: before.version + 1 }, effects: [], events: [] });
  });

  test.each(['alice', 'bob', 'flotilla'])('is not changed by %s, who is no admin', (participant) => {
    const task = TaskMachine.working({ budget: { turns: 0 }, participants });
    const before = task.state;
    task.apply({ kind: 'budgetChanged', participant, turns: null });
    expect(task.events).toMatchObject([
      { type: 'task.inputRefused', code: 'task.not_an_admin', participant },
    ]);
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
  });

  test('that holds the task in the place of another says so', () => {
    const task = TaskMachine.working({ budget: { turns: 1, tokens: 100 }, participants });
    callsWith(task);
    task.toolReturns('order 7');
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: null, tokens: 5 });
    expect(typesOf(task.events)).toEqual(['task.updated', 'task.status INPUT_REQUIRED']);
    expect(task.state).toMatchObject({
      heldBy: 'tokens',
      status: { message: "The task's budget is used up: 12 of 5 tokens", errorCode: 'task.budget_reached' },
    });
    task.apply({ kind: 'budgetChanged', participant: 'ops', tokens: 12 });
    expect(task.state.status.message).toBe("The task's budget is used up: 12 of 12 tokens");
    task.apply({ kind: 'budgetChanged', participant: 'alice' });
    expect(task.events).toEqual([]);
    task.apply({ kind: 'budgetChanged', participant: 'ops', tokens: 13 });
    expect(task.state).not.toHaveProperty('heldBy');
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('of its own holds the task when that of the instance does no more', () => {
    const task = TaskMachine.working({ participants });
    task.modelFails('instance.budget_reached', 'The instance has used its budget of today');
    task.apply({ kind: 'budgetChanged', participant: 'ops', turns: 0 });
    expect(task.state).toMatchObject({ heldBy: 'turns', status: { errorCode: 'task.budget_reached' } });
    expect(task.effects).toEqual([]);
  });
});

describe('usage', () => {
  test('is kept by model, with its cost where there is a price', () => {
    const task = TaskMachine.working();
    for (const [model, usage] of [
      ['constructor', USAGE],
      ['m2', NO_USAGE],
      ['constructor', USAGE],
    ] as const) {
      callsWith(task, model, usage);
      task.toolReturns('x');
    }
    expect(task.state.usage).toEqual({ inputTokens: 20, cachedTokens: 8, outputTokens: 4, costMicros: 60 });
    expect(task.state.usageByModel).toEqual({
      constructor: { inputTokens: 20, cachedTokens: 8, outputTokens: 4, costMicros: 60 },
      m2: NO_USAGE,
    });
  });

  test('is kept as a sum by tasks of older rules', () => {
    const task = TaskMachine.working({ rules: 2 });
    callsWith(task, 'm', { inputTokens: 1, cachedTokens: 0, outputTokens: 1 });
    expect(task.state.usage).toEqual({ inputTokens: 1, cachedTokens: 0, outputTokens: 1 });
    expect(task.state).not.toHaveProperty('usageByModel');
  });
});
