/**
 * The workflows of an instance's tasks: started, started again, mended from the state file and the other way round, and
 * ended with what they have stored.
 */
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { backoffMs } from '../../../lib/backoff.ts';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { isTerminal } from '../../task/index.ts';
import { hostStopping } from '../endReasons.ts';
import type { Cluster } from './Cluster.ts';
import { listPayloadOwners, removePayloads } from './PayloadFiles.ts';
import {
  SEARCH_ATTRIBUTES,
  TASK_WORKFLOW,
  type TaskSnapshot,
  type TaskWorkflowOptions,
  toTaskId,
  toWorkflowId,
} from './protocol.ts';
import type { TaskPlace, TaskReplica } from './TaskReplica.ts';

/** Waits between attempts to start a workflow while Temporal does not answer. */
const START_BACKOFF = { initialMs: 500, coefficient: 2, maximumMs: 30_000 };

/** How often payloads without an owner are looked for at most, in milliseconds. */
const SWEEP_INTERVAL_MS = 3_600_000;

export interface TaskWorkflowsOptions {
  readonly cluster: Cluster;
  readonly replica: TaskReplica;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
  readonly instanceName: () => string;
  readonly taskQueue: string;
  readonly workflow: TaskWorkflowOptions;
  readonly payloadDirectory: string;
  /** How long one start may take, in milliseconds. */
  readonly callTimeoutMs: number;
}

export class TaskWorkflows implements AsyncDisposable {
  readonly #options: TaskWorkflowsOptions;
  readonly #stopping = new AbortController();
  /** What goes on in the background, by what it is for. */
  readonly #work = new Map<string, Promise<void>>();
  /** Monotonic. */
  #nextSweepMs = 0;

  constructor(options: TaskWorkflowsOptions) {
    this.#options = options;
  }

  /**
   * Sees to it that an open task has a workflow; one that runs goes on as it is. False: the task has ended.
   *
   * When Temporal does not answer it rejects, and goes on trying behind the caller's back: the task is in the state file.
   */
  async ensure(taskId: string): Promise<boolean> {
    try {
      return await this.#ensure(taskId);
    } catch (error) {
      this.#inBackground(taskId, () => this.#insist(taskId));
      throw error;
    }
  }

  /** The open tasks of a state file that is new, or was lost. A task that cannot be restored is told and passed over. */
  async restoreAll(): Promise<void> {
    const { cluster, replica, taskQueue, logger } = this.#options;
    const query = `WorkflowType = "${TASK_WORKFLOW}" AND TaskQueue = "${taskQueue}" AND ExecutionStatus = "Running"`;
    for await (const { workflowId } of cluster.client.workflow.list({ query })) {
      try {
        replica.restore(await this.#handle(workflowId).query<TaskSnapshot>('snapshot'));
      } catch (error) {
        logger.error({ err: error, workflowId }, 'The task could not be restored from Temporal');
      }
    }
  }

  /** Starts, in the background, the workflows of running tasks that Temporal does not have: never started, or lost. */
  recover(): void {
    this.#inBackground('recovery', async () => {
      for (const id of this.#options.replica.running()) {
        if (this.#stopping.signal.aborted) return;
        await this.ensure(id).catch(() => {});
      }
    });
  }

  /** Ends the workflow without a word to the task. */
  async terminate(taskId: string): Promise<void> {
    try {
      await this.#handle(toWorkflowId(taskId)).terminate('The task is purged');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /** Removes what the task has stored beside Temporal's history, which is not read any more. */
  removePayloads(taskId: string): Promise<void> {
    return removePayloads(this.#options.payloadDirectory, toWorkflowId(taskId));
  }

  /** Removes, now and then, the payloads of tasks that neither the state file nor Temporal has any more. */
  sweepPayloads(): void {
    const { clock } = this.#options;
    if (clock.monotonicMs() < this.#nextSweepMs) return;
    this.#nextSweepMs = clock.monotonicMs() + SWEEP_INTERVAL_MS;
    this.#inBackground('payloads', () => this.#sweep());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(hostStopping());
    await Promise.all(this.#work.values());
  }

  async #ensure(taskId: string): Promise<boolean> {
    const { replica } = this.#options;
    const place = replica.find({ id: taskId });
    if (!place || isTerminal(place.state)) return false;
    try {
      await this.#start(place);
      return true;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // The workflow has ended with the task, and the state file is older than that.
      replica.restore(await this.#handle(toWorkflowId(taskId)).query<TaskSnapshot>('snapshot'));
      return false;
    }
  }

  /** One that was terminated by hand is started again; one that has ended by itself is not. */
  async #start(place: TaskPlace): Promise<void> {
    const { cluster, replica, clock, taskQueue, workflow, instanceName, callTimeoutMs } = this.#options;
    const { id, contextId, status, ref } = place.state;
    const options: WorkflowStartOptions = {
      workflowId: toWorkflowId(id),
      taskQueue,
      args: [replica.toSnapshot(place), workflow],
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: ref,
      ...(workflow.usesSearchAttributes && {
        typedSearchAttributes: [
          { key: keyword(SEARCH_ATTRIBUTES.contextId), value: contextId },
          { key: keyword(SEARCH_ATTRIBUTES.state), value: status.state },
          { key: keyword(SEARCH_ATTRIBUTES.instance), value: instanceName() },
        ],
      }),
    };
    await cluster.client.withDeadline(clock.nowMs() + callTimeoutMs, () =>
      cluster.client.workflow.start(TASK_WORKFLOW, options),
    );
  }

  async #insist(taskId: string): Promise<void> {
    const { clock, ids } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      await delay(clock, backoffMs(START_BACKOFF, attempt, ids.random()), this.#stopping.signal);
      const isDone = await this.#ensure(taskId).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  async #sweep(): Promise<void> {
    const { replica, payloadDirectory } = this.#options;
    for (const workflowId of await listPayloadOwners(payloadDirectory)) {
      if (this.#stopping.signal.aborted) return;
      const id = toTaskId(workflowId);
      if (id === undefined || replica.find({ id })) continue;
      const isGone = await this.#handle(workflowId)
        .describe()
        .then(
          () => false,
          (error: unknown) => error instanceof WorkflowNotFoundError,
        );
      if (isGone) await removePayloads(payloadDirectory, workflowId);
    }
  }

  #handle(workflowId: string): WorkflowHandle {
    return this.#options.cluster.client.workflow.getHandle(workflowId);
  }

  /** One at a time of each kind; ends with the host. */
  #inBackground(kind: string, work: () => Promise<void>): void {
    if (this.#work.has(kind) || this.#stopping.signal.aborted) return;
    const done = work()
      .catch((error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        this.#options.logger.error({ err: error, kind }, 'Work on the workflows of tasks has failed');
      })
      .finally(() => this.#work.delete(kind));
    this.#work.set(kind, done);
  }
}

function keyword(name: string) {
  return defineSearchAttributeKey(name, SearchAttributeType.KEYWORD);
}
