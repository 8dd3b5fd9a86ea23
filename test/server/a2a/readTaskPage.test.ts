import { expect, test } from 'vitest';
import { readTaskPage } from '../../../server/a2a/readTaskPage.ts';
import { toA2ATask } from '../../../server/a2a/toA2ATask.ts';
import { toTaskRow } from '../../../subgraph/engine/toTaskRow.ts';
import type { TaskRow } from '../../../subgraph/index.ts';
import { initialState } from '../../../subgraph/task/index.ts';
import { aTask } from '../../support/aTask.ts';

/** A list of so many tasks, of which the last one has changed last. */
function listOf(count: number, description = '') {
  const row = toTaskRow(initialState(aTask()).state);
  const rows = Array.from(
    { length: count },
    (_, index): TaskRow => ({ ...row, id: `t${count - index}`, updatedAtMs: count - index, description }),
  );
  return {
    /** The task has changed, and is the first one now. */
    touch(id: string): void {
      const index = rows.findIndex((each) => each.id === id);
      rows.unshift({ ...(rows.splice(index, 1)[0] as TaskRow), updatedAtMs: count + 1 });
    },
    list: async ({ limit, after }: { limit: number; after?: { readonly value: string | number } }) =>
      rows.filter((each) => !after || each.updatedAtMs < Number(after.value)).slice(0, limit),
  };
}

/** Every page of the list, as the ids of its tasks. */
async function pagesOf(engine: ReturnType<typeof listOf>, pageSize: number): Promise<readonly string[]> {
  const pages: string[] = [];
  const tell = async (task: TaskRow) => toA2ATask(task);
  let { tasks, next } = await readTaskPage(engine, { filter: {}, pageSize, tell });
  pages.push(tasks.map(({ id }) => id).join(' '));
  while (next) {
    ({ tasks, next } = await readTaskPage(engine, { filter: {}, pageSize, tell, after: next }));
    pages.push(tasks.map(({ id }) => id).join(' '));
  }
  return pages;
}

test.each([
  [0, 3, ['']],
  [3, 3, ['t3 t2 t1']],
  [4, 3, ['t4 t3 t2', 't1']],
  [9, 8, ['t9 t8 t7 t6 t5 t4 t3 t2', 't1']],
  [8, 8, ['t8 t7 t6 t5 t4 t3 t2 t1']],
])('readTaskPage() has all of %i tasks, %i to a page', async (count, pageSize, pages) => {
  expect(await pagesOf(listOf(count), pageSize)).toEqual(pages);
});

test('readTaskPage() ends a page before it has more than 4 MiB, behind its first task at the earliest', async () => {
  expect(await pagesOf(listOf(5, 'x'.repeat(1_500_000)), 100)).toEqual(['t5 t4', 't3 t2', 't1']);
  expect(await pagesOf(listOf(2, 'x'.repeat(5_000_000)), 100)).toEqual(['t2', 't1']);
});

test('readTaskPage() leaves nothing out that changes while the page is read', async () => {
  const engine = listOf(20);
  const tell = async (task: TaskRow) => {
    engine.touch('t3');
    return toA2ATask(task);
  };
  const { tasks, next } = await readTaskPage(engine, { filter: {}, pageSize: 50, tell });
  expect(tasks.map(({ id }) => id).sort()).toEqual(
    Array.from({ length: 20 }, (_, index) => `t${index + 1}`).sort(),
  );
  expect(next).toBeUndefined();
});

test('readTaskPage() lets others have their turn while it tells a large page', async () => {
  const turns: number[] = [];
  let told = 0;
  const ticking = setImmediate(function tick() {
    turns.push(told);
    if (told < 20) setImmediate(tick);
  });
  const tell = async (task: TaskRow) => {
    told += 1;
    return toA2ATask(task);
  };
  await readTaskPage(listOf(20), { filter: {}, pageSize: 20, tell });
  clearImmediate(ticking);
  expect(turns).toEqual(expect.arrayContaining([8, 16]));
});
