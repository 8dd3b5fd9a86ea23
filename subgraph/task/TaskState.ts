/**
 * The whole state of one task, as plain JSON (spec/worker.md § 2.1).
 *
 * It is a fold of the task's inputs and nothing else: `replay(inputs)` gives it back. Absent is a
 * missing key, never `undefined` or `null`, so that a state survives JSON unchanged.
 */
import { type A2AState, isTerminalState, type Lifecycle, type SubState } from './A2AState.ts';
import type { Child, Note, TaskLink } from './Child.ts';
import type { HistoryEntry, ToolCall } from './HistoryEntry.ts';
import type { MailboxMessage } from './MailboxMessage.ts';
import type { Participant } from './Participant.ts';
import type { QueuedCommand } from './QueuedCommand.ts';
import type { TaskSettings } from './TaskSettings.ts';

export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Millionths of the configured currency; absent while no price is configured for what was used. */
  readonly costMicros?: number;
}

/** Most that a task may use; an absent limit is none. The turn that would begin at a limit does not begin. */
export interface Budget {
  /** Model turns of the whole task. */
  readonly turns?: number;
  /** Input and output tokens of the whole task. */
  readonly tokens?: number;
  /** Millionths of the configured currency. */
  readonly costMicros?: number;
}

/** Which budget holds a task back: one of its own, or the instance's. */
export type BudgetName = keyof Budget | 'instance';

/** What a task has to meet. */
export interface Criterion {
  readonly text: string;
  readonly met: boolean;
}

/** A question that is open: to one participant, one at a time (spec/worker.md § 3.1). */
export interface Question {
  readonly participant: string;
  readonly text: string;
  /** A hint; any answer is accepted. */
  readonly options: readonly string[];
  /** Id of the channel message that carries it: `<task id>:help:<version>`. */
  readonly messageId: string;
  readonly askedAtMs: number;
  /** Number of the turn that asked. */
  readonly turn: number;
}

/** A skill whose body and tools the task has (spec/worker.md § 8.5). */
export interface LoadedSkill {
  readonly name: string;
  readonly body: string;
  /** Names of the tools that came with it. */
  readonly tools: readonly string[];
}

export interface TaskStatus {
  readonly state: A2AState;
  readonly subState?: SubState;
  /** A reply, a question, or the reason of an end. */
  readonly message?: string;
  /** Code of the failure that the message tells, such as `provider.failed`. */
  readonly errorCode?: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

export interface PlanStep {
  /** Slug of the name (spec/worker.md § 2.5). */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
  readonly state: 'PENDING' | 'ACTIVE' | 'DONE' | 'FAILED';
  readonly output?: string;
  /** A person has passed over it, or over what it waited for; the output is why. */
  readonly override?: 'FORCED' | 'SKIPPED';
  /** Ids of the sub-tasks that were spawned for it. */
  readonly linkedTasks?: readonly string[];
}

export interface Plan {
  readonly steps: readonly PlanStep[];
}

/** How a model's answer ended. */
export type Finish = 'stop' | 'toolCalls' | 'length' | 'refusal';

/** What the task is in the middle of. */
export type Run =
  /** Nothing: parked, terminal, or, while the state is WORKING, held back between two turns by a pause. */
  | { readonly phase: 'idle' }
  /** A model request is out. */
  | { readonly phase: 'model'; readonly effectKey: string; readonly compacted?: true }
  /** The history is being compacted; the model request of the turn follows. */
  | { readonly phase: 'compact'; readonly effectKey: string }
  /**
   * Tool calls of one turn, one at a time; `calls[0]` is the one that is out. With `childId` what is out
   * is not the tool but the start of that sub-task.
   */
  | {
      readonly phase: 'tools';
      readonly effectKey: string;
      readonly calls: readonly ToolCall[];
      readonly childId?: string;
    }
  /** Whether the reply ends the run is being decided outside; the reply waits here. */
  | {
      readonly phase: 'deciding';
      readonly effectKey: string;
      readonly text: string;
      readonly finish: Finish;
    }
  /** The run has ended without a reply; a note or a message starts the next one (spec/worker.md § 2.4, row 10). */
  | { readonly phase: 'waiting' };

/**
 * What a task is.
 *
 * Two lists only ever grow, and `step` asks nothing of them but whether a message id is known: a host
 * may keep `history` and `seenMessageIds` in rows of their own and give a state with none of them. What
 * comes back then holds the new ones only. Everything else is bounded.
 *
 * Optional fields are absent while they say nothing; a task of older rules never has the newer ones
 * until something new happens to it.
 */
export interface TaskState {
  /** Which rules of `step` the task lives by; set at creation (conventions § 4). */
  readonly rules: number;
  /** Inputs taken in, from 1. */
  readonly version: number;
  readonly ref: string;
  readonly id: string;
  readonly contextId: string;
  readonly lifecycle: Lifecycle;
  readonly status: TaskStatus;
  readonly name: string;
  readonly goal: string;
  readonly description?: string;
  readonly acceptanceCriteria?: readonly Criterion[];
  readonly participants: readonly Participant[];
  /** The instance's own participant id. */
  readonly agentId?: string;
  /** The participant whose message was accepted last; who tools act for. */
  readonly actor?: string;
  readonly settings: TaskSettings;
  readonly plan?: Plan;
  /** What people have declared that the task is about: directories, or names of repositories. */
  readonly repositories?: readonly string[];
  /** The task that spawned this one. */
  readonly parent?: TaskLink;
  /** How many parents are above it. */
  readonly depth?: number;
  /** The past state that this task began as a copy of. */
  readonly origin?: { readonly ref: string; readonly version: number };
  readonly children?: readonly Child[];
  /** Number of the newest child. */
  readonly lastChild?: number;
  readonly notes?: readonly Note[];
  readonly question?: Question;
  readonly loadedSkills?: readonly LoadedSkill[];
  /** What the entries up to `compactedThroughId` came to; the model reads it in their place. */
  readonly summary?: string;
  readonly compactedThroughId?: number;
  /** Append only, also under compaction. */
  readonly history: readonly HistoryEntry[];
  /** Id of the newest history entry; 0 before the first. */
  readonly lastEntryId: number;
  readonly mailbox: readonly MailboxMessage[];
  readonly commands: readonly QueuedCommand[];
  /**
   * Accepted message ids, oldest first, the newest 1,000 of those the host has left here; what a duplicate
   * is recognised by. A host that takes them out asks its own rows before it delivers.
   */
  readonly seenMessageIds: readonly string[];
  readonly run: Run;
  readonly paused: boolean;
  /** Model turns of the whole task, and of the current run (from waking to the next stop). */
  readonly turns: number;
  readonly turnsInRun: number;
  /** Most turns of one run; reaching it parks a conversation (decisions.md 6). */
  readonly maxTurns: number;
  readonly usage: Usage;
  /** The same by the name of the model, as the provider names it. */
  readonly usageByModel?: Readonly<Record<string, Usage>>;
  /** Of the newest model turn, for the estimate of the next one; absent after a compaction (spec/worker.md § 3.4). */
  readonly lastContext?: { readonly inputTokens: number; readonly characters: number };
  readonly budget?: Budget;
  /** The budget that holds the task back; what it was about to do goes on when that is raised. */
  readonly heldBy?: BudgetName;
  readonly lastReply?: string;
  /** Of the input that set the task to work; its effects are a part of the same. */
  readonly trace?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The task has ended and nothing changes it any more. */
export function isTerminal({ status }: { readonly status: Pick<TaskStatus, 'state'> }): boolean {
  return isTerminalState(status.state);
}
