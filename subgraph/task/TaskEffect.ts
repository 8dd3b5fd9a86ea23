/** What a step asks its host to do. Plain data; `key` is `<task id>:<version>:<index in the step>`, unique in the instance, so a replay asks for the same effects. */
import type { A2AState } from './A2AState.ts';
import type { TaskLink } from './Child.ts';
import type { ToolCall } from './HistoryEntry.ts';
import type { MailboxMessage } from './MailboxMessage.ts';
import type { TaskCreated } from './TaskInput.ts';
import type { Effort } from './TaskSettings.ts';

export type TaskEffect =
  | CallModel
  | Compact
  | CallTool
  | DecideCompletion
  | Intake
  | RunCommand
  | StartChild
  | TellParent
  | CancelChild
  /** Stop the effect with `key` if it still runs; its outcome, if one comes, is dropped. */
  | { readonly kind: 'abandon'; readonly key: string };

interface EffectBase {
  readonly key: string;
  /** What the effect is a part of outside: the `trace` of the input that it follows from. */
  readonly trace?: string;
}

/**
 * One model turn over the state that asked for it: assemble the context, ask whether it is over its budget,
 * call. Outcome: `modelReplied`, `modelFailed`, or `compactionDue` instead of the call. At least once.
 */
export interface CallModel extends EffectBase {
  readonly kind: 'callModel';
  /** Absent: the instance's default when the request is made. */
  readonly model?: string;
  readonly effort?: Effort;
  /** This turn has been compacted for: call, whatever the size. */
  readonly compacted?: true;
}

/** A summary of the older half of the history. Outcome: `compacted` or `compactFailed`. At least once. */
export interface Compact extends EffectBase {
  readonly kind: 'compact';
  /** As for `callModel`. */
  readonly model?: string;
  readonly effort?: Effort;
}

/** One tool call. Outcome: `toolReturned` or `toolFailed`. At most once unless the tool is idempotent. */
export interface CallTool extends EffectBase {
  readonly kind: 'callTool';
  readonly call: ToolCall;
}

/** Whether this reply ends the run. Outcome: `completionDecided`. At least once. */
export interface DecideCompletion extends EffectBase {
  readonly kind: 'decideCompletion';
  readonly text: string;
  /** Ids of the open sub-tasks that block: delegated, of a participant, remote. */
  readonly unresolved: readonly string[];
}

/** Judges one message that waits. Outcome: `intakeDone`. At least once. */
export interface Intake extends EffectBase {
  readonly kind: 'intake';
  readonly message: Omit<MailboxMessage, 'needsIntake' | 'effectKey'>;
}

/** One slash command, its intake included. Outcome: `commandReturned`. One attempt (spec/worker.md § 4.3). */
export interface RunCommand extends EffectBase {
  readonly kind: 'runCommand';
  readonly messageId: string;
  readonly participant: string;
  readonly name: string;
  readonly args: string;
}

/** A sub-task as it is to be created; the host adds the ref and the time. */
export type NewChild = Omit<TaskCreated, 'kind' | 'atMs' | 'ref'> & { readonly parent: TaskLink };

/**
 * Starts a sub-task. Outcome: `childStarted` or `childFailed`. At least once: a sub-task whose id exists is
 * not created again. With `agent` it is that remote agent's, and one that is not registered fails with
 * `entity.not_found`.
 */
export interface StartChild extends EffectBase {
  readonly kind: 'startChild';
  readonly child: NewChild;
  readonly agent?: string;
}

/** Delivers `childChanged` to the parent. Outcome: `effectDone`. At least once; a parent that is gone or has ended ends it. */
export interface TellParent extends EffectBase {
  readonly kind: 'tellParent';
  readonly parent: TaskLink;
  readonly childId: string;
  /** Of this task. */
  readonly version: number;
  readonly state: A2AState;
  readonly summary: string;
}

/** Delivers `cancelRequested` to a sub-task, by this participant. Outcome: `effectDone`. At least once; a sub-task that is not there or has ended ends it. */
export interface CancelChild extends EffectBase {
  readonly kind: 'cancelChild';
  readonly childId: string;
  readonly participant: string;
  readonly reason: string;
}
