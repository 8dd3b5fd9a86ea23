/**
 * What is done at intervals, as schedules of Temporal: each due run is a workflow on the instance's queue.
 *
 * The state file remembers which schedules are the instance's, because Temporal's list of them comes late; what they are
 * and when they run is Temporal's to say.
 */
import {
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  type ScheduleOverlapPolicy,
  WorkflowFailedError,
} from '@temporalio/client';
import type { StateDatabase } from '../../../lib/StateDatabase.ts';
import type { JsonObject } from '../../task/index.ts';
import type { Schedule } from '../TaskEngine.ts';
import type { Cluster } from './Cluster.ts';
import { HEARTBEAT_WORKFLOW } from './protocol.ts';

/** A run that falls due during another one is skipped. */
const OVERLAP: ScheduleOverlapPolicy = 'SKIP';

/** Runs that fell due while nobody was there are made up for within this time; older ones are not. */
const CATCHUP_WINDOW = '1 minute';

export interface TemporalSchedulesOptions {
  readonly cluster: Cluster;
  readonly taskQueue: string;
  /** Whether others have schedules in the namespace; they are told apart by the queue then. */
  readonly sharesNamespace: boolean;
  /** Migrated with `STATE_MIGRATIONS`. */
  readonly database: StateDatabase;
}

export class TemporalSchedules {
  readonly #options: TemporalSchedulesOptions;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(options: TemporalSchedulesOptions) {
    this.#options = options;
    this.#statements = prepare(options.database);
  }

  /** By id. One that somebody has deleted on the server is not among them. */
  async list(): Promise<readonly Schedule[]> {
    const ids = this.#statements.ids.all().map(({ id }) => id);
    const found = await Promise.all(ids.map((id) => this.#read(id)));
    return found.flatMap((schedule) => schedule ?? []);
  }

  /** Whether it was not there before: one that is there stays as it is. */
  async ensure(id: string, intervalMs: number): Promise<boolean> {
    const { cluster, taskQueue } = this.#options;
    this.#statements.remember.run(id, intervalMs);
    try {
      await cluster.client.schedule.create({
        scheduleId: this.#nameOf(id),
        spec: { intervals: [{ every: intervalMs }] },
        policies: { overlap: OVERLAP, catchupWindow: CATCHUP_WINDOW },
        action: {
          type: 'startWorkflow',
          workflowType: HEARTBEAT_WORKFLOW,
          workflowId: this.#nameOf(id),
          taskQueue,
          args: [id],
        },
      });
      return true;
    } catch (error) {
      if (error instanceof ScheduleAlreadyRunning) return false;
      throw error;
    }
  }

  /** Whether it was there. */
  async delete(id: string): Promise<boolean> {
    this.#statements.forget.run(id);
    try {
      await this.#options.cluster.client.schedule.getHandle(this.#nameOf(id)).delete();
      return true;
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return false;
      throw error;
    }
  }

  async #read(id: string): Promise<Schedule | undefined> {
    try {
      const description = await this.#options.cluster.client.schedule.getHandle(this.#nameOf(id)).describe();
      return { ...toSchedule(id, description), ...(await this.#readNewestRun(description)) };
    } catch (error) {
      if (error instanceof ScheduleNotFoundError) return undefined;
      throw error;
    }
  }

  /** Nothing of a run that is not over. */
  async #readNewestRun({ info }: ScheduleDescription): Promise<Pick<Schedule, 'result' | 'error'>> {
    const action = info.recentActions.at(-1)?.action;
    if (action?.type !== 'startWorkflow') return {};
    const { workflowId, firstExecutionRunId } = action.workflow;
    const handle = this.#options.cluster.client.workflow.getHandle(workflowId, firstExecutionRunId);
    if ((await handle.describe()).status.name === 'RUNNING') return {};
    try {
      return { result: (await handle.result()) as JsonObject };
    } catch (error) {
      if (!(error instanceof WorkflowFailedError)) throw error;
      return { error: rootOf(error).message };
    }
  }

  #nameOf(id: string): string {
    const { sharesNamespace, taskQueue } = this.#options;
    return sharesNamespace ? `${id}:${taskQueue}` : id;
  }
}

function toSchedule(id: string, { spec, info }: ScheduleDescription): Schedule {
  const lastAtMs = info.recentActions.at(-1)?.takenAt.getTime();
  return {
    id,
    intervalMs: Number(spec.intervals?.[0]?.every ?? 0),
    nextAtMs: info.nextActionTimes[0]?.getTime() ?? 0,
    ...(lastAtMs !== undefined && { lastAtMs }),
  };
}

/** Temporal wraps what an activity has thrown in two failures of its own. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

function prepare(database: StateDatabase) {
  return {
    ids: database.statement<{ readonly id: string }>('SELECT id FROM schedules ORDER BY id'),
    remember: database.statement(
      'INSERT OR IGNORE INTO schedules (id, interval_ms, created_ms, next_ms) VALUES (?, ?, 0, 0)',
    ),
    forget: database.statement('DELETE FROM schedules WHERE id = ?'),
  };
}
