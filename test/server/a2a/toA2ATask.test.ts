import { expect, test } from 'vitest';
import { toA2ATask, toWireHistory } from '../../../server/a2a/toA2ATask.ts';
import { toTaskRow } from '../../../subgraph/engine/toTaskRow.ts';
import { initialState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

const ROW = toTaskRow(initialState(aTask()).state);

test('toA2ATask() has every field of the task extension, as its readers expect them', () => {
  const step = {
    id: 'a',
    name: 'A',
    description: 'First',
    dependsOn: [],
    state: 'DONE',
    output: 'ok',
  } as const;
  const child = {
    id: 'task-1.1',
    lifecycle: 'DELEGATED',
    name: 'Ledger',
    agent: 'ledger',
    state: 'WORKING',
    version: 1,
  } as const;
  const task = toA2ATask({
    ...ROW,
    description: 'Of the shop',
    acceptanceCriteria: [{ text: 'It is there', met: false }],
    settings: { model: 'm2', effort: 'HIGH' },
    plan: { steps: [step, { ...step, id: 'b', dependsOn: ['a'], state: 'PENDING', output: undefined }] },
    parent: { ref: 'o/r#9', id: 'task-9' },
    children: [child, { ...child, id: 'task-1.2', agent: undefined }],
  } as never);
  expect(task.metadata).toEqual({
    'dev.flotilla/task': {
      name: 'Find the order',
      type: null,
      goal: 'Find the order',
      description: 'Of the shop',
      acceptance_criteria: [{ text: 'It is there', met: false }],
      participants: [
        { id: 'alice', kind: 'human', role: 'reporter', display_name: 'Alice' },
        { id: 'flotilla', kind: 'agent', role: 'assignee', display_name: '' },
      ],
      parent_tasks: [{ task_id: 'task-9', agent: null }],
      sub_tasks: [
        { task_id: 'task-1.1', agent: 'ledger' },
        { task_id: 'task-1.2', agent: null },
      ],
      plan: {
        steps: [
          { id: 'a', name: 'A', description: 'First', depends_on: [], state: 'done', output: 'ok' },
          { id: 'b', name: 'A', description: 'First', depends_on: ['a'], state: 'pending' },
        ],
      },
      lifecycle: 'conversation',
      settings: { model: 'm2', effort: 'high' },
    },
  });
  expect(task).not.toHaveProperty('history');
});

test('toWireHistory() has what was said, and nothing of what the agent does', () => {
  const call = { callId: 'c', tool: 'get_order' };
  const history = toWireHistory(ROW, [
    { id: 1, atMs: 0, kind: 'message', role: 'USER', text: 'Hello', participant: 'alice' },
    { id: 2, atMs: 0, kind: 'toolCall', ...call, arguments: {} },
    { id: 3, atMs: 0, kind: 'toolResult', ...call, text: 'secret', isError: false },
    { id: 4, atMs: 0, kind: 'message', role: 'NOTE', text: 'secret' },
    { id: 5, atMs: 0, kind: 'message', role: 'ASSISTANT', text: 'Hi' },
  ]);
  expect(history).toEqual([
    {
      messageId: 'task-1:history:1',
      taskId: 'task-1',
      contextId: 'context-1',
      role: 'ROLE_USER',
      parts: [{ text: 'Hello' }],
      metadata: { participant_id: 'alice' },
    },
    {
      messageId: 'task-1:history:5',
      taskId: 'task-1',
      contextId: 'context-1',
      role: 'ROLE_AGENT',
      parts: [{ text: 'Hi' }],
    },
  ]);
});
