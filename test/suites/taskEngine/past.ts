/** Reading and forking the past of a task, and its end, whatever hosts it (design § 6). */
import { describe, expect, test } from 'vitest';
import { awaitParked } from '../../support/awaitEvent.ts';
import { FakePerformer, hang } from '../../support/FakePerformer.ts';
import { aMessage, aNewTask, COMPLETE, callToolFirst } from '../../support/tasks.ts';
import type { CreateEngine } from './EngineFixture.ts';

const CALL = { callId: 'call-1', tool: 'get_order', arguments: {} };

export function pastTests(create: CreateEngine): void {
  describe('the past', () => {
    test('every version reads as it was, also after a restart', async () => {
      await using fixture = await create(new FakePerformer({ callModel: callToolFirst(CALL) }));
      const first = await fixture.engine.start(aNewTask());
      const { ref } = first.state;
      await awaitParked(fixture.log, ref);
      const now = await fixture.engine.read(ref);
      await fixture.restart(new FakePerformer());
      const versions = Array.from({ length: now?.version ?? 0 }, (_, index) => index + 1);
      const past = await Promise.all(versions.map((version) => fixture.engine.readAt(ref, version)));
      expect(past.map(({ version }) => version)).toEqual(versions);
      expect(past[0]).toMatchObject({ status: first.state.status, turns: 0 });
      expect(past.map(({ turns }) => turns)).toEqual([0, 1, 1, 2]);
      expect(past.map(({ lastEntryId }) => lastEntryId)).toEqual([1, 2, 3, 4]);
      expect(past.at(-1)).toMatchObject({ status: now?.status, lastReply: 'all done' });
    });

    test.each([0, 99])(
      'version %s of a task that has no such one is NOT_FOUND and the bounds named',
      async (version) => {
        await using fixture = await create();
        const { ref } = (await fixture.engine.start(aNewTask({ message: undefined }))).state;
        await expect(fixture.engine.readAt(ref, version)).rejects.toMatchObject({
          code: 'NOT_FOUND',
          details: { reason: 'task.version_not_kept', oldest: 1, newest: 1 },
        });
      },
    );

    test('a fork goes on from where the other task was, which stays as it is', async () => {
      await using fixture = await create();
      const { engine, log } = fixture;
      const { ref } = (await engine.start(aNewTask())).state;
      const { offset } = await awaitParked(log, ref);
      const before = await engine.read(ref);
      const version = before?.version ?? 0;
      await engine.deliver(ref, aMessage('m2', 'This way'));
      await awaitParked(log, ref, offset);
      const { state } = await engine.fork(ref, version, { name: 'The other way' });
      expect(state).toMatchObject({
        name: 'The other way',
        origin: { ref, version },
        status: { state: 'INPUT_REQUIRED', subState: 'AWAITING_MESSAGE' },
      });
      expect(state.ref).not.toBe(ref);
      const { cursor } = await engine.deliver(state.ref, aMessage('m3', 'Or that way'));
      await awaitParked(log, state.ref, cursor);
      const textsOf = async (each: string) =>
        (await engine.history(each, { afterId: 0, limit: 100 })).map(
          (entry) => entry.kind === 'message' && entry.text,
        );
      const common = ['Find the order', 'reply 1'];
      expect(await textsOf(ref)).toEqual([...common, 'This way', 'reply 2']);
      expect(await textsOf(state.ref)).toEqual([...common, 'Or that way', expect.stringMatching(/^reply/)]);
    });

    test('a fork of a task that has ended, or was at work, rests', async () => {
      await using fixture = await create(new FakePerformer({ callModel: hang }));
      const { engine } = fixture;
      const { ref } = (await engine.start(aNewTask())).state;
      const { state: ended } = await engine.deliver(ref, COMPLETE);
      for (const version of [1, ended.version]) {
        const { state } = await engine.fork(ref, version);
        expect(state).toMatchObject({ status: { state: 'INPUT_REQUIRED' }, run: { phase: 'idle' } });
      }
      expect((await engine.read(ref))?.status.state).toBe('COMPLETED');
    });

    test('a fork with a message answers it at once, with what was known by then', async () => {
      const performer = new FakePerformer();
      await using fixture = await create(performer);
      const { engine, log } = fixture;
      const { ref } = (await engine.start(aNewTask())).state;
      await awaitParked(log, ref);
      const message = { messageId: 'm2', participant: 'alice', text: 'Or that way' };
      const { state } = await engine.fork(ref, 1, { message });
      await awaitParked(log, state.ref);
      const texts = performer.attempts[1]?.state.history.map((entry) => 'text' in entry && entry.text);
      expect(texts).toEqual(['Find the order', 'Or that way']);
    });

    test('a fork that is sent again is one task', async () => {
      await using fixture = await create();
      const { engine } = fixture;
      const { ref } = (await engine.start(aNewTask({ message: undefined }))).state;
      const first = await engine.fork(ref, 1, { creationId: 'f1' });
      const again = await engine.fork(ref, 1, { creationId: 'f1' });
      expect(again).toMatchObject({ duplicate: true, state: { ref: first.state.ref } });
    });

    test('a purged task is gone, with its running effect, and its ref is free', async () => {
      const performer = new FakePerformer({ callModel: hang });
      await using fixture = await create(performer);
      const { engine } = fixture;
      await engine.start(aNewTask({ ref: 'github:o/r#1' }));
      await performer.attempted(1);
      expect(await engine.purge('github:o/r#1')).toBe(true);
      expect(await engine.purge('github:o/r#1')).toBe(false);
      expect(await engine.read('github:o/r#1')).toBeUndefined();
      expect(await engine.history('github:o/r#1', { afterId: 0, limit: 10 })).toEqual([]);
      await expect.poll(() => performer.attempts[0]?.signal.aborted).toBe(true);
      const { duplicate } = await engine.start(aNewTask({ ref: 'github:o/r#1', message: undefined }));
      expect(duplicate).toBe(false);
    });

    test('a purge is of the task that had the ref when it was asked for, not of one that takes the ref meanwhile', async () => {
      await using fixture = await create();
      const { engine, log } = fixture;
      const ref = 'github:o/r#1';
      const first = await engine.start(aNewTask({ ref }));
      await awaitParked(log, ref);
      await engine.deliver(ref, COMPLETE);
      const [isPurged, next] = await Promise.all([engine.purge(ref), engine.start(aNewTask({ ref }))]);
      expect(isPurged).toBe(true);
      expect(await engine.read({ id: first.state.id })).toBeUndefined();
      expect((await engine.read(ref))?.id).toBe(next.state.id);
    });

    test('of the events of a purged task are left their places alone, and those of the next task under its ref stay', async () => {
      await using fixture = await create();
      const { engine, log } = fixture;
      const ref = 'github:o/r#1';
      const reply = 'reply 1';
      const first = await engine.start(aNewTask({ ref }));
      await awaitParked(log, ref);
      await engine.deliver(ref, COMPLETE);
      const { cursor } = await engine.start(aNewTask({ ref }));
      await awaitParked(log, ref, cursor);
      const before = log.read({ limit: 100 });
      const next = before.findLastIndex(({ type }) => type === 'task.created');
      expect(JSON.stringify(before.slice(0, next))).toContain(reply);

      expect(await engine.purge({ id: first.state.id })).toBe(true);
      const after = log.read({ limit: 100 });
      const placesOf = (records: typeof before) =>
        records.map(({ offset, type, atMs, pid }) => ({ offset, type, atMs, pid }));
      expect(placesOf(after.slice(0, -1))).toEqual(placesOf(before));
      for (const { ref: of, data } of after.slice(0, next)) {
        expect([of, data]).toEqual([undefined, { purged: true }]);
      }
      expect(after.slice(next, -1)).toEqual(before.slice(next));
      expect(after.at(-1)).toMatchObject({ type: 'task.purged', ref, data: { taskId: first.state.id } });
    });
  });
}
