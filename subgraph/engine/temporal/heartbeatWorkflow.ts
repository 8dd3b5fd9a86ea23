/** One run of a schedule (spec/worker.md § 9.1). Runs in Temporal's sandbox. */
import { proxyActivities } from '@temporalio/workflow';
import type { JsonObject } from '../../task/index.ts';
import type { ScheduleActivities } from './protocol.ts';

/** One attempt: a failed run is a failed run, and the next one comes on time. */
export async function HeartbeatWorkflow(id: string): Promise<JsonObject> {
  const { runScheduled } = proxyActivities<ScheduleActivities>({
    startToCloseTimeout: '5 minutes',
    retry: { maximumAttempts: 1 },
  });
  return runScheduled(id);
}
