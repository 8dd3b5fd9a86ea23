/** Writes to an agent: each is one request, and is never sent again by us. */
import { conflict, FlotillaError, notSupported } from '../../../schema/errors.ts';
import type { TaskState } from '../../../schema/generated/resolvers.ts';
import { CallFailed } from '../CallFailed.ts';
import { isNotConnected } from '../memberFailure.ts';
import type { Row } from './A2ABinding.ts';
import type { SentMessage as AnyMessage } from './A2ACalls.ts';
import type { A2AContext, SentOutcome } from './A2AContext.ts';
import { parseAgentRef } from './agentRef.ts';
import type { RemoteTask } from './readRemoteTask.ts';

/** HTTP statuses of requests that nobody has looked into: credentials are missing, or a rate limit is reached. */
const TURNED_AWAY: ReadonlySet<number> = new Set([401, 403, 429]);

type SentMessage = AnyMessage & { readonly taskId: string };

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

/**
 * An id that may have reached the agent is not sent again: an agent may do the same work twice for it, or wait for ever
 * (A2A § 3.3.1).
 *
 * @throws {FlotillaError} what the agent told, also to who repeats the id; CONFLICT for a repeated id of which it is not known whether
 * the agent has it.
 */
export async function sendMessage(_root: unknown, args: Row, context: A2AContext): Promise<Receipt> {
  const { messages, newId } = context;
  if (args.interrupt === true) throw notSupported('sendMessage', 'an A2A agent cannot interrupt a turn');
  const taskId = idOf(args.ref, context);
  const participant = textOf(args.participant);
  const messageId = textOf(args.messageId) ?? newId();
  const message = { taskId, messageId, text: String(args.text), participant };
  const key = JSON.stringify([taskId, participant, messageId]);
  const { answer, isDuplicate } = await messages.once(key, () => send(message, context));
  if (!answer.failure) return { ...answer, id: taskId, messageId, isDuplicate };
  if (!isDuplicate || isRefusal(answer.failure)) throw answer.failure;
  return { ...(await findSent(message, context)), id: taskId, messageId, isDuplicate };
}

/** @throws what went wrong before the agent can have got the message. */
async function send(message: SentMessage, context: A2AContext): Promise<SentOutcome> {
  const { calls, tasks, tracker, learn, position } = context;
  // What was there before is no event of the message.
  if (!tracker.isTracked(message.taskId)) await tasks.load(message.taskId);
  try {
    const { task } = await calls.sendMessage(message);
    tasks.clear(message.taskId);
    if (task) learn(task);
    return { state: task?.state, position };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

/** Why there was no receipt. @throws the error of a message that the agent cannot have taken: it was not there, or let nobody in. */
export function toFailure(error: unknown): CallFailed | FlotillaError {
  if (error instanceof FlotillaError) return error;
  if (error instanceof CallFailed && !isTurnedAway(error)) return error;
  throw error;
}

function isTurnedAway({ failure }: CallFailed): boolean {
  const { status } = failure;
  return isNotConnected(failure) || (status !== undefined && TURNED_AWAY.has(status));
}

/** Whether the agent has said why it did not take the message; an error of its own says nothing of that. */
export function isRefusal(failure: CallFailed | FlotillaError): failure is FlotillaError {
  return failure instanceof FlotillaError && failure.code !== 'MEMBER_ERROR';
}

/** A message whose answer was lost, where the agent tells what was said in its task. */
async function findSent(
  { taskId, messageId }: SentMessage,
  { conversations, position }: A2AContext,
): Promise<Pick<Receipt, 'state' | 'position'>> {
  const { task, messages = [] } = (await conversations.load(taskId)) ?? {};
  if (task && messages.some((message) => message.messageId === messageId))
    return { state: task.state, position };
  throw conflict(
    `Cannot send message "${messageId}" again: its answer was lost and the agent may have it, read the task, and send the text with a new messageId if it was not taken`,
  );
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

/** Undefined for what was not given. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
