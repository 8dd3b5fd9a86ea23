/** What can be read of tasks, whatever hosts them. */
import { describe, expect, test } from 'vitest';
import type { TaskListQuery } from '../../../subgraph/engine/TaskEngine.ts';
import { awaitParked } from '../../support/awaitEvent.ts';
import { aNewTask, COMPLETE } from '../../support/tasks.ts';
import type { CreateEngine } from './EngineFixture.ts';

const REF = 'github:o/r#1';
const ALL: TaskListQuery = { limit: 10, order: 'CREATED_AT_ASC' };

export function readTests(create: CreateEngine): void {
  describe('reading by ref, id and filter', () => {
    test('a ref names the newest task that has it, an id one for ever', async () => {
      await using fixture = await create();
      const { engine, log } = fixture;
      const { id } = (await engine.start(aNewTask({ ref: REF }))).state;
      await awaitParked(log, REF);
      await engine.deliver(REF, COMPLETE);
      const second = (await engine.start(aNewTask({ ref: REF, message: undefined }))).state;
      expect(await engine.read(REF)).toMatchObject({ id: second.id });
      expect(await engine.read({ id })).toMatchObject({ id, status: { state: 'COMPLETED' } });
      expect(await engine.readMany([{ id }, { id: 'gone' }, REF])).toMatchObject([
        { id },
        undefined,
        { id: second.id },
      ]);
      const all = { afterId: 0, limit: 10 };
      expect(await engine.history(REF, all)).toEqual([]);
      expect(await engine.history({ id }, all)).toHaveLength(2);
      expect(await engine.inboxAudit({ id }, { limit: 10 })).toMatchObject([
        { messageId: 'm1', accepted: true },
      ]);
      expect(await engine.inboxAudit(REF, { limit: 10 })).toEqual([]);
    });

    test('a part of the history is kept at the end that is asked for, oldest first', async () => {
      await using fixture = await create();
      const { engine, log } = fixture;
      const { ref } = (await engine.start(aNewTask())).state;
      await awaitParked(log, ref);
      const ids = async (query: Parameters<typeof engine.history>[1]) =>
        (await engine.history(ref, query)).map(({ id }) => id);
      expect(await ids({ afterId: 0, limit: 1 })).toEqual([1]);
      expect(await ids({ afterId: 0, limit: 1, keep: 'newest' })).toEqual([2]);
      expect(await ids({ afterId: 0, limit: 9, keep: 'newest' })).toEqual([1, 2]);
      expect(await ids({ afterId: 0, beforeId: 2, limit: 9 })).toEqual([1]);
      expect(await ids({ afterId: 1, beforeId: 2, limit: 9, keep: 'newest' })).toEqual([]);
    });

    test('a list is filtered by lifecycle, participant and time', async () => {
      await using fixture = await create();
      const { engine } = fixture;
      const bob = { id: 'bob', kind: 'HUMAN', role: 'WATCHER', displayName: '' } as const;
      const { participants } = aNewTask();
      const first = (await engine.start(aNewTask({ message: undefined }))).state;
      const second = (
        await engine.start(
          aNewTask({ message: undefined, lifecycle: 'DELEGATED', participants: [...participants, bob] }),
        )
      ).state;
      const ids = async (filter: Partial<TaskListQuery>) =>
        (await engine.list({ ...ALL, ...filter })).map(({ id }) => id);
      expect(await ids({ lifecycles: ['DELEGATED'] })).toEqual([second.id]);
      expect(await ids({ lifecycles: ['REMOTE', 'PARTICIPANT'] })).toEqual([]);
      expect(await ids({ participant: 'bob' })).toEqual([second.id]);
      expect(await ids({ participant: 'bo' })).toEqual([]);
      expect(await ids({ participant: 'bob', lifecycles: ['CONVERSATION'] })).toEqual([]);
      const both = [first.id, second.id].toSorted();
      const { createdAtMs } = first;
      const lastMs = second.updatedAtMs;
      expect((await ids({ created: { sinceMs: createdAtMs } })).toSorted()).toEqual(both);
      expect(await ids({ created: { beforeMs: createdAtMs } })).toEqual([]);
      expect((await ids({ updated: { beforeMs: lastMs + 1 } })).toSorted()).toEqual(both);
      expect(await ids({ updated: { sinceMs: lastMs + 1 } })).toEqual([]);
    });
  });
}
