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
import type { A2AState, HistoryEntry, JsonObject, TaskEvent, TaskInput, TaskState } from '../task/index.ts';
import type { AuditRow } from './inboxAudit.ts';

/** An input before the host gives it its time. */
export type NewInput<Input extends TaskInput = TaskInput> = Input extends TaskInput
  ? Omit<Input, 'atMs'>
  : never;

/** A creation before the host gives the task its identity; without a `ref` the host numbers it (spec rest-on-tasks.md, Identity). */
export type NewTask = Omit<
  Extract<TaskInput, { kind: 'taskCreated' }>,
  'kind' | 'atMs' | 'ref' | 'id' | 'contextId' | 'rules' | 'origin'
> & {
  readonly ref?: string;
  /** Of a sub-task, whose parent gives it. A task that has the id already is a repeated creation. */
  readonly id?: string;
  readonly contextId?: string;
  /** The caller's own id of this creation: whoever does not know whether it was taken sends it again and gets the same task. */
  readonly creationId?: string;
};

export interface TaskFork {
  /** @default one that the host numbers */
  readonly ref?: string;
  /** As of `NewTask`. */
  readonly creationId?: string;
  /** @default the name of the other task */
  readonly name?: string;
  /** The first message on the new way; without one the task waits for it. */
  readonly message?: NewTask['message'];
}

/** What one applied input did. */
export interface Delivery {
  /** After the input. Its `history` and `seenMessageIds` have what this input added and nothing else. */
  readonly state: TaskState;
  /** What the task was when it took the input; SUBMITTED when the input created it (spec/worker.md § 3.3). */
  readonly takenIn: A2AState;
  readonly events: readonly TaskEvent[];
  /** Offset of the last event in the instance's log before this delivery's own: reading after it shows what came of the input. */
  readonly cursor: number;
  /** The input was a message, command or creation whose id was seen before; nothing was applied. */
  readonly duplicate: boolean;
}

/** A task: the newest one with the ref, or, for ever, the one with the id. */
export type TaskAddress = string | { readonly id: string };

/** A row of the task list: what can be read without the history. */
export type TaskRow = Omit<
  TaskState,
  | 'history'
  | 'mailbox'
  | 'commands'
  | 'seenMessageIds'
  | 'run'
  | 'notes'
  | 'summary'
  | 'lastContext'
  | 'lastChild'
  | 'loadedSkills'
  | 'trace'
> & {
  readonly queuedMessages: number;
  /** Names of the skills that the task has loaded. */
  readonly skills: readonly string[];
  /** The newest 50 message ids, oldest first. Absent in a past version, and in a list that was not asked for them. */
  readonly recentMessageIds?: readonly string[];
};

/** Rows with an equal value are ordered by id, in the same direction. */
export type TaskOrder =
  | 'CREATED_AT_ASC'
  | 'CREATED_AT_DESC'
  | 'UPDATED_AT_ASC'
  | 'UPDATED_AT_DESC'
  | 'REF_ASC';

/** Which tasks a list has. */
export interface TaskFilter {
  readonly states?: readonly TaskState['status']['state'][];
  readonly subStates?: readonly NonNullable<TaskState['status']['subState']>[];
  readonly lifecycles?: readonly TaskState['lifecycle'][];
  /** Only those that are. */
  readonly isPaused?: true;
  /** Id of somebody who is on the task. */
  readonly participant?: string;
  readonly contextId?: string;
  /** Tasks that have declared any of these. */
  readonly repositories?: readonly string[];
  readonly created?: TimeRange;
  readonly updated?: TimeRange;
  /** Case-insensitive part of name, goal, ref or last reply. */
  readonly text?: string;
}

export interface TaskListQuery extends TaskFilter {
  /** 0 to 1,001. */
  readonly limit: number;
  readonly order: TaskOrder;
  /** Position of the last row the reader has seen: its order value and its id. */
  readonly after?: { readonly value: string | number; readonly id: string };
  /** Whether the rows have their message ids. @default false */
  readonly withMessageIds?: boolean;
}

/** Epoch milliseconds; absent ends are open. */
export interface TimeRange {
  /** Inclusive. */
  readonly sinceMs?: number;
  /** Exclusive. */
  readonly beforeMs?: number;
}

/** A part of a task's history, oldest first. */
export interface HistoryQuery {
  readonly afterId: number;
  /** @default no end */
  readonly beforeId?: number;
  /** 0 to 1,001. */
  readonly limit: number;
  /** Which entries to leave out when there are more. @default 'oldest' are kept */
  readonly keep?: 'oldest' | 'newest';
}

/** One message or command that a task took or refused (spec/worker.md § 5.3). */
export interface AuditEntry extends AuditRow {
  readonly atMs: number;
}

