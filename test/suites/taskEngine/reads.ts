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

    test('who is on a task, and which tasks somebody is on, follows its participants', async () => {
      await using fixture = await create();
      const { engine } = fixture;
      const ops = { id: 'ops', kind: 'HUMAN', role: 'ADMIN', displayName: '' } as const;
      const { participants } = aNewTask();
      const task = aNewTask({ message: undefined, participants: [...participants, ops] });
      const { id, ref } = (await engine.start(task)).state;
      const account = async (participant: string) => [
        await engine.isOn({ id }, participant),
        await engine.isOn(ref, participant),
        (await engine.list({ ...ALL, participant })).length,
        await engine.count({ participant }, 10),
      ];
      expect(await account('alice')).toEqual([true, true, 1, 1]);
      expect(await account('bob')).toEqual([false, false, 0, 0]);
      expect(await engine.isOn({ id: 'gone' }, 'alice')).toBe(false);

      const changed = ['ops', 'bob'].map((each) => ({ id: each, kind: 'human', role: 'admin' }));
      await engine.deliver(
        { id },
        {
          kind: 'envelopeReceived',
          participant: 'ops',
          envelope: { kind: 'task', payload: { participants: changed } },
        },
      );

      expect((await engine.read({ id }))?.participants.map((each) => each.id)).toContain('bob');
      expect(await account('alice')).toEqual([false, false, 0, 0]);
      expect(await account('bob')).toEqual([true, true, 1, 1]);
      expect(await engine.purge({ id })).toBe(true);
      expect(await account('bob')).toEqual([false, false, 0, 0]);
    });

    test('a list by participant and context is paged and counted', async () => {
      await using fixture = await create();
      const { engine } = fixture;
      for (const contextId of ['c1', 'c2', 'c1']) {
        await engine.start(aNewTask({ message: undefined, contextId }));
      }
      const page = { ...ALL, limit: 2, participant: 'alice' };
      const [first, second] = await engine.list(page);
      const after = { value: second?.createdAtMs ?? 0, id: second?.id ?? '' };
      const [third, ...none] = await engine.list({ ...page, after });
      expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3);
      expect(none).toEqual([]);
      expect(await engine.list({ ...page, contextId: 'c1' })).toHaveLength(2);
      expect(await engine.list({ ...page, contextId: 'c3' })).toEqual([]);
      expect(await engine.count({ participant: 'alice', contextId: 'c2' }, 10)).toBe(1);
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
