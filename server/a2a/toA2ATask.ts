/** A task of the worker as A2A tells it, with the data of the extensions (spec/worker.md §§ 2.1 and 5.4). Pure. */
import { toIsoTime } from '../../lib/Clock.ts';
import { agentIdOf, type HistoryEntry, type TaskRow } from '../../subgraph/index.ts';
import { METADATA, mediaTypeOf } from './extensions.ts';
import type { Row, WireMessage, WirePart, WireStatus, WireTask } from './wire.ts';

/** A task as it was at one moment: status and question may be those of the past. */
export type TaskView = TaskRow;

/** @param history @default none */
export function toA2ATask(task: TaskView, history?: readonly WireMessage[]): WireTask {
  return {
    id: task.id,
    contextId: task.contextId,
    status: toWireStatus(task, { messageId: `${task.id}:status`, atMs: task.status.atMs }),
    ...(history && { history }),
    metadata: { [METADATA.task]: toTaskData(task), ...toStatusMetadata(task) },
  };
}

/** The status with its message; that of a question has the channel part of the question beside its text. */
export function toWireStatus(
  task: TaskView,
  { messageId, atMs }: { readonly messageId: string; readonly atMs: number },
): WireStatus {
  const { state, message } = task.status;
  const isQuestion = message !== undefined && asksIn(task, message);
  const id = isQuestion ? task.question?.messageId : messageId;
  return {
    state: `TASK_STATE_${state}`,
    ...(message !== undefined && {
      message: toAgentMessage(task, id ?? messageId, [
        { text: message },
        ...(isQuestion ? [toQuestionPart(task)] : []),
      ]),
    }),
    timestamp: toIsoTime(atMs),
  };
}

/** A message of the instance's agent. */
export function toAgentMessage(
  { id: taskId, contextId }: Pick<TaskView, 'id' | 'contextId'>,
  messageId: string,
  parts: readonly WirePart[],
): WireMessage {
  return { messageId, contextId, taskId, role: 'ROLE_AGENT', parts };
}

/** Present only while a sub-state holds (spec/worker.md § 2.1); it rides in the status update that set it, too. */
export function toStatusMetadata({ status, question }: Pick<TaskView, 'status' | 'question'>): Row {
  const { subState, errorCode } = status;
  const isAsking = subState === 'AWAITING_ANSWER' && question;
  const data = {
    ...(subState !== undefined && { sub_state: subState.toLowerCase() }),
    ...(isAsking && {
      participant_id: question.participant,
      question: question.text,
      options: question.options,
      message_id: question.messageId,
    }),
    ...(errorCode !== undefined && { error_code: errorCode }),
  };
  return Object.keys(data).length === 0 ? {} : { [METADATA.status]: data };
}

/** The messages among these entries; calls of tools are the agent's own business. */
export function toWireHistory(
  task: Pick<TaskView, 'id' | 'contextId'>,
  entries: readonly HistoryEntry[],
): readonly WireMessage[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== 'message' || entry.role === 'NOTE') return [];
    const { id, role, text, participant } = entry;
    const message = toAgentMessage(task, `${task.id}:history:${id}`, [{ text }]);
    if (role === 'ASSISTANT') return [message];
    return [
      {
        ...message,
        role: 'ROLE_USER' as const,
        ...(participant !== undefined && { metadata: { participant_id: participant } }),
      },
    ];
  });
}

/** Whether the status shows the open question: a reply to somebody else may stand there while it is open. */
function asksIn({ status, question }: TaskView, message: string): boolean {
  return status.subState === 'AWAITING_ANSWER' && question !== undefined && message.startsWith(question.text);
}

function toQuestionPart(task: TaskView): WirePart {
  const { id, question } = task;
  return {
    mediaType: mediaTypeOf('channel'),
    data: {
      channel_id: id,
      sender: agentIdOf(task),
      kind: 'help_request',
      text: question?.text ?? '',
      parts: [],
    },
  };
}

/** Every field of the extension, as its readers expect them. */
function toTaskData(task: TaskView): Row {
  const { name, goal, description = '', acceptanceCriteria = [], participants, parent, children = [] } = task;
  const { plan, lifecycle, settings } = task;
  const { model, effort } = settings;
  return {
    name,
    type: null,
    goal,
    description,
    acceptance_criteria: acceptanceCriteria.map(({ text, met }) => ({ text, met })),
    participants: participants.map(({ id, kind, role, displayName }) => ({
      id,
      kind: kind.toLowerCase(),
      role: role.toLowerCase(),
      display_name: displayName,
    })),
    parent_tasks: parent ? [{ task_id: parent.id, agent: null }] : [],
    sub_tasks: children.map(({ id, agent = null }) => ({ task_id: id, agent })),
    plan: plan ? { steps: plan.steps.map(toStepData) } : null,
    lifecycle: lifecycle.toLowerCase(),
    settings: {
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort: effort.toLowerCase() }),
    },
  };
}

type PlanStep = NonNullable<TaskView['plan']>['steps'][number];

function toStepData({ id, name, description, dependsOn, state, output }: PlanStep): Row {
  return {
    id,
    name,
    description,
    depends_on: dependsOn,
    state: state.toLowerCase(),
    ...(output !== undefined && { output }),
  };
}
