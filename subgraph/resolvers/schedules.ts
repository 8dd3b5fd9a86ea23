/** What the instance does at intervals, as the wire shows it. */
import { toIsoTime } from '../../lib/Clock.ts';
import { HeartbeatSection } from '../../schema/config/HeartbeatSection.ts';
import { badUserInput } from '../../schema/errors.ts';
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

export function scheduleMutations(
  parts: WorkerParts,
): Pick<MutationResolvers<unknown>, 'ensureHeartbeat' | 'deleteSchedule'> {
  return {
    async ensureHeartbeat(_root, { intervalSeconds, instance }) {
      assertSelf(parts, instance);
      const isGiven = intervalSeconds !== null && intervalSeconds !== undefined;
      return parts.daemons.ensureHeartbeat(isGiven ? toIntervalMs(intervalSeconds) : undefined);
    },
    async deleteSchedule(_root, { id, instance }) {
      assertSelf(parts, instance);
      return parts.engine.deleteSchedule(id);
    },
  };
}

/** @throws {FlotillaError} BAD_USER_INPUT when the configuration would not take it either. */
function toIntervalMs(intervalSeconds: number): number {
  const parsed = HeartbeatSection.safeParse({ intervalSeconds });
  if (parsed.success) return parsed.data.intervalSeconds * 1_000;
  throw badUserInput(
    `Cannot make heartbeat: "intervalSeconds" is ${intervalSeconds}, ${parsed.error.issues[0]?.message}`,
  );
}
