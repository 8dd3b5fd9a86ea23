/** Plans under the hands of people: steps completed, forced, skipped and judged from outside, and nobody woken by it. */
import { describe, expect, test } from 'vitest';
import type { PlanEdit, PlanStep } from '../../../subgraph/task/index.ts';
import { TaskMachine, typesOf } from './TaskMachine.ts';

/** a, then b, then c; d waits for nothing. */
function planned(): TaskMachine {
  const task = TaskMachine.working();
  const steps = [
    { name: 'a', description: '', depends_on: [] },
    { name: 'b', description: '', depends_on: ['a'] },
    { name: 'c', description: '', depends_on: ['b'] },
    { name: 'd', description: '', depends_on: [] },
  ];
  task.calls('create_plan', { steps });
  task.replies('planned');
  return task;
}

function edit(task: TaskMachine, planEdit: PlanEdit): string {
  task.apply({ kind: 'planEdited', participant: 'bob', edit: planEdit });
  return marksOf(task);
}

/** `a:DONE b:PENDING …` */
function marksOf(task: TaskMachine): string {
  const { steps } = task.state.plan ?? { steps: [] };
  return steps.map(({ id, state, override }) => `${id}:${state}${override ? `/${override}` : ''}`).join(' ');
}

function stepOf(task: TaskMachine, id: string): PlanStep | undefined {
  return task.state.plan?.steps.find((step) => step.id === id);
}

describe('an edit of the plan', () => {
  test('changes the plan, tells so, and starts nothing', () => {
    const task = planned();
    expect(edit(task, { op: 'complete' })).toBe('a:DONE b:PENDING c:PENDING d:PENDING');
    expect(stepOf(task, 'a')?.output).toBe('Completed by bob');
    expect(task.events).toEqual([{ type: 'task.updated', changed: ['plan'] }]);
    expect(task.effects).toEqual([]);
    expect(task.status).toBe('INPUT_REQUIRED/AWAITING_MESSAGE');
  });

  test.each([
    [{ op: 'complete', step: 'c' }, 'plan.not_ready', 'step "c" waits for b'],
    [{ op: 'complete', step: 'x' }, 'plan.unknown_step', 'step is "x", one of a, b, c, d is expected'],
    [{ op: 'force', step: 'x', reason: 'r' }, 'plan.unknown_step', 'step is "x"'],
    [{ op: 'skip', steps: ['x', 'y'], reason: 'r' }, 'plan.unknown_step', 'none of x, y is an open step'],
  ] satisfies [PlanEdit, string, string][])('%o is refused with %s', (planEdit, code, reason) => {
    const task = planned();
    const before = task.state.plan;
    edit(task, planEdit);
    expect(task.events).toMatchObject([
      { type: 'task.inputRefused', code, reason: expect.stringContaining(reason) },
    ]);
    expect(task.state.plan).toBe(before);
  });

  test('of a task without a plan, of a stranger or of an ended task is refused', () => {
    const task = TaskMachine.parked();
    edit(task, { op: 'advance' });
    expect(task.events).toMatchObject([{ code: 'plan.missing' }]);
    task.apply({ kind: 'planEdited', participant: 'mallory', edit: { op: 'advance' } });
    expect(task.events).toMatchObject([{ code: 'channel.not_a_member' }]);
    task.apply({ kind: 'cancelRequested', participant: 'alice' });
    edit(task, { op: 'advance' });
    expect(task.events).toMatchObject([{ code: 'task.terminal' }]);
  });
});

describe('completing', () => {
  test('goes through the plan by the current step until none is left', () => {
    const task = planned();
    for (const _ of 'abcd') edit(task, { op: 'complete' });
    expect(marksOf(task)).toBe('a:DONE b:DONE c:DONE d:DONE');
    edit(task, { op: 'complete' });
    expect(task.events).toMatchObject([
      { code: 'plan.not_ready', reason: 'no step is ready, one is expected' },
    ]);
  });

  test('a step that is done already changes nothing', () => {
    const task = planned();
    edit(task, { op: 'complete', step: 'a' });
    const before = task.state.plan;
    edit(task, { op: 'complete', step: 'a' });
    expect(task.events).toEqual([]);
    expect(task.state.plan).toBe(before);
  });
});

