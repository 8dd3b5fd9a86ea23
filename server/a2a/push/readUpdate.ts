/** The payload of one status update, with the task as it was then. */
import type { EventRecord, Offset, Worker } from '../../../subgraph/index.ts';
import { taskAt, toStreamResponse } from '../toStreamResponse.ts';
import type { StreamResponse } from '../wire.ts';

/** Undefined when there is nothing to tell: the record is no update, or it or the task is gone. */
export async function readUpdate(
  { log, engine }: Pick<Worker, 'log' | 'engine'>,
  { taskId, offset }: { readonly taskId: string; readonly offset: Offset },
): Promise<StreamResponse | undefined> {
  const [record] = log.read({ after: offset - 1, until: offset, limit: 1 });
  const task = await engine.read({ id: taskId });
  if (!record || !task) return undefined;
  const newest = (...types: readonly string[]): EventRecord | undefined =>
    log.read({ until: offset, limit: 1, keep: 'newest', filter: { types, ref: record.ref } })[0];
  const status = newest('task.status');
  const then = status ? taskAt(status, task) : task;
  const question =
    then.status.subState === 'AWAITING_ANSWER' ? newest('task.question', 'task.answered') : undefined;
  return toStreamResponse(record, question ? taskAt(question, then) : then);
}
