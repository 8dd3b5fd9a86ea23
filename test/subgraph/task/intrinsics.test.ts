/** The plan of a task and the two tools that write it (spec/worker.md §§ 2.5, 3.8). */
import { expect, test } from 'vitest';
import { INTRINSIC_TOOLS, intrinsicToolsOf, type JsonObject } from '../../../subgraph/task/index.ts';
import { TaskMachine, typesOf } from './TaskMachine.ts';

const STEPS = [
  { name: 'Read the Order!', description: 'all of it' },
  { name: 'Refund', description: '', depends_on: ['Read the Order!', 'read-the-order'] },
];

function afterCall(tool: string, args: unknown, task = TaskMachine.working()): TaskMachine {
  task.calls(tool, args as JsonObject);
  return task;
}

function lastResult(task: TaskMachine) {
  return task.history.findLast((entry) => entry.kind === 'toolResult');
}

test('INTRINSIC_TOOLS describes the tools with a JSON Schema each', () => {
  expect(INTRINSIC_TOOLS.map(({ name }) => name)).toEqual([
    'create_plan',
    'complete_step',
    'spawn_subtask',
    'ask_participant',
    'create_task_for_participant',
    'set_participant_role',
  ]);
  for (const { inputSchema } of INTRINSIC_TOOLS) {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(JSON.parse(JSON.stringify(inputSchema))).toEqual(inputSchema);
  }
});

test('intrinsicToolsOf() gives a task of older rules only those that it had', () => {
  expect(intrinsicToolsOf({ rules: 3 })).toEqual(INTRINSIC_TOOLS);
  expect(intrinsicToolsOf({ rules: 2 })).toEqual(INTRINSIC_TOOLS.slice(0, 2));
});

test('create_plan attaches the plan at once and the model is asked again', () => {
  const task = afterCall('create_plan', { steps: STEPS });
  expect(task.state.plan).toEqual({
    steps: [
      {
        id: 'read-the-order',
        name: 'Read the Order!',
        description: 'all of it',
        dependsOn: [],
        state: 'PENDING',
      },
      { id: 'refund', name: 'Refund', description: '', dependsOn: ['read-the-order'], state: 'PENDING' },
    ],
  });
  expect(typesOf(task.events)).toEqual([
    'task.toolCalled',
    'task.updated',
    'task.toolReturned',
    'task.turnStarted',
  ]);
  expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
  expect(lastResult(task)).toMatchObject({
    text: '0 of 2 steps are done; ready: read-the-order',
    isError: false,
  });
});

test('create_plan replaces the plan', () => {
  const task = afterCall('create_plan', { steps: STEPS });
  afterCall('create_plan', { steps: [{ name: '???', description: '' }] }, task);
  expect(task.state.plan?.steps.map(({ id }) => id)).toEqual(['step']);
});

test.each(['Read the Order!', 'read-the-order'])('complete_step finds the step by "%s"', (step) => {
  const task = afterCall('create_plan', { steps: STEPS });
  afterCall('complete_step', { step, output: 'order 7' }, task);
  expect(task.state.plan?.steps[0]).toMatchObject({ state: 'DONE', output: 'order 7' });
  expect(lastResult(task)).toMatchObject({ text: '1 of 2 steps are done; ready: refund' });
});

test('an intrinsic between two tools keeps the order of the calls', () => {
  const task = TaskMachine.working();
  task.replies('', [
    { callId: 'a', tool: 'get_order', arguments: {} },
    { callId: 'b', tool: 'complete_step', arguments: { step: 'a', output: '' } },
    { callId: 'c', tool: 'get_order', arguments: {} },
  ]);
  task.toolReturns('7');
  expect(task.effects).toMatchObject([{ kind: 'callTool', call: { callId: 'c' } }]);
  task.toolReturns('7');
  expect(task.history.filter((entry) => entry.kind === 'toolResult').map(({ callId }) => callId)).toEqual([
    'a',
    'b',
    'c',
  ]);
});

test.each<[code: string, what: string, tool: string, args: unknown]>([
  [
    'plan.cycle',
    'two steps of one name',
    'create_plan',
    {
      steps: [
        { name: 'a', description: '' },
        { name: 'A', description: '' },
      ],
    },
  ],
  [
    'plan.cycle',
    'an unknown dependency',
    'create_plan',
    { steps: [{ name: 'a', description: '', depends_on: ['b'] }] },
  ],
  [
    'plan.cycle',
    'a step that waits for itself',
    'create_plan',
    { steps: [{ name: 'a', description: '', depends_on: ['a'] }] },
  ],
  [
    'plan.cycle',
    'steps that wait for each other',
    'create_plan',
    {
      steps: [
        { name: 'a', description: '', depends_on: ['b'] },
        { name: 'b', description: '', depends_on: ['a'] },
      ],
    },
  ],
  ['plan.missing', 'no plan', 'complete_step', { step: 'a', output: '' }],
  ['tool.invalid_arguments', 'no steps', 'create_plan', { steps: [] }],
  ['tool.invalid_arguments', 'steps that are no list', 'create_plan', { steps: 'a' }],
  ['tool.invalid_arguments', 'an empty name', 'create_plan', { steps: [{ name: '', description: '' }] }],
  ['tool.invalid_arguments', 'no description', 'create_plan', { steps: [{ name: 'a' }] }],
  ['tool.invalid_arguments', 'an unknown field', 'complete_step', { step: 'a', output: '', force: true }],
  ['tool.invalid_arguments', 'an output that is no text', 'complete_step', { step: 'a', output: 7 }],
  ['tool.invalid_arguments', 'arguments that are no object', 'complete_step', null],
  [
    'tool.invalid_arguments',
    'a field of the prototype',
    'complete_step',
    JSON.parse('{"step":"a","__proto__":{"output":""}}'),
  ],
])('%s: %s', (code, _what, tool, args) => {
  const task = afterCall(tool, args);
  expect(lastResult(task)).toMatchObject({ isError: true, text: expect.stringMatching(`^${code}: `) });
  expect(task.state.plan).toBeUndefined();
  expect(task.effects).toMatchObject([{ kind: 'callModel' }]);
});

test('plan.unknown_step: the steps that there are are named', () => {
  const task = afterCall('create_plan', { steps: STEPS });
  const { plan } = task.state;
  afterCall('complete_step', { step: 'Ship', output: '' }, task);
  expect(lastResult(task)).toMatchObject({
    isError: true,
    text: 'plan.unknown_step: step is "Ship", one of read-the-order, refund is expected',
  });
  expect(task.state.plan).toEqual(plan);
});
