/** One slash command (spec/worker.md § 4). */
import type { CommandOutcome, QueuedCommand, TaskState } from '../task/index.ts';

export interface CommandDefinition {
  /** `[a-z][a-z0-9-]{0,31}` */
  readonly name: string;
  /** One sentence. */
  readonly description: string;
  /** Such as `/model [name | default]`. */
  readonly usage: string;
  /** Decides what the task is asked to do. A throw is a failed command, code `command.failed`. */
  execute(invocation: CommandInvocation): Promise<CommandOutcome> | CommandOutcome;
}

export interface CommandInvocation {
  readonly command: QueuedCommand;
  /** `args` split at white space; double quotes group. */
  readonly argv: readonly string[];
  readonly state: TaskState;
  readonly defaults: { readonly model: string; readonly effort?: string };
  /** What `/model` may choose; empty means anything. */
  readonly allowedModels: readonly string[];
  /** Every registered command, for `/help`. */
  readonly commands: readonly CommandDefinition[];
}
