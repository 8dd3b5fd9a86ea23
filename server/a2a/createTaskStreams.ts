/** What is told of one task to whoever has sent it a message, and to whoever has subscribed to it (spec/worker.md §§ 7.3 and 7.4). */
import { notFound } from '../../schema/errors.ts';
import { isTerminalState, type Offset, type Worker } from '../../subgraph/index.ts';
import { type Followed, followTask, replayTask, startOf } from './followTask.ts';
import type { Taken } from './MessageIntake.ts';
import { isOn } from './TaskAccess.ts';
import { type TaskView, toA2ATask } from './toA2ATask.ts';
import type { StreamResponse, WireMessage } from './wire.ts';

/** Streams throw the reason of their signal when it aborts before their end. */
export interface TaskStreams {
  /** What comes of a message: the task, then its events, up to where it rests again. */
  ofMessage(taken: Taken, signal: AbortSignal): AsyncGenerator<StreamResponse>;
  /**
   * The same, waited for. Once `signal` aborts it is the task as it is.
   *
   * @throws {FlotillaError} NOT_FOUND for a task that is purged meanwhile, or that the sender was taken off.
   */
  untilEnd(taken: Taken, signal: AbortSignal): Promise<MessageOutcome>;
  /** The task, then everything that was told of it, then what is. @param options.before an end of the log at which it was not newer. */
  ofTask(
    task: TaskView,
    options: { readonly reader: string; readonly before: Offset; readonly signal: AbortSignal },
  ): AsyncGenerator<StreamResponse>;
}

export interface MessageOutcome {
  readonly task: TaskView;
  /** What was said to the sender beside the status of the task. */
  readonly notices: readonly WireMessage[];
}

export function createTaskStreams(parts: Pick<Worker, 'engine' | 'log'>): TaskStreams {
  const { engine, log } = parts;
  return {
    async *ofMessage({ task, sender: reader, after, end, isNew }, signal) {
      if (!isNew) yield { task: toA2ATask(task) };
      if (!end) return;
      const live = followTask({ ...parts, task, after, end, reader, signal });
      for await (const { response } of live) yield response;
    },

    async untilEnd({ task, sender: reader, after, end }, signal) {
      if (!end) return { task, notices: [] };
      let last: Followed | undefined;
      try {
        const live = followTask({ ...parts, task, after, end, reader, signal });
        for await (const followed of live) last = followed;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      const now = await engine.read({ id: task.id });
      if (!now || !isOn(now, reader)) throw notFound('task', task.id);
      if (!last || signal.aborted) return { task: now, notices: [] };
      const { status, question } = last.task;
      const notices = end.kind === 'task' ? [] : noticesOf(last, end.messageId);
      return { task: { ...now, status, question }, notices };
    },

    async *ofTask(task, { reader, before, signal }) {
      yield { task: toA2ATask(task) };
      const isOver = isTerminalState(task.status.state);
      // Its end may be forgotten by the log, so that it is not waited for.
      const until = isOver ? log.end() : before;
      let seen = task;
      for await (const followed of replayTask(log, task, { after: startOf(log, task), until })) {
        signal.throwIfAborted();
        seen = followed.task;
        yield followed.response;
      }
      if (isOver) return;
      const end = { kind: 'task' } as const;
      const live = followTask({ ...parts, task: seen, after: until, end, reader, signal });
      for await (const { response } of live) yield response;
    },
  };
}

/** A reply to a command and a refusal are not the task's status: whoever waits for them finds them behind its history. */
function noticesOf({ response, record }: Followed, messageId: string): readonly WireMessage[] {
  const isNotice = record.type === 'task.commandReplied' || record.type === 'task.inputRefused';
  if (!isNotice || record.data.messageId !== messageId || !('statusUpdate' in response)) return [];
  const { message } = response.statusUpdate.status;
  return message ? [message] : [];
}
