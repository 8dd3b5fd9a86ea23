/**
 * The way of inputs to the workflows of their tasks.
 *
 * Each task has at most one update under way, with everything that waited for it: order is kept, and the server's limits
 * (ten updates in flight, 2,000 in a run) are far away however many inputs come.
 */
import {
  type Client,
  ServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import type { Clock } from '../../../lib/Clock.ts';
import { delay } from '../../../lib/delay.ts';
import type { IdSource } from '../../../lib/ids.ts';
import { FlotillaError } from '../../../schema/errors.ts';
import type { Delivery } from '../TaskEngine.ts';
import { explainFailure } from './explainFailure.ts';
import { type AddressedInput, type DeliverAnswer, toWorkflowId, type UntimedInput } from './protocol.ts';

/** Inputs of one update; the others wait for the next one. */
const MAX_BATCH = 64;

/** Inputs that may wait for one task; one more is refused with TOO_MANY_REQUESTS. */
const MAX_WAITING = 1_000;

/** Further attempts at one update. */
const MAX_RETRIES = 5;

const RETRY_MS = 50;

/** gRPC's code for it. */
const FAILED_PRECONDITION = 9;

export interface TaskInboxesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** How long one update may take, in milliseconds. */
  readonly callTimeoutMs: number;
  /** Starts the workflow of an open task that Temporal does not have. False: the task has ended. */
  readonly revive: (taskId: string) => Promise<boolean>;
}

/** What became of an input; the delivery is there when this process has published it. */
export type Receipt =
  | { readonly kind: DeliverAnswer; readonly delivery: Delivery | undefined }
  /** The workflow has ended, and the input is not in it. */
  | { readonly kind: 'ended' };

interface Entry extends AddressedInput {
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: unknown) => void;
}

export class TaskInboxes {
  readonly #options: TaskInboxesOptions;
  readonly #waiting = new Map<string, Entry[]>();
  readonly #sending = new Set<Promise<void>>();
  /** Deliveries of inputs that are under way, by their id. */
  readonly #shown = new Map<string, Delivery | undefined>();

  constructor(options: TaskInboxesOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the input is durable and published.
   *
   * @throws {FlotillaError} TOO_MANY_REQUESTS when too many wait; UNAVAILABLE when Temporal does not answer: it is not known
   * then whether the input was taken, and whoever sends it again with its message id does not have it read twice.
   */
  send(taskId: string, input: UntimedInput): Promise<Receipt> {
    const queue = this.#waiting.get(taskId);
    if (queue && queue.length >= MAX_WAITING) {
      throw new FlotillaError(
        'TOO_MANY_REQUESTS',
        `Cannot take the input: ${MAX_WAITING} inputs of the task wait to be stored, fewer are expected`,
      );
    }
    return new Promise((resolve, reject) => {
      const entry: Entry = { deliveryId: this.#options.ids.newId(), input, resolve, reject };
      if (queue) queue.push(entry);
      else this.#open(taskId, entry);
    });
  }

  /** What was published in this process; those that nobody here waits for are passed over. */
  show(deliveries: ReadonlyMap<string, Delivery>): void {
    for (const [id, delivery] of deliveries) if (this.#shown.has(id)) this.#shown.set(id, delivery);
  }

  /** Resolves when nothing is under way. */
  async drain(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  #open(taskId: string, first: Entry): void {
    this.#waiting.set(taskId, [first]);
    const sending = this.#sendAll(taskId).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #sendAll(taskId: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(taskId)?.splice(0, MAX_BATCH) ?? [];
      if (batch.length === 0) break;
      for (const { deliveryId } of batch) this.#shown.set(deliveryId, undefined);
      try {
        const answers = await this.#update(taskId, batch);
        batch.forEach(({ deliveryId, resolve }, index) => {
          const kind = answers?.[index];
          resolve(kind ? { kind, delivery: this.#shown.get(deliveryId) } : { kind: 'ended' });
        });
      } catch (error) {
        for (const { reject } of batch) reject(error);
      } finally {
        for (const { deliveryId } of batch) this.#shown.delete(deliveryId);
      }
    }
    this.#waiting.delete(taskId);
  }

  /** Undefined when the workflow has ended with its task. */
  async #update(taskId: string, batch: readonly Entry[]): Promise<readonly DeliverAnswer[] | undefined> {
    const inputs = batch.map(({ deliveryId, input }) => ({ deliveryId, input }));
    const { client, clock, ids, callTimeoutMs, revive } = this.#options;
    const updateId = ids.newId();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client.withDeadline(clock.nowMs() + callTimeoutMs, () =>
          client.workflow
            .getHandle(toWorkflowId(taskId))
            .executeUpdate<readonly DeliverAnswer[], [readonly AddressedInput[]]>('deliver', {
              args: [inputs],
              updateId,
            }),
        );
      } catch (error) {
        if (attempt > MAX_RETRIES) throw explainFailure(error);
        if (isGone(error)) {
          if (!(await revive(taskId))) return undefined;
        } else if (isRaceLost(error)) await delay(clock, RETRY_MS);
        else throw explainFailure(error);
      }
    }
  }
}

/** The run ended, or was continued, just then; the update is in no history. */
function isRaceLost(error: unknown): boolean {
  return error instanceof ServiceError && (error.cause as { code?: unknown })?.code === FAILED_PRECONDITION;
}

/** The workflow is not there, or ended before it had taken the update. */
function isGone(error: unknown): boolean {
  return error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
}
