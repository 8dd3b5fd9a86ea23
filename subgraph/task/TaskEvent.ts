/** What a step tells the world; the host writes it to the instance's event log. Types and meanings: `schema/events.ts`. */
import type { A2AState, JsonObject, SubState, TaskSettings } from './TaskState.ts';

/** Why an input changed nothing. */
export type RefusalCode =
  /** Whoever asks is not on the task. One answer for all of them (spec/worker.md § 5.2). */
  | 'channel.not_a_member'
  /** The task has ended; the reason names its state. */
  | 'task.terminal'
  | 'task.mailbox_full'
  | 'task.command_queue_full'
  /** A task is created once. */
  | 'task.exists'
  /** These rules have no such input. */
  | 'task.unknown_input';

export type TaskEvent =
  | { readonly type: 'task.created'; readonly name: string; readonly state: A2AState }
  /** Every change of state or sub-state (spec/worker.md § 2.3). */
  | {
      readonly type: 'task.status';
      readonly state: A2AState;
      readonly subState?: SubState;
      readonly message?: string;
      readonly errorCode?: string;
    }
  /** The task's own record changed otherwise: `settings`, `plan`, `paused`, or `lastReply` of a run that goes on at once. */
  | { readonly type: 'task.updated'; readonly changed: readonly string[]; readonly settings?: TaskSettings }
  /** A message is in the mailbox. The text is not in the event. */
  | { readonly type: 'task.messageAccepted'; readonly messageId: string; readonly participant: string }
  | { readonly type: 'task.turnStarted'; readonly turn: number }
  | { readonly type: 'task.toolCalled'; readonly callId: string; readonly tool: string }
  | {
      readonly type: 'task.toolReturned';
      readonly callId: string;
      readonly tool: string;
      readonly isError: boolean;
    }
  | {
      readonly type: 'task.commandReplied';
      readonly messageId: string;
      readonly name: string;
      readonly ok: boolean;
      readonly text: string;
      readonly error?: string;
      readonly data?: JsonObject;
    }
  /** The input changed nothing. `reason` has the form `<what is>, <what is expected>`; a message's text is never in it. */
  | {
      readonly type: 'task.inputRefused';
      readonly input: string;
      readonly code: RefusalCode;
      readonly reason: string;
      readonly messageId?: string;
      readonly participant?: string;
    };
