/** Writes to an agent: each is one request, and is never sent again by us. */
import { FlotillaError, notSupported } from '../../../schema/errors.ts';
import type { TaskState } from '../../../schema/generated/resolvers.ts';
import type { Row } from './A2ABinding.ts';
import type { A2AContext } from './A2AContext.ts';
import { parseAgentRef } from './agentRef.ts';
import type { RemoteTask } from './readRemoteTask.ts';

/** What the type `MessageReceipt` is made of. */
export interface Receipt {
  /** Of the task. */
  readonly id: string;
  readonly messageId: string;
  readonly isDuplicate: boolean;
  /** Undefined when the agent has answered without a task. */
  readonly state: TaskState | undefined;
  readonly position: number;
}

/** A repeated id is not sent again: an agent may do the same work twice for it, or wait for ever (A2A § 3.3.1). */
export async function sendMessage(_root: unknown, args: Row, context: A2AContext): Promise<Receipt> {
  const { calls, tasks, tracker, messages, learn, newId, position } = context;
  if (args.interrupt === true) throw notSupported('sendMessage', 'an A2A agent cannot interrupt a turn');
  const id = idOf(args.ref, context);
  const participant = textOf(args.participant);
  const messageId = textOf(args.messageId) ?? newId();
  const key = JSON.stringify([id, participant, messageId]);
  const { answer, isDuplicate } = await messages.once(key, async () => {
    // What was there before is no event of the message.
    if (!tracker.isTracked(id)) await tasks.load(id);
    const task = await calls.sendMessage({ taskId: id, messageId, text: String(args.text), participant });
    tasks.clear(id);
    if (task) learn(task);
    return { state: task?.state, position };
  });
  return { ...(answer as Pick<Receipt, 'state' | 'position'>), id, messageId, isDuplicate };
}

/** @throws {FlotillaError} CONFLICT when the task has ended. */
export async function cancelTask(_root: unknown, args: Row, context: A2AContext): Promise<RemoteTask> {
  const { calls, learn } = context;
  const reason = textOf(args.reason);
  const participant = textOf(args.participant);
  const task = await calls.cancelTask(idOf(args.ref, context), { reason, participant });
  learn(task);
  return task;
}

/** The agent's id of a task. @throws {FlotillaError} NOT_FOUND for a ref that is none of the agent's; it is not asked. */
export function idOf(ref: unknown, { name }: Pick<A2AContext, 'name'>): string {
  const id = parseAgentRef(name, String(ref));
  if (id === undefined) throw noSuchTask(ref);
  return id;
}

export function noSuchTask(ref: unknown): FlotillaError {
  return new FlotillaError('NOT_FOUND', `no task has the key "${ref}"`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
