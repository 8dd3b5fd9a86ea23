/** What a step tells the world; the host writes it to the instance's event log. Types and meanings: `schema/events.ts`. */
import type { A2AState, Lifecycle, SubState } from './A2AState.ts';
import type { JsonObject } from './HistoryEntry.ts';
import type { ChannelFacts } from './MailboxMessage.ts';
import type { TaskSettings } from './TaskSettings.ts';

/** Why an input changed nothing. */
export type RefusalCode =
  /** Whoever asks is not on the task. One answer for all of them (spec/worker.md § 5.2). */
  | 'channel.not_a_member'
  /** The task has ended; the reason names its state. */
  | 'task.terminal'
  | 'task.mailbox_full'
  | 'task.command_queue_full'
  /** Only its assignee can answer the task of a participant. */
  | 'task.not_the_assignee'
  /** A task is not completed over an open sub-task; the reason names them. */
  | 'task.open_sub_tasks'
  /** The envelope asks for what its sender may not do, or is malformed; nothing of the message is kept. */
  | 'task.envelope_refused'
  /** The settings or the budget have a value of the wrong kind. */
  | 'task.invalid_change'
  /** The task has no plan to edit. */
  | 'plan.missing'
  /** The plan has no such step, or none that the edit is for. */
  | 'plan.unknown_step'
  /** The step waits for others, or none is ready. */
  | 'plan.not_ready'
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
  /**
   * The task's own record changed otherwise: `settings`, `budget`, `plan`, `paused`, `participants`, `name`, `description`,
   * `acceptanceCriteria`, `skills`, `repositories`, or `lastReply` of a run that goes on at once.
   */
  | { readonly type: 'task.updated'; readonly changed: readonly string[]; readonly settings?: TaskSettings }
  /** A message is in the mailbox, and intake has nothing against it. The text is not in the event. */
  | {
      readonly type: 'task.messageAccepted';
      readonly messageId: string;
      readonly participant: string;
      readonly channel?: ChannelFacts;
    }
  | { readonly type: 'task.turnStarted'; readonly turn: number }
  | { readonly type: 'task.toolCalled'; readonly callId: string; readonly tool: string }
  | {
      readonly type: 'task.toolReturned';
      readonly callId: string;
      readonly tool: string;
      readonly isError: boolean;
    }
  /** An interrupt has cut a turn short; what it had finished stays. */
  | { readonly type: 'task.turnInterrupted'; readonly turn: number; readonly messageId: string }
  | {
      readonly type: 'task.compacted';
      readonly removedThroughId: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** A participant is asked; the channel message has this id and is of kind `help_request`. */
  | {
      readonly type: 'task.question';
      readonly messageId: string;
      readonly channelId: string;
      readonly participant: string;
      readonly text: string;
      readonly options: readonly string[];
    }
  /** The question has its answer, in the message with this id. */
  | {
      readonly type: 'task.answered';
      readonly questionId: string;
      readonly messageId: string;
      readonly participant: string;
    }
  | {
      readonly type: 'task.childStarted';
      readonly childId: string;
      readonly childRef: string;
      readonly lifecycle: Lifecycle;
      readonly name: string;
      readonly agent?: string;
    }
  /** A sub-task has told its state. */
  | {
      readonly type: 'task.childChanged';
      readonly childId: string;
      readonly state: A2AState;
      readonly summary: string;
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
      /** One of `RefusalCode`, or what intake refused with, such as `hook.abort`. */
      readonly code: string;
      readonly reason: string;
      readonly messageId?: string;
      readonly participant?: string;
    };
