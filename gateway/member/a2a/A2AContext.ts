/** What the resolvers of one request to an agent work with. */
import DataLoader from 'dataloader';
import type { Redactor } from '../../../lib/redact.ts';
import type { FlotillaError } from '../../../schema/errors.ts';
import type { TaskState } from '../../../schema/generated/resolvers.ts';
import type { CallFailed } from '../CallFailed.ts';
import type { MemberErrorEntry } from '../Member.ts';
import type { SentMessages } from '../SentMessages.ts';
import type { A2ACalls, Conversation } from './A2ACalls.ts';
import type { FirstSeen } from './FirstSeen.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import type { TaskLog } from './TaskLog.ts';
import type { TaskTracker } from './TaskTracker.ts';

export interface A2AContext {
  /** The registered name. */
  readonly name: string;
  readonly calls: A2ACalls;
  /** By id; undefined for those that there are not. Without the conversation. */
  readonly tasks: Loader<RemoteTask>;
  /** The same with the conversation, as far as the agent tells it. */
  readonly conversations: Loader<Conversation>;
  readonly redact: Redactor;
  /** Outlives the request. */
  readonly firstSeen: FirstSeen;
  /** Outlives the request. */
  readonly messages: SentMessages<SentOutcome>;
  /** First messages of tasks. Outlives the request. */
  readonly creations: SentMessages<CreationOutcome>;
  /** A new id of a message. */
  readonly newId: () => string;
  /** Is told of tasks as they are read. Outlives the request. */
  readonly tracker: Pick<TaskTracker, 'remember' | 'isTracked'>;
  /** Takes in what a write has made of a task. */
  readonly learn: (task: RemoteTask) => void;
  /** Takes in a task that a write has begun. */
  readonly learnNew: (task: RemoteTask) => void;
  /** Takes an error that the answer has beside its data. */
  readonly tell: (error: MemberErrorEntry) => void;
  /** Where the log of the agent's tasks was when the request began. */
  readonly position: number;
  /** The log, with what has happened until now in it. */
  readonly readLog: () => Promise<Pick<TaskLog, 'all'>>;
}

/** What is known of a message that was sent. */
export type SentOutcome =
  | { readonly failure?: undefined; readonly state: TaskState | undefined; readonly position: number }
  /** Why there was no receipt: the agent refused it, or its answer was lost. */
  | { readonly failure: CallFailed | FlotillaError };

/** What is known of a message that was to begin a task. */
export type CreationOutcome =
  | { readonly kind: 'created'; readonly id: string }
  /** The agent has said why there is no task. */
  | { readonly kind: 'refused'; readonly error: FlotillaError }
  /** Whether there is a task is not known. */
  | { readonly kind: 'lost'; readonly error: CallFailed | FlotillaError };

export type Loader<Value> = DataLoader<string, Value | undefined>;

/** For one request; what it reads twice it asks for once. */
export function createA2AContext(options: Omit<A2AContext, 'tasks' | 'conversations'>): A2AContext {
  const { calls, tracker } = options;
  return {
    ...options,
    tasks: createLoader(async (id) => {
      const task = await calls.getTask(id);
      if (task) tracker.remember(task);
      return task;
    }),
    conversations: createLoader(async (id) => {
      const conversation = await calls.getConversation(id);
      if (conversation) tracker.remember(conversation.task);
      return conversation;
    }),
  };
}

/** The protocol has no call for several tasks. */
function createLoader<Value>(read: (id: string) => Promise<Value | undefined>): Loader<Value> {
  return new DataLoader((ids) => Promise.all(ids.map((id) => read(id).catch(toError))));
}

/** Of one task, so that it costs the others nothing. */
function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}
