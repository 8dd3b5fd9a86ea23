/** What waits to be run (spec/worker.md § 4.3). */
import type { CommandIntents } from './CommandIntent.ts';

/** A slash command that was delivered and has no reply yet; the first one is the one that runs. */
export interface QueuedCommand {
  /** Of the `runCommand` effect, later of the `startChild` effect that is out; only the first command has it. */
  readonly effectKey?: string;
  readonly messageId: string;
  readonly participant: string;
  readonly name: string;
  /** Everything behind the name, trimmed. */
  readonly args: string;
  /** Of the input that brought it. */
  readonly trace?: string;
  /** The command has returned and its sub-tasks are being started, one at a time. */
  readonly spawning?: Spawning;
}

/** A command that has returned and whose sub-tasks are being started: all of it happens, or nothing. */
export interface Spawning {
  readonly intents: CommandIntents;
  /** Ids of the sub-tasks, in order; the last one is the one that is being started. */
  readonly childIds: readonly string[];
}
