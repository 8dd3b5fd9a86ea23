/** The payload of one status update, with the task as it was then. */
import type { EventRecord, Offset, Worker } from '../../../subgraph/index.ts';
import { isOfAnother } from '../followTask.ts';
import { isOn } from '../TaskAccess.ts';
import { taskAt, toStreamResponse } from '../toStreamResponse.ts';
import type { StreamResponse } from '../wire.ts';

export interface DueStatus {
  readonly taskId: string;
  /** Who is told. @default whoever it is */
  readonly participant?: string | undefined;
  readonly offset: Offset;
}

/** Undefined when there is nothing to tell: the record is no update, it or the task is gone, or the participant is not on the task any more. */
export async function readUpdate(
  { log, engine }: Pick<Worker, 'log' | 'engine'>,
  { taskId, participant, offset }: DueStatus,
): Promise<StreamResponse | undefined> {
  const [record] = log.read({ after: offset - 1, until: offset, limit: 1 });
  const task = await engine.read({ id: taskId });
  if (!record || !task) return undefined;
  if (participant !== undefined && !isOn(task, participant)) return undefined;
  const { ref } = record;
  const newest = (types: readonly string[], after?: Offset): EventRecord | undefined =>
    log.read({ after, until: offset, limit: 1, keep: 'newest', filter: { types, ref } })[0];
  const creation = newest(['task.created']);
  // The ref is another task's by then: this one has ended, and nothing follows its end.
  if (creation && isOfAnother(creation, taskId)) return undefined;
  const past = newest(['task.status'], creation?.offset) ?? creation;
  const then = past ? taskAt(past, task) : task;
  const question =
    then.status.subState === 'AWAITING_ANSWER'
      ? newest(['task.question', 'task.answered'], creation?.offset)
      : undefined;
  return toStreamResponse(record, question ? taskAt(question, then) : then);
}
