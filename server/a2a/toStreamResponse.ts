/** What one record of the log is on a stream of its task, and what a task was at a record (spec/worker.md § 2.3). Pure. */
import { toIsoTime } from '../../lib/Clock.ts';
import { type EventRecord, isTerminalState, type TaskEvent } from '../../subgraph/index.ts';
import { METADATA, mediaTypeOf } from './extensions.ts';
import { type TaskView, toA2ATask, toAgentMessage, toStatusMetadata, toWireStatus } from './toA2ATask.ts';
import type { Row, StreamResponse, WireStatusUpdate } from './wire.ts';

/** Types of the records that matter for a stream; whoever reads the log needs no others. */
export const STREAMED_TYPES = [
  'task.created',
  'task.status',
  'task.updated',
  'task.messageAccepted',
  'task.question',
  'task.answered',
  'task.childStarted',
  'task.childChanged',
  'task.commandReplied',
  'task.inputRefused',
] as const satisfies readonly TaskEvent['type'][];

/** A record of a task's event as the core told it. */
export function toTaskEvent({ type, data }: Pick<EventRecord, 'type' | 'data'>): TaskEvent {
  return { type, ...data } as TaskEvent;
}

/**
 * The payload of one record: a status update for a change of state, a reply to a command or a refused message, the whole task for
 * its creation and for changes of its own data. Undefined for what a stream does not tell.
 *
 * @param task as it was at the record (`taskAt`): its status, and the question that was open. All else may be newer.
 */
export function toStreamResponse(record: EventRecord, task: TaskView): StreamResponse | undefined {
  const event = toTaskEvent(record);
  switch (event.type) {
    case 'task.created':
    case 'task.updated':
    case 'task.childStarted':
    case 'task.childChanged':
      return { task: toA2ATask(task) };
    case 'task.status': {
      const status = toWireStatus(task, { messageId: statusId(record, task), atMs: record.atMs });
      return { statusUpdate: toUpdate(task, status, toStatusMetadata(task)) };
    }
    case 'task.commandReplied':
      return { statusUpdate: toReplyUpdate(record, event, task) };
    case 'task.inputRefused':
      // Nothing follows the end: who comes too late is told so by the answer.
      return event.messageId === undefined || isTerminalState(task.status.state)
        ? undefined
        : { statusUpdate: toRefusalUpdate(record, event, task) };
    default:
      return undefined;
  }
}

/** The task behind this record, as far as the record tells it: its status, and whether a question is open. */
export function taskAt(record: EventRecord, task: TaskView): TaskView {
  const event = toTaskEvent(record);
  switch (event.type) {
    case 'task.created':
      return { ...task, status: { state: event.state, atMs: record.atMs }, question: undefined };
    case 'task.status': {
      const { state, subState, message, errorCode } = event;
      const status = {
        state,
        ...(subState !== undefined && { subState }),
        ...(message !== undefined && { message }),
        ...(errorCode !== undefined && { errorCode }),
        atMs: record.atMs,
      };
      return { ...task, status };
    }
    case 'task.question': {
      const { participant, text, options, messageId } = event;
      const question = { participant, text, options, messageId, askedAtMs: record.atMs, turn: task.turns };
      return { ...task, question };
    }
    case 'task.answered':
      return { ...task, question: undefined };
    default:
      return task;
  }
}

function statusId({ offset }: EventRecord, { id }: TaskView): string {
  return `${id}:status:${offset}`;
}

function toUpdate(task: TaskView, status: WireStatusUpdate['status'], metadata: Row): WireStatusUpdate {
  const { id: taskId, contextId } = task;
  return { taskId, contextId, status, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

/** State and sub-state as they are: a reply changes neither (spec/worker.md § 4.6). */
function toReplyUpdate(
  record: EventRecord,
  event: Extract<TaskEvent, { type: 'task.commandReplied' }>,
  task: TaskView,
): WireStatusUpdate {
  const { messageId: message_id, name, ok, text, error, data } = event;
  const reply = { name, message_id, ok, ...(error !== undefined && { error }), ...(data && { data }) };
  const parts = [{ text }, { mediaType: mediaTypeOf('command'), data: reply }];
  const status = {
    state: `TASK_STATE_${task.status.state}` as const,
    message: toAgentMessage(task, statusId(record, task), parts),
    timestamp: toIsoTime(record.atMs),
  };
  return toUpdate(task, status, {
    ...toStatusMetadata(task),
    [METADATA.command]: { name, message_id, ok },
  });
}

/** Says why, and never what was refused (spec/worker.md § 2.4, rows 7 and 17). */
function toRefusalUpdate(
  record: EventRecord,
  event: Extract<TaskEvent, { type: 'task.inputRefused' }>,
  task: TaskView,
): WireStatusUpdate {
  const { messageId: message_id, code, reason } = event;
  const status = {
    state: `TASK_STATE_${task.status.state}` as const,
    message: toAgentMessage(task, statusId(record, task), [{ text: `The message was refused: ${reason}` }]),
    timestamp: toIsoTime(record.atMs),
  };
  return toUpdate(task, status, { ...toStatusMetadata(task), [METADATA.refusal]: { message_id, code } });
}
