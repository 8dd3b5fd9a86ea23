/** Everything that can happen to a task. An input carries every id and time that the step needs; a host adds nothing later. */
import type { A2AState, Lifecycle } from './A2AState.ts';
import type { TaskLink } from './Child.ts';
import type { CommandIntent } from './CommandIntent.ts';
import type { ToolCall } from './HistoryEntry.ts';
import type { ChannelFacts, Envelope } from './MailboxMessage.ts';
import type { Participant } from './Participant.ts';
import type { Effort, TaskSettings } from './TaskSettings.ts';
import type { Budget, Criterion, Finish, TaskState, Usage } from './TaskState.ts';

export type TaskInput =
  | TaskCreated
  | MessageReceived
  | CommandReceived
  | ModelReplied
  | ModelFailed
  | ToolReturned
  | ToolFailed
  | CommandReturned
  | CompactionDue
  | Compacted
  | CompactFailed
  | CompletionDecided
  | IntakeDone
  | ChildStarted
  | ChildFailed
  | EffectDone
  | ChildChanged
  | EnvelopeReceived
  | SettingsChanged
  | BudgetChanged
  | PlanEdited
  | RepositoriesDeclared
  | CompleteRequested
  | CancelRequested
  | PauseRequested
  | ResumeRequested;

interface InputBase {
  /** Epoch milliseconds at which the host took the input. */
  readonly atMs: number;
  /** What the input is a part of outside, for whoever watches: a `traceparent` (W3C Trace Context). Decides nothing. */
  readonly trace?: string;
}

/** Always the first input of a task and never a later one. */
export interface TaskCreated extends InputBase {
  readonly kind: 'taskCreated';
  readonly ref: string;
  readonly id: string;
  readonly contextId: string;
  readonly lifecycle: Lifecycle;
  /** The first message; without one the task waits for it. A first message may be a command. */
  readonly message?: {
    readonly messageId: string;
    readonly participant: string;
    readonly text: string;
    readonly needsIntake?: true;
  };
  readonly command?: {
    readonly messageId: string;
    readonly participant: string;
    readonly name: string;
    readonly args: string;
  };
  readonly name?: string;
  readonly goal?: string;
  /** At least one; whoever starts the task is among them. */
  readonly participants: readonly Participant[];
  readonly settings: TaskSettings;
  readonly maxTurns: number;
  /** The rules that the task lives by, at most `RULES`; a host writes them down, so that a replay knows them. @default RULES */
  readonly rules?: number;
  /** The instance's own participant id. @default the first agent among the participants */
  readonly agentId?: string;
  readonly description?: string;
  readonly acceptanceCriteria?: readonly Criterion[];
  readonly budget?: Budget;
  readonly parent?: TaskLink;
  readonly depth?: number;
  /** Begin as a settled copy of this past state, whose `history` is whole: nothing is under way in it (design § 6). */
  readonly origin?: { readonly ref: string; readonly version: number; readonly state: TaskState };
}

export interface MessageReceived extends InputBase {
  readonly kind: 'messageReceived';
  readonly messageId: string;
  readonly participant: string;
  readonly text: string;
  /** Cuts the running turn short (spec/worker.md § 2.4, row 15). */
  readonly interrupt?: true;
  /** Somebody outside has a say about messages (a `request.received` hook): an `intake` effect judges it. */
  readonly needsIntake?: true;
  readonly envelope?: Envelope;
  /** The message came by a channel. */
  readonly channel?: ChannelFacts;
}

/** Outcome of an `intake` effect. One that has failed for good is a refusal with the failure's code. */
export type IntakeDone = InputBase & {
  readonly kind: 'intakeDone';
  readonly effectKey: string;
} & (
    | {
        readonly accepted: true;
        /** Rewritten; absent means as it came. */
        readonly text?: string;
      }
    | {
        readonly accepted: false;
        /** `<area>.<what>`, such as `hook.abort`. */
        readonly code: string;
        readonly reason: string;
      }
  );

export interface CommandReceived extends InputBase {
  readonly kind: 'commandReceived';
  readonly messageId: string;
  readonly participant: string;
  readonly name: string;
  readonly args: string;
}

/** Outcome of a `callModel` effect. */
export interface ModelReplied extends InputBase {
  readonly kind: 'modelReplied';
  readonly effectKey: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  /** The model as the provider names it. */
  readonly model: string;
  readonly finish: Finish;
  /** Characters of the assembled context, for the next estimate. */
  readonly characters?: number;
  /** Somebody outside has a say about the end of a run (a `task.complete.in` hook): a `decideCompletion` effect asks. */
  readonly decideCompletion?: true;
}

/** Outcome of a `callModel` effect that did not call: the context is over its budget. Never of one with `compacted`. */
export interface CompactionDue extends InputBase {
  readonly kind: 'compactionDue';
  readonly effectKey: string;
}

/** Outcome of a `compact` effect. */
export interface Compacted extends InputBase {
  readonly kind: 'compacted';
  readonly effectKey: string;
  /** The last entry that the summary stands for. Never a tool call without its result. */
  readonly removedThroughId: number;
  /** Takes the place of the summary before, which it includes. */
  readonly summary: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of the request that wrote the summary; absent when a hook wrote it. */
  readonly usage?: Usage;
  readonly model?: string;
}

