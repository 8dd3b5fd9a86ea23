/** The port to pull channels: messages that somebody has to fetch (spec/worker.md §§ 5.4, 9.1). */
import type { ChannelFacts } from '../../task/index.ts';

/** A message that waits on a channel of a task. */
export interface PulledMessage {
  /** Id of the task. */
  readonly taskId: string;
  /** Unique in the task: a message that is forwarded twice is taken once. */
  readonly messageId: string;
  readonly participant: string;
  readonly text: string;
  readonly channel: ChannelFacts;
}

/** What became of a message: the task has it, or there is no task that could. */
export type ForwardOutcome = 'forwarded' | 'undeliverable';

/**
 * Guarantees: messages come oldest first, and again until they are settled; a settled one never comes again, also after
 * a restart.
 */
export interface ChannelSource {
  /** At most `limit` messages that wait. */
  waiting(limit: number, options: { readonly signal: AbortSignal }): Promise<readonly PulledMessage[]>;
  settle(message: PulledMessage, outcome: ForwardOutcome): Promise<void>;
}
