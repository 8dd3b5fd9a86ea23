/** What is done at intervals, whatever hosts it (spec/worker.md § 9.1). */
import { describe, expect, test } from 'vitest';
import { HEARTBEAT_ID } from '../../../subgraph/engine/TaskEngine.ts';
import { FakePerformer } from '../../support/FakePerformer.ts';
import { aNewTask } from '../../support/tasks.ts';
import type { CreateEngine } from './EngineFixture.ts';

const HALF_A_MINUTE = { id: HEARTBEAT_ID, intervalMs: 30_000 };

export function scheduleTests(create: CreateEngine): void {
  describe('schedules', () => {
    test('one is made once, is there until it is deleted, and can be made anew', async () => {
      await using fixture = await create();
      expect(await fixture.engine.schedules()).toEqual([]);
      expect(await fixture.engine.ensureSchedule(HALF_A_MINUTE)).toBe(true);
      expect(await fixture.engine.ensureSchedule({ ...HALF_A_MINUTE, intervalMs: 5_000 })).toBe(false);
      await fixture.restart(new FakePerformer());
      expect(await fixture.engine.schedules()).toMatchObject([HALF_A_MINUTE]);
      expect(await fixture.engine.deleteSchedule(HEARTBEAT_ID)).toBe(true);
      expect(await fixture.engine.deleteSchedule(HEARTBEAT_ID)).toBe(false);
      expect(await fixture.engine.ensureSchedule({ ...HALF_A_MINUTE, intervalMs: 5_000 })).toBe(true);
      expect(await fixture.engine.schedules()).toMatchObject([{ id: HEARTBEAT_ID, intervalMs: 5_000 }]);
    });

    test('a run works on the engine, and its result is there to see', async () => {
      await using fixture = await create(new FakePerformer(), {
        scheduled: async (_, { engine }) => ({ open: (await engine.openRefs()).length }),
      });
      await fixture.engine.start(aNewTask({ message: undefined }));
      await fixture.engine.ensureSchedule({ id: HEARTBEAT_ID, intervalMs: 1_000 });
      const [schedule] = await expect
        .poll(async () => (await fixture.engine.schedules())[0]?.result, { timeout: 10_000 })
        .toEqual({ open: 1 })
        .then(() => fixture.engine.schedules());
      expect(schedule?.lastAtMs).toBeTypeOf('number');
      expect(schedule?.nextAtMs).toBeGreaterThan(schedule?.lastAtMs ?? 0);
    });

    test('a run that fails is one failed run, and the next one comes', async () => {
      let runs = 0;
      await using fixture = await create(new FakePerformer(), {
        scheduled: async () => {
          runs += 1;
          if (runs === 1) throw new Error('the first one fails');
          return { runs };
        },
      });
      await fixture.engine.ensureSchedule({ id: HEARTBEAT_ID, intervalMs: 1_000 });
      const read = async () => (await fixture.engine.schedules())[0];
      await expect
        .poll(async () => (await read())?.error, { timeout: 10_000 })
        .toContain('the first one fails');
      await expect.poll(async () => (await read())?.result, { timeout: 10_000 }).toEqual({ runs: 2 });
    });
  });
}
