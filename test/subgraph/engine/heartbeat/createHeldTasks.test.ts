import { expect, test } from 'vitest';
import { createHeldTasks } from '../../../../subgraph/engine/heartbeat/createHeldTasks.ts';
import type {
  NewInput,
  TaskAddress,
  TaskListQuery,
  TaskRow,
} from '../../../../subgraph/engine/TaskEngine.ts';

const { signal } = new AbortController();

test('tasks that the budget of the instance holds back go on when it allows more, and no others', async () => {
  let reached: string | undefined = 'ten turns are made';
  const held = createHeldTasks(() => reached);
  const engine = engineOf([row('t1', 'instance'), row('t2'), row('t3', 'turns'), row('t4', 'instance')]);
  expect(held.findReachedBudget()).toBe('ten turns are made');
  expect(await held.release(engine, signal)).toBe(0);
  reached = undefined;
  expect(await held.release(engine, signal)).toBe(2);
  expect(engine.delivered).toEqual(['t1 budgetChanged alice', 't4 budgetChanged alice']);
});

test('nobody looks at the tasks while no turn was refused, and everything is looked at behind a refusal', async () => {
  let reached: string | undefined;
  const held = createHeldTasks(() => reached);
  const engine = engineOf([]);
  for (let tick = 0; tick < 5; tick += 1) await held.release(engine, signal);
  const atStart = engine.queries();
  reached = 'ten turns are made';
  held.findReachedBudget();
  reached = undefined;
  for (let tick = 0; tick < 5; tick += 1) await held.release(engine, signal);
  expect([atStart, engine.queries()]).toEqual([2, 4]);
});

test('a look that fails is made again', async () => {
  const held = createHeldTasks(() => undefined);
  const engine = engineOf([row('t1', 'instance')]);
  const full = { ...engine, deliver: () => Promise.reject(new Error('full')) };
  for (let tick = 0; tick < 3; tick += 1) await expect(held.release(full, signal)).rejects.toThrow('full');
  expect(await held.release(engine, signal)).toBe(1);
});

test('held tasks are found behind the first page', async () => {
  const rows = Array.from({ length: 1_200 }, (_, index) =>
    row(`t${index}`, index === 1_100 ? 'instance' : undefined, index),
  );
  const engine = engineOf(rows);
  expect(await createHeldTasks(() => undefined).release(engine, signal)).toBe(1);
  expect(engine.delivered).toEqual(['t1100 budgetChanged alice']);
});

function row(id: string, heldBy?: TaskRow['heldBy'], createdAtMs = 0): TaskRow {
  const participants = [{ id: 'alice', kind: 'HUMAN', role: 'REPORTER', displayName: '' }] as const;
  return { id, participants, createdAtMs, ...(heldBy && { heldBy }) } as unknown as TaskRow;
}

/** Lists these rows, page by page, and keeps what is delivered. */
function engineOf(rows: readonly TaskRow[]) {
  const delivered: string[] = [];
  let queries = 0;
  return {
    delivered,
    queries: () => queries,
    async list({ limit, after }: TaskListQuery): Promise<readonly TaskRow[]> {
      queries += 1;
      const start = after ? rows.findIndex(({ id }) => id === after.id) + 1 : 0;
      return rows.slice(start, start + limit);
    },
    async deliver(task: TaskAddress, input: NewInput) {
      const { kind, participant } = input as { kind: string; participant: string };
      delivered.push(`${(task as { id: string }).id} ${kind} ${participant}`);
      return {} as never;
    },
  };
}