describe('advancing', () => {
  test('begins the first step that is ready, once', () => {
    const task = planned();
    expect(edit(task, { op: 'advance' })).toBe('a:ACTIVE b:PENDING c:PENDING d:PENDING');
    edit(task, { op: 'advance' });
    expect(task.events).toEqual([]);
    edit(task, { op: 'complete' });
    expect(edit(task, { op: 'advance' })).toBe('a:DONE b:ACTIVE c:PENDING d:PENDING');
  });

  test.each([
    ['COMPLETED', 'a:DONE b:ACTIVE c:PENDING d:PENDING', 'Its sub-tasks are completed'],
    ['CANCELED', 'a:FAILED b:PENDING c:PENDING d:ACTIVE', 'Look: CANCELED'],
    ['WORKING', 'a:ACTIVE b:PENDING c:PENDING d:PENDING', undefined],
  ] as const)('a step with a sub-task that is %s gives %s', (state, marks, output) => {
    const task = planned();
    task.says('alice', 'go on');
    task.calls('spawn_subtask', { name: 'Look', goal: 'at a', step: 'a' });
    task.childStarts();
    task.childTells('t1.1', state);
    expect(edit(task, { op: 'advance' })).toBe(marks);
    expect(stepOf(task, 'a')?.output).toBe(output);
  });
});

describe('forcing', () => {
  test('makes a step the current one; what it waited for counts as done, by the reason', () => {
    const task = planned();
    edit(task, { op: 'advance' });
    expect(edit(task, { op: 'force', step: 'c', reason: 'seen by hand' })).toBe(
      'a:DONE/FORCED b:DONE/FORCED c:ACTIVE/FORCED d:PENDING',
    );
    expect(stepOf(task, 'b')?.output).toBe('seen by hand');
    edit(task, { op: 'force', step: 'c', reason: 'seen by hand' });
    expect(task.events).toEqual([]);
  });

  test('back to a step that is done keeps what lies behind it, and no other step is active', () => {
    const task = planned();
    edit(task, { op: 'complete' });
    edit(task, { op: 'complete' });
    edit(task, { op: 'advance' });
    expect(edit(task, { op: 'force', step: 'a', reason: 'again' })).toBe(
      'a:ACTIVE/FORCED b:DONE c:PENDING d:PENDING',
    );
  });

  test('is forgotten of a step that the agent does after all', () => {
    const task = planned();
    edit(task, { op: 'force', step: 'b', reason: 'r' });
    task.says('alice', 'go on');
    task.calls('complete_step', { step: 'b', output: 'done' });
    expect(marksOf(task)).toBe('a:DONE/FORCED b:DONE c:PENDING d:PENDING');
  });
});

describe('skipping', () => {
  test('counts open steps as done and leaves the others', () => {
    const task = planned();
    edit(task, { op: 'complete', step: 'a' });
    expect(edit(task, { op: 'skip', steps: ['a', 'b', 'x'], reason: 'not needed' })).toBe(
      'a:DONE b:DONE/SKIPPED c:PENDING d:PENDING',
    );
    expect(stepOf(task, 'b')?.output).toBe('not needed');
    edit(task, { op: 'skip', steps: ['b'], reason: 'other' });
    expect(stepOf(task, 'b')?.output).toBe('not needed');
    expect(typesOf(task.events)).toEqual([]);
  });
});

describe('declaring repositories', () => {
  test('replaces them, and none is no declaration', () => {
    const task = TaskMachine.parked();
    const declare = (...repositories: string[]): void => {
      task.apply({ kind: 'repositoriesDeclared', participant: 'alice', repositories });
    };
    declare('o/r', '/srv/r');
    expect(task.state.repositories).toEqual(['o/r', '/srv/r']);
    expect(task.events).toEqual([{ type: 'task.updated', changed: ['repositories'] }]);
    declare('o/r', '/srv/r');
    expect(task.events).toEqual([]);
    declare();
    expect(task.state).not.toHaveProperty('repositories');
  });
});
