/** What a step asks its host to do. Plain data; `key` is `<task id>:<version>:<index in the step>`, unique in the instance, so a replay asks for the same effects. */
import type { Effort, ToolCall } from './TaskState.ts';

export type TaskEffect =
  | CallModel
  | CallTool
  | RunCommand
  /** Stop the effect with `key` if it still runs; its outcome, if one comes, is dropped. */
  | { readonly kind: 'abandon'; readonly key: string };

/** One model turn over the state that asked for it. Outcome: `modelReplied` or `modelFailed`. At least once. */
export interface CallModel {
  readonly kind: 'callModel';
  readonly key: string;
  /** Absent: the instance's default when the request is made. */
  readonly model?: string;
  readonly effort?: Effort;
}

/** One tool call. Outcome: `toolReturned` or `toolFailed`. At most once unless the tool is idempotent. */
export interface CallTool {
  readonly kind: 'callTool';
  readonly key: string;
  readonly call: ToolCall;
}

/** One slash command. Outcome: `commandReturned`. One attempt (spec/worker.md § 4.3). */
export interface RunCommand {
  readonly kind: 'runCommand';
  readonly key: string;
  readonly messageId: string;
  readonly participant: string;
  readonly name: string;
  readonly args: string;
}
