/** A task's conversation as the REST contract names it (spec/rest-on-tasks.md, Rows). */
import { toIsoTime } from '../../lib/Clock.ts';
import type { Session, SessionResolvers, SessionStatus } from '../../schema/generated/resolvers.ts';
import type { TaskRow } from '../engine/TaskEngine.ts';
import { isTerminal } from '../task/index.ts';
import { nameOf, type WorkerParts } from './WorkerParts.ts';

export function toSession(row: TaskRow, instance: string): Session {
  return {
    __typename: 'Session',
    instance,
    ref: row.ref,
    harness: 'flotilla',
    harnessSessionId: row.id,
    cwd: '',
    status: sessionStatus(row),
    createdAt: toIsoTime(row.createdAtMs),
    lastEventAt: toIsoTime(row.updatedAtMs),
    recentDeliveries: row.recentMessageIds,
    model: row.settings.model,
    effort: row.settings.effort,
  };
}

export function sessionStatus(row: TaskRow): SessionStatus {
  if (isTerminal(row)) return 'CLOSED';
  return row.paused ? 'PAUSED' : 'ACTIVE';
}

export function sessionResolvers(parts: WorkerParts): SessionResolvers<unknown> {
  return {
    async __resolveReference({ instance, ref }) {
      const own = nameOf(parts);
      const row = instance === own ? await parts.engine.read(ref) : undefined;
      return row ? toSession(row, own) : null;
    },
  };
}
