/** Inputs to a task on behalf of a caller: what the core refuses becomes the caller's error. */
import { badUserInput, conflict, FlotillaError, notFound } from '../../schema/errors.ts';
import { toTextInput } from '../commands/toTextInput.ts';
import type { Delivery, NewInput, TaskAddress, TaskEngine } from '../engine/TaskEngine.ts';
import type { TaskEvent } from '../task/index.ts';
import { checkText } from './texts.ts';

export interface Sender {
  readonly messageId: string;
  readonly participant: string;
}

/** @throws {FlotillaError} NOT_FOUND, CONFLICT or TOO_MANY_REQUESTS when the task is not there or does not take the input. */
export async function deliver(
  engine: Pick<TaskEngine, 'deliver'>,
  task: TaskAddress,
  input: NewInput,
): Promise<Delivery> {
  const delivery = await engine.deliver(task, input);
  const refusal = refusalOf(delivery);
  if (refusal) throw toRefusalError(task, input, refusal);
  return delivery;
}

/** @param interrupt of a message only: a command waits for no turn. */
export interface Text extends Sender {
  readonly text: string;
  readonly interrupt?: boolean;
}

/** Delivers a text as what it is: a slash command or a message (spec/worker.md § 4.1). */
export async function deliverText(
  engine: TaskEngine,
  ref: string,
  { text, messageId, participant, interrupt = false }: Text,
): Promise<Delivery> {
  const message = {
    messageId,
    participant,
    text: checkText('message', text),
    ...(interrupt && { interrupt }),
  };
  return deliver(engine, ref, toTextInput(message));
}

export type Refusal = Extract<TaskEvent, { type: 'task.inputRefused' }>;

export function refusalOf({ events }: Delivery): Refusal | undefined {
  return events.find((event) => event.type === 'task.inputRefused');
}

/** A stranger cannot tell a task that is not theirs from one that is not there (spec/worker.md § 5.2). */
export function toRefusalError(task: TaskAddress, input: NewInput, { code, reason }: Refusal): FlotillaError {
  const ref = typeof task === 'string' ? task : task.id;
  const message = `Cannot ${actionOf(input)} "${ref}": ${reason}`;
  switch (code) {
    case 'channel.not_a_member':
      return notFound('task', ref);
    case 'task.mailbox_full':
    case 'task.command_queue_full':
      return new FlotillaError('TOO_MANY_REQUESTS', message, { details: { reason: code } });
    case 'task.invalid_change':
      return badUserInput(message, { reason: code });
    default:
      return conflict(message, { reason: code });
  }
}

const ACTIONS: Readonly<Partial<Record<NewInput['kind'], string>>> = {
  completeRequested: 'complete task',
  cancelRequested: 'cancel task',
  pauseRequested: 'pause task',
  resumeRequested: 'resume task',
  envelopeReceived: 'update task',
  settingsChanged: 'set the settings of task',
  budgetChanged: 'set the budget of task',
};

function actionOf({ kind }: NewInput): string {
  return ACTIONS[kind] ?? 'deliver to task';
}
