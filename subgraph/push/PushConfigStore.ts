/**
 * Who is told of a task's status updates over HTTP, and up to where each has been told (spec/worker.md § 7.5).
 *
 * The records lie in the state file, secrets included, and are gone with their task. What is due is read from the event log: a record
 * is a position in it, so that nothing is queued and nothing is lost with the process.
 */
import type { Offset } from '../log/EventLog.ts';

/** Records that one task may have. */
export const MAX_PUSH_CONFIGS = 10;

/** Events that are status updates: changes of state, replies of commands, refusals (spec/worker.md § 2.3). */
export const STATUS_UPDATE_TYPES = ['task.status', 'task.commandReplied', 'task.inputRefused'] as const;

/** One receiver of one task, in the form and with the names of A2A 1.0. */
export interface PushConfig {
  /** Unique within its task. */
  readonly id: string;
  readonly taskId: string;
  /** http or https, without user information; where updates are posted. */
  readonly url: string;
  /** Sent along as `X-A2A-Notification-Token`. A secret. */
  readonly token?: string;
  /** Sent along as `Authorization: <scheme> <credentials>`. The credentials are a secret. */
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** What is known of a record and is no part of it. */
export interface PushOrigin {
  /** Who has named the receiver; whoever sends sees to it that they are on the task. @default nobody is known, as with records of an earlier version */
  readonly participant?: string | undefined;
  /** The receiver of a new record is told what comes after it. @default the end of the log */
  readonly since?: Offset | undefined;
}

/** A record as a reader of the log knows it. */
export interface PushTarget {
  /** Given out once and never again. */
  readonly number: number;
  /** Scheme, host and port of its URL. */
  readonly receiver: string;
}

/** The oldest update that a receiver has not been told. */
export interface DueUpdate {
  readonly config: PushConfig;
  /** Who has named the receiver, where that is known. */
  readonly participant?: string | undefined;
  readonly offset: Offset;
}

/**
 * Every write but `settle` is durable when it returns. A record whose secrets an earlier version has sealed is deleted where it is met,
 * with one warning.
 */
export interface PushConfigStore {
  /**
   * Stores a record, in place of the one of its task with the same id, which keeps its position.
   *
   * @throws {FlotillaError} NOT_FOUND when there is no such task, BAD_USER_INPUT when it has 10 records already.
   */
  put(config: PushConfig, origin?: PushOrigin): PushTarget;
  get(taskId: string, id: string): PushConfig | undefined;
  /** In the order of their creation. */
  list(taskId: string): readonly PushConfig[];
  /** False when there was none. */
  delete(taskId: string, id: string): boolean;
  /** The records of the tasks that have, or had, this ref; whether or not something is due for them. */
  targetsOf(ref: string): readonly PushTarget[];
  /**
   * One step through all records: those for which something is due, of the next `limit` ones after `after`.
   *
   * @returns `next` is where the step after it begins; undefined at the end.
   */
  dueAfter(
    after: number,
    limit: number,
  ): { readonly targets: readonly PushTarget[]; readonly next: number | undefined };
  /** Undefined when the record is gone, or its receiver was told everything. */
  dueOf(number: number): DueUpdate | undefined;
  /** The receiver was told up to here, or it was given up. A crash of the machine may take the newest of these back. */
  settle(number: number, offset: Offset): void;
}
