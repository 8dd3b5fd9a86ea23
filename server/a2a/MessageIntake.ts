/** Messages on their way to a task: who may send what, and what the sender then waits for (spec/worker.md §§ 5, 7.3). */
import type { IdSource } from '../../lib/ids.ts';
import { notFound } from '../../schema/errors.ts';
import {
  type Delivery,
  type NewInput,
  type Offset,
  refusalOf,
  toRefusalError,
  toTaskRow,
  toTextInput,
  type Worker,
} from '../../subgraph/index.ts';
import { A2AError } from './A2AError.ts';
import type { StreamEnd } from './followTask.ts';
import type { MessageParams } from './params.ts';
import type { Call } from './readCall.ts';
import { type ReadMessage, readMessage } from './readMessage.ts';
import { isOn, type TaskAccess } from './TaskAccess.ts';
import type { TaskView } from './toA2ATask.ts';
import { toCreation } from './toCreation.ts';

/** A message that its task has, and what follows it. */
export interface Taken {
  readonly task: TaskView;
  readonly sender: string;
  /** Everything that came of the message is in the log behind it. */
  readonly after: Offset;
  /** Undefined when there is nothing to wait for: the message was there before, and the task rests. */
  readonly end: StreamEnd | undefined;
  /** The log tells the task itself. */
  readonly isNew: boolean;
}

/** Where a message goes. */
export interface Destination {
  readonly taskId: string;
  readonly sender: string;
  /** Of a new task: everything that came of the message is in the log behind it. */
  readonly since?: Offset;
}

/** Refusals that are told like any news of the task: to its sender, and to everybody who watches. */
const NOTICES: ReadonlySet<string> = new Set(['task.envelope_refused', 'task.not_the_assignee']);

export interface IntakeOptions {
  readonly worker: Pick<Worker, 'engine' | 'config' | 'allowedModels'>;
  readonly access: TaskAccess;
  readonly ids: IdSource;
}

export class MessageIntake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * The message is durable when this resolves.
   *
   * @param onTask is called for an existing task before it has the message, and for a new one right behind its creation.
   * @throws {A2AError | FlotillaError} when it is not taken: nothing of it is kept.
   */
  async take(
    message: MessageParams,
    call: Call,
    onTask: (to: Destination) => Promise<void> = async () => {},
  ): Promise<Taken> {
    if (message.taskId === undefined) return this.#create(message, call, onTask);
    const task = await this.#options.access.find(message.taskId, call);
    if (message.contextId !== undefined && message.contextId !== task.contextId) {
      throw new A2AError(
        'INVALID_PARAMS',
        'Cannot take message: contextId is not that of the task, it is expected',
      );
    }
    const read = readMessage(message, call.participant);
    await onTask({ taskId: task.id, sender: read.participant });
    return this.#deliver(task.id, read);
  }

  async #create(
    message: MessageParams,
    { participant }: Call,
    onTask: (to: Destination) => Promise<void>,
  ): Promise<Taken> {
    const { worker, ids } = this.#options;
    const read = readMessage(message, participant);
    if (read.completion) {
      throw new A2AError('INVALID_PARAMS', 'Cannot complete task: none is named, taskId is expected');
    }
    const { agentId, maxTurns } = worker.config.current().tasks;
    const { allowedModels } = worker;
    const contextId = message.contextId ?? ids.newId();
    const delivery = await worker.engine.start(
      toCreation(read, { contextId, agentId, maxTurns, allowedModels }),
    );
    const { id } = delivery.state;
    // Who has left a task since does not get it back by its first message.
    if (!isOn(delivery.state, read.participant)) throw notFound('task', id);
    await onTask({ taskId: id, sender: read.participant, since: delivery.cursor });
    return { ...toTaken(delivery, read), isNew: !delivery.duplicate };
  }

  async #deliver(id: string, message: ReadMessage): Promise<Taken> {
    const input = toInput(message);
    const delivery = await this.#options.worker.engine.deliver({ id }, input);
    const refusal = refusalOf(delivery);
    if (refusal && !NOTICES.has(refusal.code)) throw toRefusalError({ id }, input, refusal);
    return toTaken(delivery, message);
  }
}

function toInput(message: ReadMessage): NewInput {
  const { messageId, participant, text, interrupt, envelope, channel, completion } = message;
  if (completion) {
    return { kind: 'completeRequested', participant, ...(completion.text && { text: completion.text }) };
  }
  return toTextInput({
    messageId,
    participant,
    text,
    ...(interrupt && { interrupt }),
    ...(envelope && { envelope }),
    ...(channel && { channel }),
  });
}

function toTaken({ state, cursor, duplicate }: Delivery, message: ReadMessage): Taken {
  const { messageId, participant: sender } = message;
  const task = toTaskRow(state);
  const isCommand = !message.completion && toInput(message).kind === 'commandReceived';
  const isWaiting = state.commands.some((command) => command.messageId === messageId);
  const isRunning = state.status.state === 'WORKING' || state.status.state === 'SUBMITTED';
  const isSettled = duplicate && (isCommand ? !isWaiting : !isRunning);
  const end: StreamEnd = isCommand
    ? { kind: 'command', messageId }
    : { kind: 'message', messageId, isAccepted: duplicate || message.completion !== undefined };
  return { task, sender, after: cursor, end: isSettled ? undefined : end, isNew: false };
}
