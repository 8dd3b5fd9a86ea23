/**
 * The whole state of one task, as plain JSON (spec/worker.md § 2.1).
 *
 * It is a fold of the task's inputs and nothing else: `replay(inputs)` gives it back. Absent is a
 * missing key, never `undefined` or `null`, so that a state survives JSON unchanged.
 */

/** A2A's states; the last four are terminal (spec/worker.md § 2.2). */
export const A2A_STATES = [
  'SUBMITTED',
  'WORKING',
  'INPUT_REQUIRED',
  'AUTH_REQUIRED',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'REJECTED',
] as const;
export type A2AState = (typeof A2A_STATES)[number];

export type SubState = 'AWAITING_MESSAGE' | 'AWAITING_ANSWER';
export type Lifecycle = 'CONVERSATION' | 'DELEGATED' | 'PARTICIPANT' | 'REMOTE';
export type ParticipantKind = 'HUMAN' | 'AGENT';
export type ParticipantRole = 'ASSIGNEE' | 'REPORTER' | 'WATCHER' | 'ADMIN';

export const EFFORTS = ['NONE', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'] as const;
export type Effort = (typeof EFFORTS)[number];

export interface Participant {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly role: ParticipantRole;
  readonly displayName: string;
}

/** Absent means the instance's default in force when a request is made (spec/worker.md § 6.4). */
export interface TaskSettings {
  readonly model?: string;
  readonly effort?: Effort;
}

export interface Usage {
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
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

/** One entry of the conversation that the model sees; ids count from 1 and are never used again. */
export type HistoryEntry = { readonly id: number; readonly atMs: number } & HistoryContent;

export type HistoryContent =
  | {
      readonly kind: 'message';
      readonly role: 'USER' | 'ASSISTANT' | 'NOTE';
      readonly text: string;
      readonly participant?: string;
    }
  | {
      readonly kind: 'toolCall';
      readonly callId: string;
      readonly tool: string;
      readonly arguments: JsonObject;
    }
  | {
      readonly kind: 'toolResult';
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
      readonly isError: boolean;
    };

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface ToolCall {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface PlanStep {
  /** Slug of the name (spec/worker.md § 2.5). */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
  readonly state: 'PENDING' | 'ACTIVE' | 'DONE' | 'FAILED';
  readonly output?: string;
}

export interface Plan {
  readonly steps: readonly PlanStep[];
}

/** A delivered message that the agent has not read yet. */
export interface MailboxMessage {
  readonly messageId: string;
  readonly participant: string;
  readonly text: string;
}

/** A slash command that was delivered and has no reply yet; the first one is the one that runs. */
export interface QueuedCommand {
  /** Of the `runCommand` effect; only the first command has it. */
  readonly effectKey?: string;
  readonly messageId: string;
  readonly participant: string;
  readonly name: string;
  /** Everything behind the name, trimmed. */
  readonly args: string;
}

/** What the task is in the middle of. */
export type Run =
  /** Nothing: parked, terminal, or, while the state is WORKING, held back between two turns by a pause. */
  | { readonly phase: 'idle' }
  /** A model request is out. */
  | { readonly phase: 'model'; readonly effectKey: string }
  /** Tool calls of one turn, one at a time; `calls[0]` is the one that is out. */
  | { readonly phase: 'tools'; readonly effectKey: string; readonly calls: readonly ToolCall[] };

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
  readonly participants: readonly Participant[];
  readonly settings: TaskSettings;
  readonly plan?: Plan;
  /** `step` appends and never reads: a host may store the entries and give a state with none of them. */
  readonly history: readonly HistoryEntry[];
  /** Id of the newest history entry; 0 before the first. */
  readonly lastEntryId: number;
  readonly mailbox: readonly MailboxMessage[];
  readonly commands: readonly QueuedCommand[];
  /** The newest accepted message ids, oldest first; what a duplicate is recognised by. */
  readonly seenMessageIds: readonly string[];
  readonly run: Run;
  readonly paused: boolean;
  /** Model turns of the whole task, and of the current run (from waking to the next stop). */
  readonly turns: number;
  readonly turnsInRun: number;
  /** Most turns of one run; reaching it parks a conversation (decisions.md 6). */
  readonly maxTurns: number;
  readonly usage: Usage;
  readonly lastReply?: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export function isTerminal(state: { readonly status: TaskStatus }): boolean {
  switch (state.status.state) {
    case 'COMPLETED':
    case 'FAILED':
    case 'CANCELED':
    case 'REJECTED':
      return true;
    default:
      return false;
  }
}
