/** Messages of a task, bounded in entries and in bytes; others have their turn while many are read. */
import { nextTurn } from '../../lib/nextTurn.ts';
import type { TaskEngine } from '../../subgraph/index.ts';
import { MAX_ANSWER_BYTES, sizeOf } from './answerSize.ts';
import { type TaskView, toWireHistory } from './toA2ATask.ts';
import type { WireMessage } from './wire.ts';

/** Entries that are read without a pause for others: each may be large. */
const ENTRIES_AT_ONCE = 20;

/**
 * Oldest first. Of messages that have more than 4 MiB together the oldest are left out, the newest one never.
 *
 * @param length how many of the newest entries of the task's history are looked at.
 */
export async function readWireHistory(
  engine: Pick<TaskEngine, 'history'>,
  task: Pick<TaskView, 'id' | 'contextId'>,
  length: number,
): Promise<readonly WireMessage[]> {
  const messages: WireMessage[] = [];
  let beforeId: number | undefined;
  let size = 0;
  for (let left = length; left > 0; left -= ENTRIES_AT_ONCE) {
    const limit = Math.min(ENTRIES_AT_ONCE, left);
    const query = { afterId: 0, limit, keep: 'newest', ...(beforeId !== undefined && { beforeId }) } as const;
    const entries = await engine.history({ id: task.id }, query);
    for (const message of toWireHistory(task, entries).toReversed()) {
      size += sizeOf(message);
      if (size > MAX_ANSWER_BYTES && messages.length > 0) return messages;
      messages.unshift(message);
    }
    if (entries.length < limit) break;
    beforeId = entries[0]?.id;
    await nextTurn();
  }
  return messages;
}
