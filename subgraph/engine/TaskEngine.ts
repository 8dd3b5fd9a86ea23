/**
 * The port that hosts of the task core implement (design § 6).
 *
 * Guarantees, whatever the host:
 * 1. An input is durable before `start` or `deliver` resolves, and is applied exactly once.
 * 2. Inputs of one task are applied one at a time, in the order in which they were taken.
 * 3. Events are in the log, in the order of the steps, before any effect of the same step starts.
 * 4. A completed effect is never done again, also after a crash. One in flight at a crash is done
 *    again only when it is idempotent.
 * 5. A parked task holds no memory.
 */
import type { HistoryEntry, TaskEvent, TaskInput, TaskState } from '../task/index.ts';

/** An input before the host gives it its time. */
export type NewInput<Input extends TaskInput = TaskInput> = Input extends TaskInput
  ? Omit<Input, 'atMs'>
  : never;

/** A creation before the host gives the task its identity; without a `ref` the host numbers it (spec rest-on-tasks.md, Identity). */
export type NewTask = Omit<
  Extract<TaskInput, { kind: 'taskCreated' }>,
  'kind' | 'atMs' | 'ref' | 'id' | 'contextId'
> & {
  readonly ref?: string;
  readonly contextId?: string;
  /** The caller's own id of this creation: whoever does not know whether it was taken sends it again and gets the same task. */
  readonly creationId?: string;
};

/** What one applied input did. */
export interface Delivery {
  /** After the input. Its `history` has the entries that this input added and no others. */
  readonly state: TaskState;
  readonly events: readonly TaskEvent[];
  /** Offset of the last event in the instance's log before this delivery's own: reading after it shows what came of the input. */
  readonly cursor: number;
  /** The input was a message, command or creation whose id was seen before; nothing was applied. */
  readonly duplicate: boolean;
}

/** A row of the task list: what can be read without the history. */
export type TaskRow = Omit<TaskState, 'history' | 'mailbox' | 'commands' | 'seenMessageIds' | 'run'> & {
  readonly queuedMessages: number;
  /** The newest 50 message ids, oldest first. */
  readonly recentMessageIds: readonly string[];
};

/** Rows with an equal value are ordered by id, in the same direction. */
export type TaskOrder =
  | 'CREATED_AT_ASC'
  | 'CREATED_AT_DESC'
  | 'UPDATED_AT_ASC'
  | 'UPDATED_AT_DESC'
  | 'REF_ASC';

export interface TaskListQuery {
  /** 0 to 1,001. */
  readonly limit: number;
  readonly order: TaskOrder;
  /** Position of the last row the reader has seen: its order value and its id. */
  readonly after?: { readonly value: string | number; readonly id: string };
  readonly states?: readonly TaskState['status']['state'][];
  readonly subStates?: readonly NonNullable<TaskState['status']['subState']>[];
  /** Case-insensitive part of name, goal, ref or last reply. */
  readonly text?: string;
}

export interface TaskEngine extends AsyncDisposable {
  /**
   * Creates a task. A `creationId` that was taken before, however long ago, is a duplicate: the delivery has the task that
   * it created, as it is now.
   *
   * @throws {FlotillaError} CONFLICT when an open task has the ref, or the `creationId` created a task with another ref.
   */
  start(task: NewTask): Promise<Delivery>;
  /**
   * Applies one input to the newest task with this ref. A refusal by the core is not a throw: it is a `task.inputRefused` event in the delivery.
   * @throws {FlotillaError} NOT_FOUND when no task has the ref.
   */
  deliver(ref: string, input: NewInput): Promise<Delivery>;
  /** The newest task with this ref. */
  read(ref: string): Promise<TaskRow | undefined>;
  /** Several at once, in the order of `refs`. */
  readMany(refs: readonly string[]): Promise<readonly (TaskRow | undefined)[]>;
  list(query: TaskListQuery): Promise<readonly TaskRow[]>;
  /** Entries with an id above `afterId`, oldest first. `limit` is 0 to 1,001. */
  history(
    ref: string,
    query: { readonly afterId: number; readonly limit: number },
  ): Promise<readonly HistoryEntry[]>;
  /** Refs of open tasks, in code-point order. */
  openRefs(): Promise<readonly string[]>;
}
