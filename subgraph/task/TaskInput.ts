/** Everything that can happen to a task. An input carries every id and time that the step needs; a host adds nothing later. */
import type {
  Effort,
  JsonObject,
  Lifecycle,
  Participant,
  TaskSettings,
  ToolCall,
  Usage,
} from './TaskState.ts';

export type TaskInput =
  | TaskCreated
  | MessageReceived
  | CommandReceived
  | ModelReplied
  | ModelFailed
  | ToolReturned
  | ToolFailed
  | CommandReturned
  | CompleteRequested
  | CancelRequested
  | PauseRequested
  | ResumeRequested;

interface InputBase {
  /** Epoch milliseconds at which the host took the input. */
  readonly atMs: number;
}

/** Always the first input of a task and never a later one. */
export interface TaskCreated extends InputBase {
  readonly kind: 'taskCreated';
  readonly ref: string;
  readonly id: string;
  readonly contextId: string;
  readonly lifecycle: Lifecycle;
  /** The first message; without one the task waits for it. A first message may be a command. */
  readonly message?: { readonly messageId: string; readonly participant: string; readonly text: string };
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
}

export interface MessageReceived extends InputBase {
  readonly kind: 'messageReceived';
  readonly messageId: string;
  readonly participant: string;
  readonly text: string;
}

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
  readonly finish: 'stop' | 'toolCalls' | 'length' | 'refusal';
}

/** A `callModel` effect has failed for good. */
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
}

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
  | { readonly kind: 'error'; readonly code: string; readonly message: string };

/** What a command asks the task to do (spec/worker.md § 4.5). `null` clears a setting. */
export type CommandIntent =
  | { readonly kind: 'settings'; readonly model?: string | null; readonly effort?: Effort | null }
  | { readonly kind: 'reply'; readonly text: string; readonly data?: JsonObject };

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
