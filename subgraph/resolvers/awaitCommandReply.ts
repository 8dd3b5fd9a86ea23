/** Waits in the event log for the reply to one command. */
import { conflict, FlotillaError } from '../../schema/errors.ts';
import type { CommandReply } from '../../schema/generated/resolvers.ts';
import type { EventRecord, Offset } from '../log/EventLog.ts';
import { type A2AState, isTerminalState } from '../task/index.ts';
import { nameOf, type WorkerParts } from './WorkerParts.ts';

/** Longer than any command may run (spec/worker.md § 3.2: 30 s) with some in front of it in the queue. */
const REPLY_TIMEOUT_MS = 60_000;

/**
 * @throws {FlotillaError} CONFLICT when the task ends before the command was answered; UNAVAILABLE when no reply came in 60 s.
 */
export async function awaitCommandReply(
  parts: WorkerParts,
  { ref, messageId, after }: { readonly ref: string; readonly messageId: string; readonly after: Offset },
): Promise<CommandReply> {
  const controller = new AbortController();
  using _timer = parts.clock.schedule(REPLY_TIMEOUT_MS, () => controller.abort(new Error('No reply')));
  const filter = { ref, types: ['task.commandReplied', 'task.status'] };
  try {
    for await (const { records } of parts.log.watch({ after, filter, signal: controller.signal })) {
      for (const record of records) {
        const reply = toReply(record, messageId);
        if (reply) return { instance: nameOf(parts), ref, ...reply };
        if (isEnd(record))
          throw conflict(`Cannot run command: the task "${ref}" ended before the command was answered`);
      }
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error;
  } finally {
    controller.abort(new Error('Done'));
  }
  throw new FlotillaError('UNAVAILABLE', `Cannot run command: no reply came in ${REPLY_TIMEOUT_MS / 1000} s`);
}

function toReply(record: EventRecord, messageId: string): Omit<CommandReply, 'instance' | 'ref'> | undefined {
  if (record.type !== 'task.commandReplied' || record.data.messageId !== messageId) return undefined;
  const { name, ok, text, error, data } = record.data as unknown as CommandReply;
  return { messageId, name, ok, text, error, data };
}

function isEnd({ type, data }: EventRecord): boolean {
  return type === 'task.status' && isTerminalState(data.state as A2AState);
}
