/** The heartbeat of an instance, as its engine runs it, and its schedule (spec/worker.md § 9.1). */
import type { JsonObject } from '../../task/index.ts';
import { HEARTBEAT_ID, type ScheduledRun, type TaskEngine } from '../TaskEngine.ts';
import { type HeartbeatParts, runHeartbeat } from './runHeartbeat.ts';

const NOTHING: JsonObject = {};

/** Runs a tick when the heartbeat is due; a schedule of another name, which somebody made by hand, does nothing. */
export function createHeartbeat(parts: Omit<HeartbeatParts, 'engine' | 'signal'>): ScheduledRun {
  return async (id, context) => {
    if (id !== HEARTBEAT_ID) return NOTHING;
    const { deleted, ...counts } = await runHeartbeat({ ...parts, ...context });
    return { ...counts, deleted: { ...deleted } };
  };
}

/** Sees to it that there is a heartbeat with this interval; whether there was none. */
export async function ensureHeartbeat(
  engine: Pick<TaskEngine, 'schedules' | 'ensureSchedule' | 'deleteSchedule'>,
  intervalMs: number,
): Promise<boolean> {
  const isNew = await engine.ensureSchedule({ id: HEARTBEAT_ID, intervalMs });
  if (isNew) return true;
  const schedule = (await engine.schedules()).find(({ id }) => id === HEARTBEAT_ID);
  if (schedule?.intervalMs === intervalMs) return false;
  await engine.deleteSchedule(HEARTBEAT_ID);
  await engine.ensureSchedule({ id: HEARTBEAT_ID, intervalMs });
  return false;
}
