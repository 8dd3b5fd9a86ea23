/** Sub-tasks: rows 9 to 11, 24, 25 and 28 to 31 (spec/worker.md §§ 2.4, 3.10). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../subgraph/task/index.ts';
import { CREATION, NO_USAGE, TaskMachine, typesOf } from './TaskMachine.ts';

function lastResult(task: TaskMachine) {
  return task.history.findLast((entry) => entry.kind === 'toolResult');
}

function lastNote(task: TaskMachine) {
  return task.history.findLast((entry) => entry.kind === 'message' && entry.role === 'NOTE');
}

describe('spawn_subtask', () => {
  test('asks for a delegated child that is the parent in small', () => {
    const task = TaskMachine.working({ settings: { model: 'm2', effort: 'HIGH' }, budget: { turns: 9 } });
    task.calls('spawn_subtask', { name: 'Look up', goal: 'Find order 7', acceptance_criteria: ['found'] });
    expect(task.effects).toEqual([
      {
        kind: 'startChild',
        key: 't1:2:0',
        child: {
          id: 't1.1',
          contextId: 'c1',
          parent: { ref: 'o/r#1', id: 't1' },
          depth: 1,
          lifecycle: 'DELEGATED',
          name: 'Look up',
          goal: 'Find order 7',
          acceptanceCriteria: [{ text: 'found', met: false }],
          message: { messageId: 't1.1:goal', participant: 'flotilla', text: 'Find order 7' },
          participants: CREATION.participants,
          settings: { model: 'm2', effort: 'HIGH' },
          maxTurns: 50,
          agentId: 'flotilla',
          budget: { turns: 9 },
        },
      },
    ]);
    expect(task.state).toMatchObject({
      run: { phase: 'tools', childId: 't1.1' },
      children: [{ id: 't1.1', lifecycle: 'DELEGATED', name: 'Look up', state: 'SUBMITTED', version: 0 }],
    });
  });

  test('goes on with the turn when the child is there', () => {
    const task = TaskMachine.working();
    task.calls('spawn_subtask', { name: 'Look up', goal: 'Find order 7' });
    task.childStarts('o/r#2');
    expect(typesOf(task.events)).toEqual(['task.childStarted', 'task.toolReturned', 'task.turnStarted']);
    expect(task.events[0]).toEqual({
      type: 'task.childStarted',
      childId: 't1.1',
      childRef: 'o/r#2',
      lifecycle: 'DELEGATED',
      name: 'Look up',
    });
    expect(lastResult(task)).toMatchObject({ text: 'Sub-task t1.1 has started', isError: false });
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('tells the model of an agent that nobody knows, and no child is left', () => {
    const task = TaskMachine.working();
    task.calls('spawn_subtask', { name: 'Look up', goal: 'Find it', agent: 'ledger' });
    expect(task.effects).toMatchObject([
      { kind: 'startChild', agent: 'ledger', child: { lifecycle: 'REMOTE' } },
    ]);
    task.childFails('entity.not_found', 'no agent is called "ledger"');
    expect(lastResult(task)).toMatchObject({
      text: 'entity.not_found: no agent is called "ledger"',
      isError: true,
    });
    expect(task.state).not.toHaveProperty('children');
    task.spawns();
    expect(task.state.children).toMatchObject([{ id: 't1.2' }]);
  });

  test('is linked from the step that it is for; a step that the plan does not have is no error', () => {
    const task = TaskMachine.working();
    task.calls('create_plan', { steps: [{ name: 'Look up', description: '' }] });
    task.spawns('Look up', { step: 'Look up' });
    expect(task.state.plan?.steps[0]).toMatchObject({ id: 'look-up', linkedTasks: ['t1.1'] });
    task.spawns('Other', { step: 'Ship', agent: null });
    expect(task.state.children?.[1]).not.toHaveProperty('step');
  });

  test('is refused when too many tasks are above', () => {
    const task = TaskMachine.working({ depth: 8 });
    task.calls('spawn_subtask', { name: 'a', goal: 'b' });
    expect(lastResult(task)?.text).toMatch(/^task.too_many_sub_tasks: /);
  });

  test('makes the agent the assignee of a child when nobody is', () => {
    const participants = [{ id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: '' }] as const;
    const task = TaskMachine.working({ participants, agentId: 'flotilla' });
    task.calls('spawn_subtask', { name: 'a', goal: 'b' });
    expect(task.effects).toMatchObject([
      { child: { participants: [{ id: 'alice' }, { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE' }] } },
    ]);
  });
});

describe('create_task_for_participant', () => {
  const call = (task: TaskMachine, args: JsonObject) =>
    task.calls('create_task_for_participant', { name: 'Sign', goal: 'Sign it', ...args });

  test('makes the participant the assignee and the assignee a watcher', () => {
    const task = TaskMachine.working();
    call(task, { participant_id: 'bob' });
    expect(task.effects).toMatchObject([
      {
        kind: 'startChild',
        child: {
          lifecycle: 'PARTICIPANT',
          goal: 'Sign it',
          participants: [
            { id: 'alice', role: 'REPORTER' },
            { id: 'flotilla', role: 'WATCHER' },
            { id: 'bob', role: 'ASSIGNEE' },
          ],
        },
      },
    ]);
    expect(task.effects[0]).not.toHaveProperty('child.message');
  });

  test.each(['mallory', 'flotilla'])('is refused for %s', (participant_id) => {
    const task = TaskMachine.working();
    call(task, { participant_id });
    expect(lastResult(task)?.text).toMatch(/^channel.not_a_member: /);
  });
});

describe('a parent', () => {
  test('row 10: a reply over an unresolved child ends the run without one, and the note starts the next', () => {
    const task = TaskMachine.working();
    task.spawns();
    task.replies('I wait');
    expect(task.events).toEqual([]);
    expect(task.effects).toEqual([]);
    expect(task.state).toMatchObject({ status: { state: 'WORKING' }, run: { phase: 'waiting' } });
    expect(task.state).not.toHaveProperty('lastReply');
    task.childTells('t1.1', 'COMPLETED', 'order 7');
    expect(typesOf(task.events)).toEqual(['task.childChanged', 'task.turnStarted']);
    expect(lastNote(task)).toMatchObject({ text: 'Sub-task t1.1 "Look it up" is COMPLETED: order 7' });
    expect(task.state.turnsInRun).toBe(0);
    task.replies('It is order 7');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(task.state.lastReply).toBe('It is order 7');
  });

  test('row 10: a message wakes a task that waits for its children', () => {
    const task = TaskMachine.working();
    task.spawns();
    task.replies('I wait');
    task.says('alice', 'And?');
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test.each([
    ['complete', 'INPUT_REQUIRED', 'done'],
    ['fail', 'FAILED', 'criteria are not met'],
    ['wait', 'WORKING', undefined],
  ] as const)('rows 8, 10 and 11: what is decided outside holds: %s', (decision, state, message) => {
    const task = TaskMachine.working();
    const effectKey = task.keyOf('callModel');
    const reply = { text: 'done', toolCalls: [], usage: NO_USAGE, model: 'm', finish: 'stop' } as const;
    task.apply({ kind: 'modelReplied', effectKey, ...reply, decideCompletion: true });
    expect(task.effects).toMatchObject([{ kind: 'decideCompletion', text: 'done', unresolved: [] }]);
    task.decides(decision, decision === 'fail' ? 'criteria are not met' : undefined);
    expect(task.state.status).toMatchObject({ state, ...(message && { message }) });
    expect(task.outstanding).toEqual([]);
  });

  test('row 11: a message that came in while it was decided is read before the reply ends the run', () => {
    const task = TaskMachine.working({ lifecycle: 'DELEGATED' });
    const effectKey = task.keyOf('callModel');
    const reply = { text: 'done', toolCalls: [], usage: NO_USAGE, model: 'm', finish: 'stop' } as const;
    task.apply({ kind: 'modelReplied', effectKey, ...reply, decideCompletion: true });
    task.says('alice', 'Wait');
    task.decides('complete');
    expect(task.status).toBe('WORKING');
    expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  });

  test('row 24: it is not completed over an open child, and the turn goes on', () => {
    const task = TaskMachine.working();
    task.spawns();
    const before = task.state;
    task.apply({ kind: 'completeRequested', participant: 'alice' });
    expect(task.events).toMatchObject([{ type: 'task.inputRefused', code: 'task.open_sub_tasks' }]);
    expect(task.events[0]).toHaveProperty('reason', expect.stringContaining('t1.1'));
    expect(task.state).toEqual({ ...before, version: before.version + 1 });
    task.childTells('t1.1', 'FAILED', 'no');
    task.apply({ kind: 'completeRequested', participant: 'alice' });
    expect(task.status).toBe('COMPLETED');
  });

  test('row 25: a cancellation goes on to every open child with the same reason, and up to the parent', () => {
    const task = TaskMachine.working({ parent: { ref: 'o/r#0', id: 't0' } });
    task.spawns('one');
    task.spawns('two');
    task.childTells('t1.1', 'COMPLETED');
    task.apply({ kind: 'cancelRequested', participant: 'alice', reason: 'Too late' });
    expect(task.effects.slice(1)).toMatchObject([
      { kind: 'cancelChild', childId: 't1.2', participant: 'flotilla', reason: 'Too late' },
      { kind: 'tellParent', childId: 't1', state: 'CANCELED', summary: 'Too late' },
    ]);
  });

  test('row 28: a child that ended is noted once, however often it tells it', () => {
    const task = TaskMachine.working();
    task.spawns();
    task.apply({
      kind: 'childChanged',
      childId: 't1.1',
      version: 4,
      state: 'COMPLETED',
      summary: 'x'.repeat(600),
    });
    expect(task.state.children).toMatchObject([{ state: 'COMPLETED', version: 4 }]);
    expect(task.events).toEqual([
      { type: 'task.childChanged', childId: 't1.1', state: 'COMPLETED', summary: 'x'.repeat(500) },
    ]);
    const before = task.state;
    task.apply({ kind: 'childChanged', childId: 't1.1', version: 4, state: 'COMPLETED', summary: 'x' });
    task.apply({ kind: 'childChanged', childId: 't1.9', version: 5, state: 'FAILED', summary: 'x' });
    expect(task.state).toEqual({ ...before, version: before.version + 2 });
  });

  test('row 28: a child may end before its start is known', () => {
    const task = TaskMachine.working();
    task.calls('spawn_subtask', { name: 'a', goal: 'b' });
    task.childTells('t1.1', 'COMPLETED', 'quick');
    task.childStarts();
    expect(lastNote(task)).toMatchObject({ text: 'Sub-task t1.1 "a" is COMPLETED: quick' });
    task.replies('done');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
  });

  test('row 29: a remote child that changed is noted and stays open; what it told before is overtaken', () => {
    const task = TaskMachine.working();
    task.calls('spawn_subtask', { name: 'a', goal: 'b', agent: 'ledger' });
    task.childStarts();
    task.childTells('t1.1', 'WORKING');
    task.childTells('t1.1', 'INPUT_REQUIRED', 'Which year?');
    expect(task.state.children).toMatchObject([{ state: 'INPUT_REQUIRED', agent: 'ledger' }]);
    task.replies('I wait');
    const notes = task.history.filter((entry) => entry.kind === 'message' && entry.role === 'NOTE');
    expect(notes).toMatchObject([{ text: 'Sub-task t1.1 "a" is INPUT_REQUIRED: Which year?' }]);
  });

  test('row 30: a note of a blocking child wakes a parked task', () => {
    const task = TaskMachine.working();
    task.calls('create_task_for_participant', { participant_id: 'bob', name: 'Sign', goal: 'Sign' });
    task.childStarts();
    task.asks('alice');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_ANSWER');
    task.childTells('t1.1', 'COMPLETED', 'Signed');
    expect(typesOf(task.events)).toEqual(['task.childChanged', 'task.status WORKING', 'task.turnStarted']);
    expect(task.state.question?.participant).toBe('alice');
  });

  test('row 31: a note of a conversation is kept for the next drain', () => {
    const task = TaskMachine.parked();
    task.commands('sub-task');
    task.commandReturns({ kind: 'spawn' });
    task.childStarts();
    task.childTells('t1.1', 'COMPLETED', 'Bye');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
    expect(task.effects).toEqual([]);
    task.says('alice', 'Well?');
    expect(task.history.slice(-3)).toMatchObject([
      { role: 'NOTE', text: 'alice created sub-task t1.1 "sub-task 1"' },
      { role: 'NOTE', text: 'Sub-task t1.1 "sub-task 1" is COMPLETED: Bye' },
      { role: 'USER', text: 'Well?' },
    ]);
    expect(task.state).not.toHaveProperty('notes');
  });

  test('a conversation does not hold the reply back', () => {
    const task = TaskMachine.parked();
    task.commands('sub-task');
    task.commandReturns({ kind: 'spawn' });
    task.childStarts();
    task.says('alice', 'Go on');
    task.replies('Yes');
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
  });

  test('nothing that a child tells changes a task that has ended', () => {
    const task = TaskMachine.working();
    task.spawns();
    task.apply({ kind: 'cancelRequested', participant: 'alice' });
    const before = task.state;
    task.childTells('t1.1', 'CANCELED');
    expect(task.last).toEqual({ state: { ...before, version: before.version + 1 }, effects: [], events: [] });
  });

  test('an end that was not asked for takes back a child whose start is not known', () => {
    const task = TaskMachine.working({ lifecycle: 'DELEGATED' });
    task.commands('sub-task');
    task.commandReturns({ kind: 'spawn' });
    task.replies('done');
    expect(task.status).toBe('COMPLETED');
    expect(task.effects).toMatchObject([{ kind: 'abandon' }, { kind: 'cancelChild', childId: 't1.1' }]);
  });
});
