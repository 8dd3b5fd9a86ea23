/** A worker as a row of the fleet. */
import { toIsoTime } from '../../lib/Clock.ts';
import type { Instance } from '../../schema/generated/resolvers.ts';
import type { WorkerParts } from './WorkerParts.ts';

/** The row that a worker has in its own list of instances (spec/manager.md § 15). */
export async function selfRow(parts: WorkerParts): Promise<Instance> {
  const identity = await parts.identity();
  return {
    name: identity.name,
    url: parts.url(),
    role: 'WORKER',
    state: 'LIVE',
    version: identity.version,
    mode: identity.scope.mode,
    managedCount: identity.managed.length,
    sessionCount: identity.sessionCount,
    probedAt: toIsoTime(parts.clock.nowMs()),
  };
}
