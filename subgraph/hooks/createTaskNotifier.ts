/** Tells hooks what has happened to tasks: `task.created` and `task.state_changed` (spec/worker.md § 8.7). */
import type { Logger } from '../../lib/Logger.ts';
import type { EventLog, EventRecord } from '../log/EventLog.ts';
import type { HookContext } from './HookContext.ts';
import { HookError, type HookRunner } from './HookRunner.ts';

/** Which operation an event is the news of. */
const OPERATIONS = { 'task.created': 'task.created', 'task.status': 'task.state_changed' } as const;

export interface TaskNotifierOptions {
  readonly log: Pick<EventLog, 'watch' | 'end'>;
  readonly hooks: HookRunner;
  readonly logger: Logger;
  /** Facts that the events do not hold; undefined when the task is gone. */
  readonly readTask: (
    ref: string,
  ) => Promise<{ readonly id: string; readonly name: string; readonly lifecycle: string } | undefined>;
}

/**
 * Follows the log from now on. The news come after the fact, in order, both phases one after the other, and not across a
 * restart: a hook can change or prevent nothing here, and one that fails is logged. Disposing waits for the news that is told.
 */
export function createTaskNotifier({ log, hooks, logger, readTask }: TaskNotifierOptions): AsyncDisposable {
  const operations = Object.values(OPERATIONS);
  const isHeard = operations.some((name) => hooks.has(name, 'pre') || hooks.has(name, 'post'));
  if (!isHeard) return { [Symbol.asyncDispose]: async () => {} };
  const stop = new AbortController();
  const { signal } = stop;

  async function follow(after: number): Promise<void> {
    for await (const { records } of log.watch({
      after,
      filter: { types: Object.keys(OPERATIONS) },
      signal,
    })) {
      for (const record of records) await tell(record);
    }
  }

  async function tell({ type, ref, data }: EventRecord): Promise<void> {
    const task = ref === undefined ? undefined : await readTask(ref);
    if (!task || signal.aborted) return;
    const { id, name, lifecycle } = task;
    const { state, subState } = data as { readonly state: string; readonly subState?: string };
    const context: HookContext<'task.created.pre'> = {
      taskId: id,
      correlationId: id,
      attempt: 1,
      task: { ref: ref!, name, lifecycle, state, ...(subState !== undefined && { subState }) },
    };
    const operation = OPERATIONS[type as keyof typeof OPERATIONS];
    try {
      for (const phase of ['pre', 'post'] as const) await hooks.run(operation, phase, context, { signal });
    } catch (error) {
      if (!(error instanceof HookError)) throw error;
      logger.warn({ code: error.code, ref, reason: error.message }, 'A hook was not told of a task');
    }
  }

  const following = follow(log.end()).catch((error: unknown) => {
    if (!signal.aborted) logger.error({ err: error }, 'Hooks are not told of tasks any more');
  });
  return {
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('The instance stops'));
      await following;
    },
  };
}
