/** A plan as the process graph of the REST contract. */
import { describe, expect, test } from 'vitest';
import type { TaskRow } from '../../../subgraph/engine/TaskEngine.ts';
import { forceWarnings, splitSkipped } from '../../../subgraph/process/planChanges.ts';
import { toProcessGraph } from '../../../subgraph/process/toProcessGraph.ts';
import { toProcessReport } from '../../../subgraph/process/toProcessReport.ts';
import type { PlanStep } from '../../../subgraph/task/index.ts';

const AT = '1970-01-01T00:00:01.000Z';

function aStep(id: string, part: Partial<PlanStep> = {}): PlanStep {
  return { id, name: id.toUpperCase(), description: '', dependsOn: [], state: 'PENDING', ...part };
}

function aRow(steps: readonly PlanStep[] | undefined, part: Partial<TaskRow> = {}): TaskRow {
  return {
    ref: 'o/r#1',
    version: 3,
    name: 'Ship it',
    status: { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE', atMs: 1_000 },
    updatedAtMs: 1_000,
    paused: false,
    ...(steps && { plan: { steps } }),
    ...part,
  } as TaskRow;
}

/** `a:pass b:pending …` */
function statusesOf(row: TaskRow): string {
  return toProcessReport(row)
    .nodes.map(({ node, status }) => `${node}:${status}`)
    .join(' ');
}

describe('toProcessGraph()', () => {
  test('has a node for each step and an edge for each thing that it waits for', () => {
    const graph = toProcessGraph(aRow([aStep('b', { dependsOn: ['a'] }), aStep('a')]));
    expect(graph).toEqual({
      workItem: 'o/r#1',
      version: 3,
      name: 'Ship it',
      start: 'a',
      specRoot: '',
      nodes: [
        { id: 'b', name: 'B', description: '' },
        { id: 'a', name: 'A', description: '' },
      ],
      edges: [{ from: 'a', to: 'b', on: 'done' }],
    });
  });

  test('of a task without a plan is empty', () => {
    expect(toProcessGraph(aRow(undefined))).toMatchObject({ start: null, nodes: [], edges: [] });
  });
});

describe('toProcessReport()', () => {
  test('tells what is done, skipped, failed, blocked by that, and waiting its turn', () => {
    const row = aRow([
      aStep('a', { state: 'DONE', output: 'well' }),
      aStep('b', { state: 'DONE', output: 'why', override: 'SKIPPED' }),
      aStep('c', { state: 'FAILED' }),
      aStep('d', { dependsOn: ['c'] }),
      aStep('e', { dependsOn: ['d', 'a'] }),
      aStep('f', { dependsOn: ['a'] }),
    ]);
    expect(statusesOf(row)).toBe('a:pass b:skip c:fail d:block e:block f:pending');
    expect(toProcessReport(row)).toMatchObject({
      currentNode: 'f',
      ok: false,
      parked: null,
      stateFound: true,
    });
    expect(toProcessReport(row).nodes.slice(0, 2)).toEqual([
      { node: 'a', status: 'pass', outcome: 'done', messages: ['well'] },
      { node: 'b', status: 'skip', outcome: 'skipped', messages: ['why'] },
    ]);
  });

  test('a failure behind a step that is done blocks nothing', () => {
    const row = aRow([
      aStep('a', { state: 'FAILED' }),
      aStep('b', { dependsOn: ['a'], state: 'DONE', override: 'FORCED' }),
      aStep('c', { dependsOn: ['b'] }),
    ]);
    expect(statusesOf(row)).toBe('a:fail b:pass c:pending');
    expect(toProcessReport(row).nodes[1]).toMatchObject({ forced: true });
  });

  test('a step with an open sub-task waits for it and counts its attempts', () => {
    const children = [
      { id: 't1.1', state: 'CANCELED' },
      { id: 't1.2', state: 'WORKING' },
    ] as unknown as TaskRow['children'];
    const row = aRow([aStep('a', { linkedTasks: ['t1.1', 't1.2'] })], { children });
    expect(toProcessReport(row).nodes).toEqual([{ node: 'a', status: 'wait', outcome: null, attempts: 2 }]);
    expect(toProcessReport(row).ok).toBe(true);
  });

  test('an open question escalates the current step and parks the task', () => {
    const question = {
      participant: 'alice',
      text: 'Which?',
      options: [],
      messageId: 'm',
      askedAtMs: 1_000,
      turn: 1,
    };
    const row = aRow([aStep('a', { state: 'ACTIVE' }), aStep('b')], { question });
    expect(statusesOf(row)).toBe('a:escalated b:pending');
    expect(toProcessReport(row)).toMatchObject({
      ok: false,
      parked: { node: 'a', reason: 'alice is asked: Which?', since: AT },
    });
  });

  test.each([
    [{ paused: true }, 'the task is paused'],
    [{ heldBy: 'turns' as const }, 'the budget of turns is used up'],
  ])('%o parks the task', (part, reason) => {
    expect(toProcessReport(aRow([aStep('a')], part)).parked).toEqual({ node: 'a', reason, since: AT });
  });

  test('of an ended task is archived, and of one without a plan without state', () => {
    const status = { state: 'CANCELED', message: 'no more', atMs: 1_000 } as const;
    const report = toProcessReport(aRow(undefined, { status, paused: true }));
    expect(report).toMatchObject({ currentNode: null, ok: true, parked: null, nodes: [], stateFound: false });
    expect(report.archived).toEqual({ outcome: 'canceled', detail: 'no more', terminal: true });
  });
});

describe('planChanges', () => {
  const before = {
    steps: [aStep('a'), aStep('b', { dependsOn: ['a'] }), aStep('c', { dependsOn: ['b'], state: 'DONE' })],
  };
  const after = {
    steps: [
      aStep('a', { state: 'DONE', override: 'FORCED' }),
      aStep('b', { dependsOn: ['a'], state: 'ACTIVE', override: 'FORCED' }),
      aStep('c', { dependsOn: ['b'], state: 'DONE' }),
    ],
  };

  test('forceWarnings() names what was passed over and what lies behind', () => {
    expect(forceWarnings(before, after, 'b')).toEqual([
      'step "a" counts as done',
      'step "c" comes after "b" and is done already',
    ]);
  });

  test('splitSkipped() gives ids of what is skipped and names of what is not', () => {
    const skipped = { steps: [aStep('a', { state: 'DONE', override: 'SKIPPED' }), aStep('b')] };
    expect(splitSkipped(skipped, ['A', 'b', 'x'])).toEqual({ declared: ['a'], rejected: ['b', 'x'] });
  });
});
