/** One task's part of the event log as a stream (spec/worker.md §§ 7.3 and 7.4): read by pages, at the pace of its reader. */
import type { EventType } from '../../schema/events.ts';
import {
  type EventLog,
  type EventRecord,
  isTerminalState,
  type Offset,
  type TaskEngine,
  type TaskEvent,
} from '../../subgraph/index.ts';
import { isOn } from './TaskAccess.ts';
import type { TaskView } from './toA2ATask.ts';
import { STREAMED_TYPES, taskAt, toStreamResponse, toTaskEvent } from './toStreamResponse.ts';
import type { StreamResponse } from './wire.ts';

/** Records of one read of what is past. */
const PAGE = 256;

/** Most tasks of one ref that are told apart; of more the older ones are one. */
const MAX_TASKS_OF_REF = 1_000;

/** The task was deleted; nobody is told more of it. */
const PURGED: EventType = 'task.purged';

/** What ends a stream, besides the end of its task. */
export type StreamEnd =
  | { readonly kind: 'task' }
  /** The task waits and has nothing more to say, once it has the message; or the message is refused. */
  | { readonly kind: 'message'; readonly messageId: string; readonly isAccepted: boolean }
  /** The command has its reply, or is refused. Nothing that happens meanwhile ends it. */
  | { readonly kind: 'command'; readonly messageId: string };

export interface FollowOptions {
  readonly log: EventLog;
  readonly engine: Pick<TaskEngine, 'read'>;
  /** As it was at `after`. */
  readonly task: TaskView;
  readonly after: Offset;
  readonly end: StreamEnd;
  /** Who reads; whoever is taken off the task is told no more of it. */
  readonly reader: string;
  readonly signal: AbortSignal;
}

export interface Followed {
  /** As it was then. */
  readonly task: TaskView;
  readonly response: StreamResponse;
  readonly record: EventRecord;
}

/**
 * What is told from `after` on, until the stream's end. Ends also when the task is purged, and when the log has forgotten its end.
 *
 * @throws the reason of `signal`.
 */
export async function* followTask({
  log,
  engine,
  task,
  after,
  end,
  reader,
  signal,
}: FollowOptions): AsyncGenerator<Followed> {
  let view = task;
  let isAccepted = end.kind !== 'message' || end.isAccepted;
  const filter = { ref: task.ref, types: [...STREAMED_TYPES, PURGED] };
  for await (const { records, isCut } of log.watch({ after, filter, signal })) {
    // Its end, or that of the reader's part in it, may be among what was forgotten.
    if (isCut) {
      const now = await engine.read({ id: task.id });
      if (!now || !isOn(now, reader) || isTerminalState(now.status.state)) return;
    }
    for (const record of records) {
      if (isPurge(record, task.id) || isNext(record, task.id)) return;
      if (isOfAnother(record, task.id)) continue;
      const event = toTaskEvent(record);
      if (isWhole(event)) {
        const fresh = await engine.read({ id: task.id });
        if (!fresh || !isOn(fresh, reader)) return;
        view = { ...fresh, status: view.status, question: view.question };
      }
      view = taskAt(record, view);
      isAccepted ||= isAcceptance(event, end);
      const response = toStreamResponse(record, view);
      if (response) yield { task: view, response, record };
      if (isEnd(event, end) || (isAccepted && rests(event, end) && !hasMoved(log, record, task))) return;
    }
    signal.throwIfAborted();
  }
  signal.throwIfAborted();
}

/**
 * What was told of a task so far, oldest first, without the tasks that are told in between: whoever reads the past has the task as it
 * is now.
 */
export async function* replayTask(
  log: EventLog,
  task: TaskView,
  { after, until }: { readonly after: Offset; readonly until: Offset },
): AsyncGenerator<Followed> {
  let view = task;
  let position = after;
  const filter = { ref: task.ref, types: [...STREAMED_TYPES] };
  for (;;) {
    const records = log.read({ after: position, until, limit: PAGE, filter });
    for (const record of records) {
      if (isNext(record, task.id)) return;
      if (isOfAnother(record, task.id)) continue;
      view = taskAt(record, view);
      const response = isWhole(toTaskEvent(record)) ? undefined : toStreamResponse(record, view);
      if (response) yield { task: view, response, record };
    }
    position = records.at(-1)?.offset ?? until;
    if (records.length < PAGE) return;
  }
}

/** The position before everything that the log still has of a task: its ref may have been another task's before. */
export function startOf(log: EventLog, { ref, id }: TaskView): Offset {
  const creations = log.read({
    filter: { ref, types: ['task.created'] },
    limit: MAX_TASKS_OF_REF,
    keep: 'newest',
  });
  const own = creations.find(({ data }) => data.taskId === id);
  return own ? own.offset - 1 : log.start();
}

function isPurge({ type, data }: EventRecord, taskId: string): boolean {
  return type === PURGED && data.taskId === taskId;
}

/** The record creates the next task of the ref. */
function isNext(record: EventRecord, taskId: string): boolean {
  return record.type === 'task.created' && isOfAnother(record, taskId);
}

/** The record is of another task with the same ref: one that has ended still refuses what it is sent. */
export function isOfAnother({ data }: EventRecord, taskId: string): boolean {
  return data.taskId !== undefined && data.taskId !== taskId;
}

/** The whole task is told. */
function isWhole({ type }: TaskEvent): boolean {
  return (
    type === 'task.created' ||
    type === 'task.updated' ||
    type === 'task.childStarted' ||
    type === 'task.childChanged'
  );
}

function isAcceptance(event: TaskEvent, end: StreamEnd): boolean {
  return event.type === 'task.messageAccepted' && end.kind === 'message' && event.messageId === end.messageId;
}

function isEnd(event: TaskEvent, end: StreamEnd): boolean {
  if (event.type === 'task.status') return isTerminalState(event.state);
  if (end.kind === 'task') return false;
  if (event.type === 'task.inputRefused') return event.messageId === end.messageId;
  return event.type === 'task.commandReplied' && end.kind === 'command' && event.messageId === end.messageId;
}

/** The task waits for somebody. */
function rests(event: TaskEvent, { kind }: StreamEnd): boolean {
  return (
    kind === 'message' &&
    event.type === 'task.status' &&
    (event.state === 'INPUT_REQUIRED' || event.state === 'AUTH_REQUIRED')
  );
}

/** A message that came meanwhile has woken it in the same step. */
function hasMoved(log: EventLog, { offset }: EventRecord, { ref }: TaskView): boolean {
  return log.read({ after: offset, filter: { ref, types: ['task.status'] }, limit: 1 }).length > 0;
}