/** A `compact` effect has failed for good; the run ends as with a failed model call. */
export interface CompactFailed extends InputBase {
  readonly kind: 'compactFailed';
  readonly effectKey: string;
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

/** Outcome of a `decideCompletion` effect. One that has failed for good decides `fail`. */
export interface CompletionDecided extends InputBase {
  readonly kind: 'completionDecided';
  readonly effectKey: string;
  /** `wait`: the run ends without a reply. `complete`: a conversation parks, another task completes. `fail`: the task fails. */
  readonly decision: 'wait' | 'complete' | 'fail';
  /** Why it fails. */
  readonly reason?: string;
  /** Code of the failure, such as `hook.abort`. */
  readonly code?: string;
}

/** A `callModel` effect has failed for good. The code `instance.budget_reached` holds the task back as a budget of its own does. */
export interface ModelFailed extends InputBase {
  readonly kind: 'modelFailed';
  readonly effectKey: string;
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

export interface ToolReturned extends InputBase {
  readonly kind: 'toolReturned';
  readonly effectKey: string;
  readonly text: string;
  /** The tool ran and says that it could not do it. */
  readonly isError: boolean;
  /** What the tool asks of the task; applied before the result is recorded. */
  readonly command?: WorkflowCommand;
}

/** A change of the task that comes out of a tool (spec/worker.md § 3.8). */
export type WorkflowCommand =
  | {
      readonly kind: 'skillLoaded';
      readonly name: string;
      readonly body: string;
      readonly tools: readonly string[];
    }
  | { readonly kind: 'skillUnloaded'; readonly name: string };

/** A `callTool` effect has failed for good; becomes an error result for the model (spec/worker.md § 3.6). */
export interface ToolFailed extends InputBase {
  readonly kind: 'toolFailed';
  readonly effectKey: string;
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

export interface CommandReturned extends InputBase {
  readonly kind: 'commandReturned';
  readonly effectKey: string;
  readonly outcome: CommandOutcome;
}

export type CommandOutcome =
  | { readonly kind: 'intents'; readonly intents: readonly CommandIntent[] }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** Intake refused it: no executor ran, and nobody gets a reply (spec/worker.md § 4.3). */
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string };

/** Outcome of a `startChild` effect: the sub-task is there, now or since an earlier attempt. */
export interface ChildStarted extends InputBase {
  readonly kind: 'childStarted';
  readonly effectKey: string;
  readonly ref: string;
}

/** A `startChild` effect has failed for good: there is no such sub-task. */
export interface ChildFailed extends InputBase {
  readonly kind: 'childFailed';
  readonly effectKey: string;
  readonly code: string;
  readonly message: string;
  readonly attempts: number;
}

/** A `tellParent` or `cancelChild` effect is over, whatever became of it. Changes nothing. */
export interface EffectDone extends InputBase {
  readonly kind: 'effectDone';
  readonly effectKey: string;
}

/** A sub-task tells its parent; may come more than once and before `childStarted`. */
export interface ChildChanged extends InputBase {
  readonly kind: 'childChanged';
  readonly childId: string;
  /** Of the sub-task; an older one than was told before is ignored. */
  readonly version: number;
  readonly state: A2AState;
  /** At most 500 characters are kept. */
  readonly summary: string;
}

/**
 * An envelope of kind `task` without a message. Rights and shape are those of one that comes with a message
 * (spec/worker.md §§ 5.2, 5.6), but there is nothing to read, so nobody is woken and no question is answered.
 */
export interface EnvelopeReceived extends InputBase {
  readonly kind: 'envelopeReceived';
  readonly participant: string;
  readonly envelope: Envelope & { readonly kind: 'task' };
}

/** `null` clears a setting, absent leaves it. Effective from the next model request (spec/worker.md § 6.4). */
export interface SettingsChanged extends InputBase {
  readonly kind: 'settingsChanged';
  readonly participant: string;
  readonly model?: string | null;
  readonly effort?: Effort | null;
}

/** `null` clears a limit, absent leaves it. A task that a budget holds back goes on when none does any more, and asks the instance's again. */
export interface BudgetChanged extends InputBase {
  readonly kind: 'budgetChanged';
  readonly participant: string;
  readonly turns?: number | null;
  readonly tokens?: number | null;
  readonly costMicros?: number | null;
}

/** A change of the plan from outside; nobody is woken. */
export interface PlanEdited extends InputBase {
  readonly kind: 'planEdited';
  readonly participant: string;
  readonly edit: PlanEdit;
}

/** Steps are named by id or name. */
export type PlanEdit =
  /** Without a step the current one. One that still waits for others is refused. */
  | { readonly op: 'complete'; readonly step?: string }
  /** Judges steps by their sub-tasks and begins the next one. */
  | { readonly op: 'advance' }
  /** The plan goes on at this step; what it waited for counts as done. */
  | { readonly op: 'force'; readonly step: string; readonly reason: string }
  /** Those that are open count as done; refused when none is. */
  | { readonly op: 'skip'; readonly steps: readonly string[]; readonly reason: string };

export interface RepositoriesDeclared extends InputBase {
  readonly kind: 'repositoriesDeclared';
  readonly participant: string;
  /** Take the place of those before. */
  readonly repositories: readonly string[];
}

export interface CompleteRequested extends InputBase {
  readonly kind: 'completeRequested';
  readonly participant: string;
  readonly text?: string;
}

export interface CancelRequested extends InputBase {
  readonly kind: 'cancelRequested';
  readonly participant: string;
  readonly reason?: string;
}

export interface PauseRequested extends InputBase {
  readonly kind: 'pauseRequested';
  readonly participant: string;
}

export interface ResumeRequested extends InputBase {
  readonly kind: 'resumeRequested';
  readonly participant: string;
}
