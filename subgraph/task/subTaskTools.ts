/** The intrinsics that start sub-tasks (spec/worker.md §§ 3.8, 3.10). */
import { agentIdOf } from './agentIdOf.ts';
import { findSpawnProblem } from './children.ts';
import type { Intrinsic } from './Intrinsic.ts';
import type { JsonShape } from './JsonShape.ts';
import type { WantedChild } from './newChild.ts';
import { isPartner, notAMember } from './participantTools.ts';
import { stepOf } from './plan.ts';
import type { TaskState } from './TaskState.ts';
import { errorResult } from './toolResult.ts';

const WORK = {
  name: { type: 'string', minLength: 1, description: 'One line.' },
  goal: { type: 'string', minLength: 1, description: 'Everything that has to be known to do it.' },
  acceptance_criteria: { type: 'array', items: { type: 'string', minLength: 1 } },
  step: { type: ['string', 'null'], description: 'Name or id of the step of the plan that it is for.' },
} as const satisfies Record<string, JsonShape>;

interface WorkArguments {
  readonly name: string;
  readonly goal: string;
  readonly acceptance_criteria?: readonly string[];
  readonly step?: string | null;
}

const SPAWN_SUBTASK = {
  type: 'object',
  properties: {
    ...WORK,
    agent: {
      type: ['string', 'null'],
      description: 'Id of the remote agent that does it; without one it is done here.',
    },
  },
  required: ['name', 'goal'],
  additionalProperties: false,
} as const satisfies JsonShape;

const CREATE_TASK_FOR_PARTICIPANT = {
  type: 'object',
  properties: {
    participant_id: { type: 'string', description: 'Who is to do it; somebody on the task.' },
    ...WORK,
  },
  required: ['participant_id', 'name', 'goal'],
  additionalProperties: false,
} as const satisfies JsonShape;

export const spawnSubtask: Intrinsic = {
  name: 'spawn_subtask',
  description: 'Starts a sub-task. Its result comes as a note; the task has no reply before it.',
  inputSchema: SPAWN_SUBTASK,
  since: 3,
  apply({ state }, args) {
    const { agent, ...work } = args as unknown as WorkArguments & { readonly agent?: string | null };
    const problem = findSpawnProblem(state);
    if (problem !== undefined) return errorResult('task.too_many_sub_tasks', problem);
    const wanted = toWantedChild(state, work);
    if (agent) return { child: { ...wanted, lifecycle: 'REMOTE', agent } };
    const message = { participant: agentIdOf(state), text: work.goal };
    return { child: { ...wanted, lifecycle: 'DELEGATED', message } };
  },
};

export const createTaskForParticipant: Intrinsic = {
  name: 'create_task_for_participant',
  description: 'Starts a sub-task that a participant does. It ends with the answer, which comes as a note.',
  inputSchema: CREATE_TASK_FOR_PARTICIPANT,
  since: 3,
  apply({ state }, args) {
    const { participant_id: assignee, ...work } = args as unknown as WorkArguments & {
      readonly participant_id: string;
    };
    if (!isPartner(state, assignee)) return notAMember(assignee);
    const problem = findSpawnProblem(state);
    if (problem !== undefined) return errorResult('task.too_many_sub_tasks', problem);
    return { child: { ...toWantedChild(state, work), lifecycle: 'PARTICIPANT', assignee } };
  },
};

/** A step that the plan does not have is no reason to refuse the work. */
function toWantedChild(
  { plan }: TaskState,
  { name, goal, acceptance_criteria: acceptanceCriteria = [], step }: WorkArguments,
): Omit<WantedChild, 'lifecycle'> {
  const planned = step ? stepOf(plan, step) : undefined;
  return { name, goal, acceptanceCriteria, ...(planned && { step: planned.id }) };
}
