/** What the resolvers of one request to an agent work with. */
import DataLoader from 'dataloader';
import type { Redactor } from '../../../lib/redact.ts';
import type { SentMessages } from '../rest/SentMessages.ts';
import type { A2ACalls } from './A2ACalls.ts';
import type { FirstSeen } from './FirstSeen.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import type { TaskTracker } from './TaskTracker.ts';

export interface A2AContext {
  /** The registered name. */
  readonly name: string;
  readonly calls: A2ACalls;
  /** By id; undefined for those that there are not. Without the conversation. */
  readonly tasks: TaskLoader;
  /** The same with the conversation, as far as the agent tells it. */
  readonly conversations: TaskLoader;
  readonly redact: Redactor;
  /** Outlives the request. */
  readonly firstSeen: FirstSeen;
  /** Outlives the request. */
  readonly messages: SentMessages;
  /** A new id of a message. */
  readonly newId: () => string;
  /** Is told of tasks as they are read. Outlives the request. */
  readonly tracker: Pick<TaskTracker, 'remember' | 'isTracked'>;
  /** Takes in what a write has made of a task. */
  readonly learn: (task: RemoteTask) => void;
  /** Where the log of the agent's tasks was when the request began. */
  readonly position: number;
}

export type TaskLoader = DataLoader<string, RemoteTask | undefined>;

/** For one request; what it reads twice it asks for once. */
export function createA2AContext(options: Omit<A2AContext, 'tasks' | 'conversations'>): A2AContext {
  const { calls, tracker } = options;
  async function read(id: string, length: { readonly historyLength?: number }) {
    const task = await calls.getTask(id, length);
    if (task) tracker.remember(task);
    return task;
  }
  // The protocol has no call for several tasks.
  const loader = (length: { readonly historyLength?: number }): TaskLoader =>
    new DataLoader((ids) => Promise.all(ids.map((id) => read(id, length).catch(toError))));
  return { ...options, tasks: loader({ historyLength: 0 }), conversations: loader({}) };
}

/** Of one task, so that it costs the others nothing. */
function toError(error: unknown): Error {
  if (error instanceof Error) return error;
  throw error;
}
