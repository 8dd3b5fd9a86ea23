/** A task's conversation as the REST contract names it (spec/rest-on-tasks.md, Rows). */
import { toIsoTime } from '../../lib/Clock.ts';
import type {
  ControlCommand,
  Session,
  SessionResolvers,
  SessionStatus,
} from '../../schema/generated/resolvers.ts';
import { isStandingRef } from '../../schema/taskRef.ts';
import type { TaskRow } from '../engine/TaskEngine.ts';
import type { ControlRecord, WorkItemFacts } from '../sessions/WorkItemStore.ts';
import { isTerminal } from '../task/index.ts';
import { nameOf, type WorkerParts } from './WorkerParts.ts';

export function toSession(row: TaskRow, { directory, ...facts }: WorkItemFacts, instance: string): Session {
  return {
    __typename: 'Session',
    instance,
    ref: row.ref,
    harness: 'flotilla',
    harnessSessionId: row.id,
    cwd: directory,
    status: sessionStatus(row),
    createdAt: toIsoTime(row.createdAtMs),
    lastEventAt: toIsoTime(row.updatedAtMs),
    recentDeliveries: row.recentMessageIds ?? [],
    model: row.settings.model,
    effort: row.settings.effort,
    pullRequests: facts.pullRequests,
    control: facts.control && toControl(facts.control),
  };
}

export function toControl({ command, source, actor, atMs }: ControlRecord): ControlCommand {
  return { command, source, actor, requestedAt: toIsoTime(atMs) };
}

/** The session of a ref; a standing session is none. */
export async function readSession(
  { engine, workItems }: Pick<WorkerParts, 'engine' | 'workItems'>,
  ref: string,
  instance: string,
): Promise<Session | undefined> {
  const row = isStandingRef(ref) ? undefined : await engine.read(ref);
  return row && toSession(row, workItems.read(ref), instance);
}

export function sessionStatus(row: TaskRow): SessionStatus {
  if (isTerminal(row)) return 'CLOSED';
  return row.paused ? 'PAUSED' : 'ACTIVE';
}

export function sessionResolvers(parts: WorkerParts): SessionResolvers<unknown> {
  return {
    async __resolveReference({ instance, ref }) {
      const own = nameOf(parts);
      return instance === own ? ((await readSession(parts, ref, own)) ?? null) : null;
    },
  };
}
