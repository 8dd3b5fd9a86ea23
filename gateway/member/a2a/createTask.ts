/** The creation of a task at an agent: its first message, which names no task (A2A § 3.1.1). */
import { conflict, type FlotillaError, notSupported } from '../../../schema/errors.ts';
import { cutText } from '../cutText.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './A2ABinding.ts';
import type { SentMessage } from './A2ACalls.ts';
import type { A2AContext, CreationOutcome } from './A2AContext.ts';
import { formatAgentRef } from './agentRef.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import { isRefusal, noSuchTask, textOf, toFailure } from './writes.ts';

/** What a message carries; whatever else a creation may say the agent decides, or does not have. */
const CARRIED: ReadonlySet<string> = new Set(['message', 'messageId', 'participant']);

/** Longest answer that an error quotes, in characters. */
const MAX_QUOTE = 500;

/**
 * An id that may have reached the agent is not sent again. A repeated one is answered with the task as it is now.
 *
 * @throws {FlotillaError} NOT_SUPPORTED, before anything is sent, for a field that no message carries and without a message, and when the
 * agent has answered without a task; what the agent told, also to who repeats the id; CONFLICT for a repeated id of which it is not
 * known whether there is a task.
 */
export async function createTask(_root: unknown, args: Row, context: A2AContext): Promise<RemoteTask> {
  const { creations, newId } = context;
  const message = toFirstMessage(asRecord(args.input) ?? {}, newId);
  const key = JSON.stringify([message.participant, message.messageId]);
  let created: RemoteTask | undefined;
  const { answer, isDuplicate } = await creations.once(key, async () => {
    const outcome = await create(message, context);
    if (outcome.kind !== 'created') return outcome;
    created = outcome.task;
    return { kind: 'created', id: outcome.task.id };
  });
  switch (answer.kind) {
    case 'created':
      return created ?? readAgain(answer.id, message, context);
    case 'refused':
      throw answer.error;
    case 'lost':
      throw isDuplicate ? unknownOutcome(message) : answer.error;
  }
}

function toFirstMessage(input: Row, newId: () => string): SentMessage {
  const more = Object.entries(input).find(([name, value]) => !CARRIED.has(name) && !isDefault(name, value));
  if (more) throw notSupported('createTask', `an A2A agent takes no "${more[0]}" with a new task`);
  const text = textOf(input.message);
  if (text === undefined) {
    throw notSupported('createTask', 'a task of an A2A agent begins with a message, and "message" is empty');
  }
  return { messageId: textOf(input.messageId) ?? newId(), text, participant: textOf(input.participant) };
}

/** Whether a field says nothing, or what is so anyway: its agent talks with whoever has begun a task. */
function isDefault(name: string, value: unknown): boolean {
  return isNothing(value) || (name === 'lifecycle' && value === 'CONVERSATION');
}

function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isNothing);
  return value === null || value === undefined || value === '';
}

type Outcome =
  | { readonly kind: 'created'; readonly task: RemoteTask }
  | Exclude<CreationOutcome, { readonly kind: 'created' }>;

/** @throws what went wrong before the agent can have got the message. */
async function create(message: SentMessage, { calls, learnNew }: A2AContext): Promise<Outcome> {
  try {
    const sent = await calls.sendMessage(message);
    if (!sent.task) return { kind: 'refused', error: answeredAtOnce(sent.text) };
    learnNew(sent.task);
    return { kind: 'created', task: sent.task };
  } catch (error) {
    const failure = toFailure(error);
    return isRefusal(failure) ? { kind: 'refused', error: failure } : { kind: 'lost', error: failure };
  }
}

/** As whoever has begun it: nobody else may be on the task. */
async function readAgain(
  id: string,
  { participant }: SentMessage,
  { calls, name }: A2AContext,
): Promise<RemoteTask> {
  const task = await calls.getTask(id, participant);
  if (!task) throw noSuchTask(formatAgentRef(name, id));
  return task;
}

function answeredAtOnce(text: string): FlotillaError {
  const shown = text.length > MAX_QUOTE ? `${cutText(text, MAX_QUOTE)}…` : text;
  return notSupported('createTask', `the agent keeps no task of the message and has answered: "${shown}"`);
}

function unknownOutcome({ messageId }: SentMessage): FlotillaError {
  return conflict(
    `Cannot create task with message "${messageId}" again: its answer was lost and the agent may have the task, read the list of its tasks, and create with a new messageId if it is not there`,
  );
}
