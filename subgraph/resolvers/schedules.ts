/** What the instance does at intervals, as the wire shows it. */
import { toIsoTime } from '../../lib/Clock.ts';
import type { MutationResolvers, QueryResolvers } from '../../schema/generated/resolvers.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

export function scheduleQueries(parts: WorkerParts): Pick<QueryResolvers<unknown>, 'schedules'> {
  return {
    async schedules(_root, { instance }) {
      assertSelf(parts, instance);
      const schedules = await parts.engine.schedules();
      return schedules.map(({ id, intervalMs, nextAtMs, lastAtMs, result, error }) => ({
        instance: nameOf(parts),
        id,
        intervalSeconds: intervalMs / 1_000,
        nextAt: toIsoTime(nextAtMs),
        lastAt: lastAtMs === undefined ? null : toIsoTime(lastAtMs),
        result,
        error,
      }));
    },
  };
}

export function scheduleMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, 'deleteSchedule'> {
  return {
    async deleteSchedule(_root, { id, instance }) {
      assertSelf(parts, instance);
      return parts.engine.deleteSchedule(id);
    },
  };
}
