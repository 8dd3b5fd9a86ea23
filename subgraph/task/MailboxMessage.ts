/** What waits to be read (spec/worker.md § 3.3). */
import type { JsonObject } from './HistoryEntry.ts';

/** A delivered message that the agent has not read yet. */
export interface MailboxMessage {
  readonly messageId: string;
  readonly participant: string;
  readonly text: string;
  /** What the message asks of the task itself, besides its text. */
  readonly envelope?: Envelope;
  readonly channel?: ChannelFacts;
  readonly interrupt?: true;
  /** Intake has not judged it yet; nothing behind it is read before. */
  readonly needsIntake?: true;
  /** Of the `intake` effect that is out for it; only the first such message has it. */
  readonly effectKey?: string;
}

/** A data part that came with a message, as JSON of the wire (spec/worker.md § 5.6). */
export interface Envelope {
  readonly kind: 'task' | 'statusUpdate' | 'artifactUpdate';
  readonly payload: JsonObject;
}

/** What a channel says about a message that came by it (spec/worker.md § 5.4). */
export interface ChannelFacts {
  readonly channelId: string;
  readonly kind: 'message' | 'help_request' | 'help_reply';
  readonly inReplyTo?: string;
}
