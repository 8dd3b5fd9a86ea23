/** A conversation of alice with the agent `flotilla`, to be varied by a test. */
import type { TaskInput } from '../../subgraph/task/index.ts';

type TaskCreated = Extract<TaskInput, { kind: 'taskCreated' }>;

export function aTask(change: Partial<TaskCreated> = {}): TaskCreated {
  return {
    kind: 'taskCreated',
    atMs: Date.UTC(2026, 0, 1),
    ref: 'o/r#1',
    id: 'task-1',
    contextId: 'context-1',
    lifecycle: 'CONVERSATION',
    message: { messageId: 'm1', participant: 'alice', text: 'Find the order' },
    participants: [
      { id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: 'Alice' },
      { id: 'flotilla', kind: 'AGENT', role: 'ASSIGNEE', displayName: '' },
    ],
    settings: {},
    maxTurns: 50,
    ...change,
  };
}
