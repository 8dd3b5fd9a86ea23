/** The task that a standing session begins with. Pure but for its message id. */
import type { IdSource } from '../../lib/ids.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import type { NewTask } from '../engine/TaskEngine.ts';
import { toNewTask } from '../resolvers/toNewTask.ts';
import type { StandingDefinition } from './StandingStore.ts';

/** Without a prompt it waits for what is said to it. */
export function toStandingTask(
  { name, description, prompt }: StandingDefinition,
  { tasks, ids }: { readonly tasks: Config['tasks']; readonly ids: Pick<IdSource, 'newId'> },
): NewTask {
  const { agentId, maxTurns } = tasks;
  const input = { name, ...(description && { goal: description }), ...(prompt && { message: prompt }) };
  return toNewTask(input, { messageId: ids.newId(), agentId, maxTurns, allowedModels: [] });
}
