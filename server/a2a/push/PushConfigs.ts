/** Who is told of a task's status updates over HTTP: the operations of A2A § 3.1.7 to § 3.1.10 (spec/worker.md § 7.5). */
import type { PushConfig, PushOrigin } from '../../../subgraph/index.ts';

export type { PushConfig };

/** A record as a client sends it: an empty field is an absent one. */
export type NewPushConfig = Omit<PushConfig, 'id' | 'taskId'> & { readonly id?: string };

/**
 * The records of one instance. Who may read and write them is the caller's to judge, before the call.
 *
 * Guarantees: (1) what a write has answered is durable, and holds until it is deleted or its task is purged;
 * (2) what was stored is given back unchanged, secrets included; (3) from then on each status update of the task is posted once, in
 * order, to each of its records whose participant is on the task: see `PushSender`.
 */
export interface PushConfigs {
  /** What `create` would refuse without a look at the task. @throws {FlotillaError} BAD_USER_INPUT. */
  check(config: NewPushConfig): void;
  /**
   * Stores a record, in place of the one of that task that has its id. A record without an id gets one.
   *
   * @param origin `since` is such as the `cursor` of the delivery of the message that brought the record.
   * @throws {FlotillaError} BAD_USER_INPUT when a field cannot be used, or the task has 10 records already; NOT_FOUND when there is
   *   no such task.
   */
  create(taskId: string, config: NewPushConfig, origin: PushOrigin): Promise<PushConfig>;
  get(taskId: string, configId: string): Promise<PushConfig | undefined>;
  /** In the order of their creation. */
  list(taskId: string): Promise<readonly PushConfig[]>;
  /** False when there was none. */
  delete(taskId: string, configId: string): Promise<boolean>;
}
