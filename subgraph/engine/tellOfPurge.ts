/** What the parent of a task is told before it is purged: an end, or it would wait for one that cannot come any more. */
import { FlotillaError } from '../../schema/errors.ts';
import { isTerminal } from '../task/index.ts';
import type { TaskAddress, TaskEngine } from './TaskEngine.ts';

/** Told first, so that a purge that is cut short can be repeated. A parent that knows of the end already changes nothing. */
export async function tellOfPurge(
  engine: Pick<TaskEngine, 'read' | 'deliver'>,
  task: TaskAddress,
): Promise<void> {
  const row = await engine.read(task);
  if (!row?.parent) return;
  const { id: childId, parent, version, status } = row;
  const end = isTerminal(row)
    ? { state: status.state, summary: status.message ?? '' }
    : { state: 'CANCELED' as const, summary: 'It was deleted' };
  try {
    await engine.deliver({ id: parent.id }, { kind: 'childChanged', childId, version: version + 1, ...end });
  } catch (error) {
    if (!(error instanceof FlotillaError) || error.code !== 'NOT_FOUND') throw error;
  }
}
