/**
 * One instance at a time works on a task queue: two would take each other's tasks, into state files that know nothing of them.
 *
 * The lease is a workflow that never runs: it is there from its start until its time is over, and Temporal lets only one have
 * the id. Each renewal takes the place of the run before. Who holds it is in the memo.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import {
  WorkflowExecutionAlreadyStartedError,
  type WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { Logger } from '../../../lib/Logger.ts';
import { conflict } from '../../../schema/errors.ts';
import { hostStopping } from '../endReasons.ts';
import type { Cluster } from './Cluster.ts';

const LEASE_MS = 60_000;

/** How long one call may take, in milliseconds. */
const CALL_TIMEOUT_MS = 5_000;

/** Nothing is asked of the workflow, which is on a queue that nobody polls. */
const OWNER_WORKFLOW = 'QueueOwner';
const OWNER_QUEUE = 'flotilla-owner';

export interface QueueLeaseOptions {
  readonly cluster: Cluster;
  readonly taskQueue: string;
  /** The state file: a process that has locked its directory follows at once on one that has died there. */
  readonly statePath: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a holder that says nothing keeps the queue, in milliseconds; it is renewed three times in that. @default 60_000 */
  readonly leaseMs?: number;
  /** Called once, when another holder has the queue: work on it must stop. */
  readonly onLost: (owner: string) => void;
}

/** Whose the lease is; readable, and different for each state directory. */
interface Owner {
  readonly id: string;
  readonly at: string;
}

/**
 * Takes the queue, and keeps it until it is disposed of. After a kill it is free again within `leaseMs`, for the same state
 * directory at once.
 *
 * @throws {FlotillaError} CONFLICT with the reason `temporal.queue_in_use` while another instance has it.
 */
export async function takeQueue(options: QueueLeaseOptions): Promise<AsyncDisposable> {
  const lease = new QueueLease(options);
  await lease.take();
  return lease;
}

class QueueLease implements AsyncDisposable {
  readonly #options: QueueLeaseOptions;
  readonly #workflowId: string;
  readonly #owner: Owner;
  readonly #leaseMs: number;
  readonly #stopping = new AbortController();
  #keeping: Promise<void> | undefined;
  /** Monotonic, when the newest renewal was asked for. */
  #renewedMs = 0;

  constructor(options: QueueLeaseOptions) {
    const directory = dirname(options.statePath);
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#workflowId = `flotilla-owner:${options.taskQueue}`;
    this.#owner = { id: readOwnerId(directory), at: `${hostname()}:${directory}, process ${process.pid}` };
  }

  async take(): Promise<void> {
    const other = await this.#claim('FAIL');
    if (other !== undefined) {
      const { taskQueue } = this.#options;
      throw conflict(
        `Cannot work on the Temporal task queue "${taskQueue}": the instance at ${other} has it, one instance at a time is expected; after a crash it is free within ${this.#leaseMs / 1_000} s`,
        { reason: 'temporal.queue_in_use' },
      );
    }
    // Ends with the signal, or when the lease is lost.
    this.#keeping = this.#keep().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(hostStopping());
    await this.#keeping;
    // Without it the lease ends by itself.
    await this.#release().catch(() => {});
  }

  async #keep(): Promise<void> {
    const { clock, logger, onLost } = this.#options;
    for (;;) {
      await delay(clock, this.#leaseMs / 3, this.#stopping.signal);
      // One that may be over is taken anew, or lost: it must not be taken from who has it by now.
      const isFresh = clock.monotonicMs() - this.#renewedMs < this.#leaseMs - 2 * CALL_TIMEOUT_MS;
      try {
        const other = await this.#claim(isFresh ? 'TERMINATE_EXISTING' : 'FAIL');
        if (other === undefined) continue;
        return onLost(other);
      } catch (error) {
        logger.warn({ err: error }, 'The hold on the task queue could not be renewed');
      }
    }
  }

  /** Who else has the queue; undefined: it is ours. */
  async #claim(policy: WorkflowIdConflictPolicy): Promise<string | undefined> {
    try {
      await this.#start(policy);
      return undefined;
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    const owner = await this.#read();
    // Over just now, or our own: of this process, or of one that has died and whose directory this one has locked.
    if (owner === undefined || owner.id === this.#owner.id) {
      await this.#start(owner ? 'TERMINATE_EXISTING' : 'FAIL');
      return undefined;
    }
    return owner.at;
  }

  async #start(policy: WorkflowIdConflictPolicy): Promise<void> {
    const { cluster, clock } = this.#options;
    const askedMs = clock.monotonicMs();
    await this.#bounded(() =>
      cluster.client.workflow.start(OWNER_WORKFLOW, {
        workflowId: this.#workflowId,
        taskQueue: OWNER_QUEUE,
        // Longer than the workflow lives: there is never work for its queue.
        startDelay: this.#leaseMs + 1_000,
        workflowExecutionTimeout: this.#leaseMs,
        workflowIdConflictPolicy: policy,
        memo: { owner: this.#owner },
      }),
    );
    this.#renewedMs = askedMs;
  }

  async #read(): Promise<Owner | undefined> {
    const handle = this.#options.cluster.client.workflow.getHandle(this.#workflowId);
    const { status, memo } = await this.#bounded(() => handle.describe());
    return status.name === 'RUNNING' ? (memo?.owner as Owner | undefined) : undefined;
  }

  async #release(): Promise<void> {
    if ((await this.#read())?.id !== this.#owner.id) return;
    const handle = this.#options.cluster.client.workflow.getHandle(this.#workflowId);
    await this.#bounded(() => handle.terminate('The instance has stopped')).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  }

  #bounded<T>(call: () => Promise<T>): Promise<T> {
    const { cluster, clock } = this.#options;
    return cluster.client.withDeadline(clock.nowMs() + CALL_TIMEOUT_MS, call);
  }
}

/** Of the state directory, with the name of the machine: a copy on another machine is another owner. */
function readOwnerId(directory: string): string {
  const path = join(directory, 'temporal-owner');
  if (!existsSync(path)) writeFileSync(path, randomUUID(), { mode: 0o600 });
  return `${readFileSync(path, 'utf8').trim()}@${hostname()}:${directory}`;
}
