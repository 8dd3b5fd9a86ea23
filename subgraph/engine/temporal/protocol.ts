/**
 * What the workflow of a task and the instance that owns the task say to each other. Plain JSON, in Temporal's history:
 * a change here must be one that old histories survive.
 */

import type { HistoryEntry, JsonObject, TaskEffect, TaskInput, TaskState } from '../../task/index.ts';
import type { RetryPolicy } from '../retryPolicy.ts';

/** Type of the workflow that hosts one task. */
export const TASK_WORKFLOW = 'TaskWorkflow';

/** Search attributes, keywords (spec/worker.md § 7.4). */
export const SEARCH_ATTRIBUTES = {
  contextId: 'A2AContextId',
  state: 'A2ATaskState',
  instance: 'FlotillaInstance',
} as const;

/** Message ids by which a workflow recognises a duplicate, the newest (spec/worker.md § 3.3). */
export const MAX_MESSAGE_IDS = 1_000;

/** Entries of the history that a workflow holds, the newest. */
export const MAX_TAIL_ENTRIES = 200;

/** An effect that has an outcome. */
export type WorkflowEffect = Exclude<TaskEffect, { kind: 'abandon' }>;

/** An effect without an outcome, and how far it has come. */
export interface PendingAttempt {
  readonly effect: WorkflowEffect;
  /** Number of the next attempt, from 1. */
  readonly attempt: number;
  /** The attempt before has begun and its outcome is not known. */
  readonly isLost: boolean;
  /** Number of the attempt before, when a crash has ended it and the instance has not been told yet. */
  readonly lostAttempt?: number;
  /** Epoch milliseconds before which the attempt is not made. */
  readonly notBeforeMs: number;
  /** As a hook between two attempts has left it; absent: the instance's own. */
  readonly policy?: RetryPolicy;
}

export function toFirstAttempt(effect: WorkflowEffect): PendingAttempt {
  return { effect, attempt: 1, isLost: false, notBeforeMs: 0 };
}

/** Everything that a run of the workflow starts from: the first one, and one that continues another. */
export interface TaskSnapshot {
  /** Without its history and message ids. */
  readonly state: TaskState;
  /** The newest entries of the history, oldest first: what a lost state file is rebuilt from. */
  readonly tail: readonly HistoryEntry[];
  /** The newest accepted message ids, oldest first. */
  readonly messageIds: readonly string[];
  readonly pending: readonly PendingAttempt[];
}

export interface TaskWorkflowOptions {
  /** Whether the search attribute of the state follows the task. */
  readonly usesSearchAttributes: boolean;
  /** Events of Temporal's history after which a new run goes on with the task. */
  readonly maxHistoryEvents: number;
  /** Longest time of one attempt, in milliseconds; the instance's own limits are shorter. */
  readonly attemptTimeoutMs: number;
  /** Longest silence of a running attempt, in milliseconds; a longer one is taken for a crash. */
  readonly heartbeatTimeoutMs: number;
}

/** An input that somebody may wait for. */
export interface AddressedInput {
  /** Names the delivery to whoever waits for it in the instance. */
  readonly deliveryId: string;
  readonly input: UntimedInput;
}

export type UntimedInput<Input extends TaskInput = TaskInput> = Input extends TaskInput
  ? Omit<Input, 'atMs'>
  : never;

/** Update `deliver`: one answer for each input, in their order. */
export type DeliverAnswer = 'applied' | 'duplicate';

/** An input with its place in the task's life. */
export interface AppliedInput {
  /** Version of the state after it. */
  readonly version: number;
  readonly input: TaskInput;
  readonly deliveryId?: string;
}

export type PublishAnswer =
  | { readonly kind: 'published' }
  /** The instance lacks what came before. */
  | { readonly kind: 'behind' };

/** What one attempt came to: the outcome for the core, the wait before the next attempt, or nothing, because the effect is abandoned. */
export type AttemptAnswer =
  | { readonly kind: 'dropped' }
  | { readonly kind: 'settled'; readonly input: UntimedInput }
  | { readonly kind: 'again'; readonly waitMs: number; readonly policy: RetryPolicy };

/** Type of the failure of an attempt that was ended because its instance stops. */
export const HOST_STOPPED = 'HostStopped';

/** What the workflow has its instance do. */
export interface TaskActivities {
  /** Takes the inputs into the instance's own tables and log, each once; answers when that is durable. */
  publish(taskId: string, inputs: readonly AppliedInput[]): Promise<PublishAnswer>;
  /** Gives the instance the task as it is, when the instance has lost it or a part of it. */
  restore(snapshot: TaskSnapshot): Promise<void>;
  /** Makes one attempt, or, when the one before was lost and may not be repeated, says that its outcome is unknown. */
  attempt(taskId: string, attempt: PendingAttempt): Promise<AttemptAnswer>;
}

const WORKFLOW_ID_PREFIX = 'flotilla-task-';

/** Id of the workflow that hosts the task. */
export function toWorkflowId(taskId: string): string {
  return `${WORKFLOW_ID_PREFIX}${taskId}`;
}

/** The task of a workflow; undefined when the workflow is of another kind. */
export function toTaskId(workflowId: string): string | undefined {
  return workflowId.startsWith(WORKFLOW_ID_PREFIX) ? workflowId.slice(WORKFLOW_ID_PREFIX.length) : undefined;
}

/** Type of the workflow that is one run of a schedule. */
export const HEARTBEAT_WORKFLOW = 'HeartbeatWorkflow';

export interface ScheduleActivities {
  /** Makes one run of the schedule and tells its result. */
  runScheduled(id: string): Promise<JsonObject>;
}
