/** What a slash command may ask of its task (spec/worker.md § 4.5). */
import type { JsonObject } from './HistoryEntry.ts';
import type { Effort } from './TaskSettings.ts';

/**
 * What a command asks the task to do (spec/worker.md § 4.5): at most one `settings`, eight `spawn`, one `reply`.
 *
 * `null` clears a setting. The text of a reply may hold `{child.1}` … for the ids of what was spawned.
 */
export type CommandIntent =
  | { readonly kind: 'settings'; readonly model?: string | null; readonly effort?: Effort | null }
  /** A conversation that is a sub-task; without a message it waits for one. */
  | {
      readonly kind: 'spawn';
      readonly message?: string;
      readonly name?: string;
      readonly goal?: string;
      readonly acceptance_criteria?: readonly string[];
    }
  | { readonly kind: 'reply'; readonly text: string; readonly data?: JsonObject };

type IntentOf<Kind> = Extract<CommandIntent, { kind: Kind }>;

/** The intents of one command by kind, in the order in which they are applied. */
export interface CommandIntents {
  readonly settings?: IntentOf<'settings'>;
  readonly spawns: readonly IntentOf<'spawn'>[];
  readonly reply?: IntentOf<'reply'>;
}