/** The schedule of the heartbeat (decisions.md 1). */
export const HEARTBEAT_ID = 'flotilla-heartbeat';

/** Something that is done at intervals; it survives restarts until it is deleted (spec/worker.md § 9.1). */
export interface Schedule {
  readonly id: string;
  readonly intervalMs: number;
  readonly nextAtMs: number;
  /** Start of the newest run. */
  readonly lastAtMs?: number;
  /** Of the newest run; absent when it failed. */
  readonly result?: JsonObject;
  /** Why the newest run failed. */
  readonly error?: string;
}

/** What a schedule does when it is due; a throw is a failed run. */
export type ScheduledRun = (
  id: string,
  context: { readonly engine: TaskEngine; readonly signal: AbortSignal },
) => Promise<JsonObject>;

export interface TaskEngine extends AsyncDisposable {
  /**
   * Creates a task. A `creationId` that was taken before, however long ago, is a duplicate: the delivery has the task that
   * it created, as it is now.
   *
   * @throws {FlotillaError} CONFLICT when an open task has the ref, or the `creationId` created a task with another ref.
   */
  start(task: NewTask): Promise<Delivery>;
  /**
   * Applies one input. A refusal by the core is not a throw: it is a `task.inputRefused` event in the delivery.
   * @throws {FlotillaError} NOT_FOUND when there is no such task.
   */
  deliver(task: TaskAddress, input: NewInput): Promise<Delivery>;
  /**
   * Starts a task as a settled copy of a version of another one, its history included: nothing is under way in it, and it
   * waits for a message (design § 6). The other task stays as it is.
   *
   * @throws {FlotillaError} as `readAt` and `start`.
   */
  fork(ref: string, version: number, fork?: TaskFork): Promise<Delivery>;
  /**
   * Whether there is such a task with this participant. Nothing else of the task is read, so that its time does not tell whether there is
   * one.
   */
  isOn(task: TaskAddress, participant: string): Promise<boolean>;
  read(task: TaskAddress): Promise<TaskRow | undefined>;
  /**
   * The newest task with this ref as it was at an earlier version; `history` up to its `lastEntryId` is what it knew.
   *
   * @throws {FlotillaError} NOT_FOUND when no task has the ref; NOT_FOUND with the reason `task.version_not_kept` and the
   * `oldest` and `newest` version in its details when there is no such version or it is forgotten.
   */
  readAt(ref: string, version: number): Promise<TaskRow>;
  /** Several at once, in the order of `tasks`. */
  readMany(tasks: readonly TaskAddress[]): Promise<readonly (TaskRow | undefined)[]>;
  /** Without the tasks of standing sessions, which are no work items. */
  list(query: TaskListQuery): Promise<readonly TaskRow[]>;
  /** How many tasks all pages of such a list have together; counted as far as `atMost`. */
  count(filter: TaskFilter, atMost: number): Promise<number>;
  history(task: TaskAddress, query: HistoryQuery): Promise<readonly HistoryEntry[]>;
  /** Refs of open tasks, in code-point order. */
  openRefs(): Promise<readonly string[]>;
  /** Who wrote to the task and whether it was taken, the newest first. `limit` is 0 to 1,001. */
  inboxAudit(task: TaskAddress, query: { readonly limit: number }): Promise<readonly AuditEntry[]>;
  /**
   * Ends an open task without a word to anybody but its parent, which has it as CANCELED, and deletes everything that the
   * host holds of it; of its events the log keeps offsets, types and times. A ref is that of the task that has it at the call.
   * Whether there was such a task.
   */
  purge(task: TaskAddress): Promise<boolean>;
  /** What the host does at intervals, by id. */
  schedules(): Promise<readonly Schedule[]>;
  /** Whether it was not there before: one that is there stays as it is, with the interval that it has. */
  ensureSchedule(schedule: { readonly id: string; readonly intervalMs: number }): Promise<boolean>;
  /** Whether it was there. A run that is under way is finished. */
  deleteSchedule(id: string): Promise<boolean>;
  /** Why nothing can be taken in now, for whoever supervises the process; cheap. @default absent: there is no such reason */
  impediment?(): string | undefined;
  /** How the host is now; cheap. @default absent: it does not tell */
  stats?(): EngineStats;
}

/** For whoever watches the host from outside. */
export interface EngineStats {
  /** Tasks that are kept, by state; states without a task may be absent. */
  readonly tasks: Readonly<Partial<Record<TaskState['status']['state'], number>>>;
  /** Effects of this process without an outcome. */
  readonly effects: { readonly running: number; readonly waiting: number };
  /** Transactions that took in inputs, since the start. */
  readonly commits: number;
}
