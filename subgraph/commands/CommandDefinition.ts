/** One slash command and what its executor is given (spec/worker.md § 4). */
import type {
  A2AState,
  CommandOutcome,
  Effort,
  Lifecycle,
  ParticipantKind,
  ParticipantRole,
  Plan,
  SubState,
  TaskSettings,
} from '../task/index.ts';

export interface CommandDefinition {
  /** `[a-z][a-z0-9-]{0,31}` */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Such as `/model [name | default]`. */
  readonly usage: string;
  /** Least role of the participant who may run it: watcher, then assignee and reporter alike, then admin. @default any */
  readonly minRole?: ParticipantRole;
  /** Longest wait for the executor, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  readonly executor: CommandExecutor;
}

/** The body of a command. */
export interface CommandExecutor {
  /** `builtin` and `plugin` run in this process; `remote` is asked over JSON-RPC or MCP, exactly once. */
  readonly kind: 'builtin' | 'plugin' | 'remote';
  /**
   * Decides what the task is asked to do. What comes back is anybody's: the core checks every intent. A throw is a failed
   * command, code `command.failed`, of a `RemoteCallError` `command.transport`.
   */
  execute(
    invocation: CommandInvocation,
    options: { readonly signal: AbortSignal },
  ): Promise<CommandResult> | CommandResult;
}

/** What an executor answers. Efforts are `low` or `LOW`. */
export type CommandResult =
  | CommandOutcome
  | { readonly intents: readonly unknown[] }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Everything an executor is told, as plain JSON and redacted (spec/worker.md § 4.3). Over the wire its names are in snake_case. */
export interface CommandInvocation {
  readonly taskId: string;
  readonly ref: string;
  readonly taskName: string;
  readonly contextId: string;
  readonly messageId: string;
  /** Who runs the command. */
  readonly participant: {
    readonly id: string;
    readonly kind: ParticipantKind;
    readonly role: ParticipantRole;
  };
  readonly name: string;
  /** Everything behind the name, trimmed; at most 8,192 characters. */
  readonly args: string;
  /** `args` split at white space; double quotes group. */
  readonly argv: readonly string[];
  readonly state: A2AState;
  readonly subState?: SubState;
  readonly paused: boolean;
  readonly lifecycle: Lifecycle;
  /** Of the task; absent fields mean the default. */
  readonly settings: TaskSettings;
  readonly defaults: { readonly model: string; readonly effort?: Effort };
  /** What `/model` may choose; empty means anything. */
  readonly models: readonly string[];
  readonly subTasks: readonly SubTaskFacts[];
  /** The open question. */
  readonly question?: string;
  readonly plan?: Plan;
  readonly queuedMessages: number;
  /** Model turns of the task so far. */
  readonly turn: number;
  readonly correlationId: string;
}

/** One sub-task, as a command sees it. */
export interface SubTaskFacts {
  readonly taskId: string;
  readonly state: A2AState;
  readonly kind: Lifecycle;
}
