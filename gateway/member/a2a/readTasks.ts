/** The list of an agent's tasks as a page of the graph (A2A § 3.1.4, design § 3 "Pages"). */
import type { MemberErrorEntry } from '../Member.ts';
import { type TaskFacts, type TaskPage, type TaskPageArguments, toTaskPage } from '../toTaskPage.ts';
import type { A2AContext } from './A2AContext.ts';
import { formatAgentRef } from './agentRef.ts';
import type { TaskList } from './collectTasks.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import { participantsOf, updatedAtMs } from './taskFields.ts';

const NOTHING: TaskList = { tasks: [], unusable: 0 };

/**
 * The list is read whole, in pages of 100: an agent orders it by the newest change alone. Rows that are no tasks, or whose id has no
 * ref, are left out and told as one error at `path`.
 *
 * @throws {FlotillaError} BAD_USER_INPUT for a page, a cursor or a search text that is none; what the agent tells.
 */
export async function readTasks(
  args: TaskPageArguments,
  context: Pick<A2AContext, 'name' | 'calls' | 'firstSeen' | 'tell'>,
  path: MemberErrorEntry['path'],
): Promise<TaskPage<RemoteTask>> {
  const isAsked = args.filter?.instances?.includes(context.name) ?? true;
  const { tasks, unusable } = isAsked ? await context.calls.listAll() : NOTHING;
  if (unusable > 0) {
    const message = `rows of its list are left out (${unusable}): they are no tasks, or their ids cannot be part of a ref`;
    context.tell({ message, ...(path && { path }), extensions: { code: 'MEMBER_ERROR' } });
  }
  return toTaskPage(tasks, args, (task) => toFacts(task, context));
}

function toFacts(
  task: RemoteTask,
  { name: member, firstSeen }: Pick<A2AContext, 'name' | 'firstSeen'>,
): TaskFacts {
  const { id, state, subState, lifecycle, name, goal, statusText } = task;
  const ref = formatAgentRef(member, id);
  return {
    ref,
    id,
    state,
    subState,
    lifecycle,
    participantIds: participantsOf(task).map((participant) => participant.id),
    createdAtMs: firstSeen.of(task),
    updatedAtMs: updatedAtMs(task),
    texts: [name, goal, ref, statusText ?? ''],
  };
}
