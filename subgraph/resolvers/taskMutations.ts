/** What people change of a task beside talking to it: its record, its settings, its budget, its course. */
import { badUserInput, conflict, notFound } from '../../schema/errors.ts';
import type { MessageReceipt, MutationResolvers } from '../../schema/generated/resolvers.ts';
import { parseCommand } from '../commands/parseCommand.ts';
import type { Delivery, NewInput, TaskRow } from '../engine/TaskEngine.ts';
import { toTaskRow } from '../engine/toTaskRow.ts';
import type { TaskState } from '../task/index.ts';
import { deliver } from './deliveries.ts';
import { readRow, type TaskSource, toTask } from './task.ts';
import { toBudgetChange, toEnvelope, toSettingsChange } from './taskChanges.ts';
import { checkMessageId, checkText } from './texts.ts';
import { checkNewRef, toSender } from './toNewTask.ts';
import { assertSelf, nameOf, type WorkerParts } from './WorkerParts.ts';

type TaskMutation =
  | 'answerQuestion'
  | 'leaveMessage'
  | 'completeTask'
  | 'cancelTask'
  | 'pauseTask'
  | 'resumeTask'
  | 'updateTask'
  | 'updateTaskSettings'
  | 'setTaskBudget'
  | 'purgeTask'
  | 'forkTask';

/** What all requests to one task have in common. */
interface Keyed {
  readonly ref: string;
  readonly participant?: string | null;
  readonly instance?: string | null;
}

export function taskMutations(parts: WorkerParts): Pick<MutationResolvers<unknown>, TaskMutation> {
  const { engine, channel, ids, allowedModels } = parts;

  /** Delivers what `toInput` makes for the one who asks, and answers with the task as that left it. */
  async function change(
    { ref, participant, instance }: Keyed,
    toInput: (participant: string) => NewInput,
  ): Promise<TaskSource> {
    assertSelf(parts, instance);
    const { state } = await deliver(engine, ref, toInput(toSender(participant)));
    return toTask(toTaskRow(state), nameOf(parts));
  }

  return {
    completeTask: (_root, { text, ...keyed }) =>
      change(keyed, (participant) => ({ kind: 'completeRequested', participant, ...(text && { text }) })),

    cancelTask: (_root, { reason, ...keyed }) =>
      change(keyed, (participant) => ({ kind: 'cancelRequested', participant, ...(reason && { reason }) })),

    pauseTask: (_root, keyed) => change(keyed, (participant) => ({ kind: 'pauseRequested', participant })),

    resumeTask: (_root, keyed) => change(keyed, (participant) => ({ kind: 'resumeRequested', participant })),

    updateTask: (_root, { input, ...keyed }) =>
      change(keyed, (participant) => ({
        kind: 'envelopeReceived',
        participant,
        envelope: toEnvelope(input),
      })),

    updateTaskSettings: (_root, { settings, ...keyed }) =>
      change(keyed, (participant) => ({
        kind: 'settingsChanged',
        participant,
        ...toSettingsChange(settings, allowedModels),
      })),

    setTaskBudget: (_root, { budget, ...keyed }) =>
      change(keyed, (participant) => ({ kind: 'budgetChanged', participant, ...toBudgetChange(budget) })),

    async purgeTask(_root, { ref, instance }) {
      assertSelf(parts, instance);
      if (!(await engine.purge(ref))) throw notFound('task', ref);
      return true;
    },

    async answerQuestion(_root, { ref, text, messageId, participant, instance }) {
      assertSelf(parts, instance);
      const answer = checkText('message', text);
      const { question, recentMessageIds = [] } = await readRow(parts, ref);
      const isRepeated = typeof messageId === 'string' && recentMessageIds.includes(messageId);
      if (!question && !isRepeated) {
        throw conflict(`Cannot answer "${ref}": no question is open, one is expected`, {
          reason: 'task.no_question',
        });
      }
      const sender = toSender(participant || question?.participant);
      if (question && !isRepeated && sender !== question.participant) {
        throw conflict(
          `Cannot answer "${ref}": "${sender}" is not asked, an answer of "${question.participant}" is expected`,
          { reason: 'task.not_asked' },
        );
      }
      const id = checkMessageId(messageId || ids.newId());
      const input: NewInput = { kind: 'messageReceived', messageId: id, participant: sender, text: answer };
      const delivery = await deliver(engine, ref, input);
      const { takenIn: state } = delivery;
      return toReceipt(delivery, { instance: nameOf(parts), ref, messageId: id, state });
    },

    async leaveMessage(_root, { ref, text, messageId, participant, instance }) {
      assertSelf(parts, instance);
      const { id } = await readRow(parts, ref);
      return channel.put({
        taskId: id,
        messageId: checkMessageId(messageId || ids.newId()),
        participant: toSender(participant),
        text: checkText('message', text),
        channel: { channelId: id, kind: 'message' },
      });
    },

    async forkTask(_root, { ref, atVersion, message, newRef, name, messageId, participant, instance }) {
      assertSelf(parts, instance);
      const sender = toSender(participant);
      const creationId = messageId && checkMessageId(messageId);
      assertMember(await readRow(parts, ref), sender);
      // The copy has the people of then.
      assertMember(await engine.readAt(ref, atVersion), sender);
      const { state, duplicate } = await engine.fork(ref, atVersion, {
        ...(newRef && { ref: checkNewRef(newRef) }),
        ...(name && { name: checkText('name', name) }),
        ...(creationId && { creationId }),
        ...(message && {
          message: {
            messageId: creationId || ids.newId(),
            participant: sender,
            text: readMessage(message),
          },
        }),
      });
      if (duplicate) assertForkOf(state, ref, atVersion);
      return toTask(toTaskRow(state), nameOf(parts));
    },
  };
}

/** What is said of a message that was taken: of an answer the state that waited for it, of any other the state behind it. */
export function toReceipt(
  { duplicate, cursor }: Pick<Delivery, 'duplicate' | 'cursor'>,
  message: Pick<MessageReceipt, 'instance' | 'ref' | 'messageId' | 'state'>,
): MessageReceipt {
  return { ...message, accepted: true, duplicate, cursor: String(cursor) };
}

/** A stranger cannot tell a task that is not theirs from one that is not there (spec/worker.md § 5.2). */
export function assertMember({ ref, participants }: TaskRow, participant: string): void {
  if (!participants.some(({ id }) => id === participant)) throw notFound('task', ref);
}

/** An id that has created something else creates nothing, and tells that it did not. */
function assertForkOf({ ref, id, origin }: TaskState, from: string, version: number): void {
  if (origin?.ref === from && origin.version === version) return;
  throw conflict(
    `Cannot fork task: its message id has created the task "${ref}", a new id is expected for version ${version} of "${from}"`,
    { reason: 'task.message_id_taken', ref, id },
  );
}

function readMessage(text: string): string {
  const parsed = parseCommand(checkText('message', text));
  if (parsed.kind === 'message') return parsed.text;
  throw badUserInput('Cannot fork task: "message" is a slash command, a text for the agent is expected');
}
