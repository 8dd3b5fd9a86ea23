/** The intrinsics that concern the people on the task (spec/worker.md §§ 3.8, 5.2, 5.4). */
import { agentIdOf } from './agentIdOf.ts';
import type { Intrinsic } from './Intrinsic.ts';
import type { JsonShape } from './JsonShape.ts';
import { isAdmin, type ParticipantRole } from './Participant.ts';
import { hasAsked, openQuestion } from './question.ts';
import type { TaskState } from './TaskState.ts';
import { errorResult, okResult, type ToolResult } from './toolResult.ts';

const ASK_PARTICIPANT = {
  type: 'object',
  properties: {
    participant_id: { type: 'string', description: 'Who is asked; somebody on the task.' },
    question: { type: 'string', minLength: 1 },
    options: { type: 'array', description: 'Suggested answers.', items: { type: 'string' } },
  },
  required: ['participant_id', 'question'],
  additionalProperties: false,
} as const satisfies JsonShape;

interface AskArguments {
  readonly participant_id: string;
  readonly question: string;
  readonly options?: readonly string[];
}

const SET_ROLE = {
  type: 'object',
  properties: {
    participant_id: { type: 'string' },
    role: { type: 'string', enum: ['assignee', 'reporter', 'watcher', 'admin'] },
  },
  required: ['participant_id', 'role'],
  additionalProperties: false,
} as const satisfies JsonShape;

interface SetRoleArguments {
  readonly participant_id: string;
  readonly role: string;
}

export const askParticipant: Intrinsic = {
  name: 'ask_participant',
  description:
    'Asks a participant of the task. The task stops after this turn and goes on when the answer is there; one question at a time.',
  inputSchema: ASK_PARTICIPANT,
  since: 3,
  apply(draft, args) {
    const { participant_id: participant, question: text, options = [] } = args as unknown as AskArguments;
    if (!isPartner(draft.state, participant)) return notAMember(participant);
    if (hasAsked(draft.state)) {
      return errorResult('question.open', 'this turn has asked already, one question at a time is expected');
    }
    openQuestion(draft, { participant, text, options });
    return okResult(`"${participant}" is asked; the answer will be a message`);
  },
};

export const setParticipantRole: Intrinsic = {
  name: 'set_participant_role',
  description: 'Gives a participant another role. Only when an admin of the task has asked for it.',
  inputSchema: SET_ROLE,
  since: 3,
  apply(draft, args) {
    const { participant_id: id, role: name } = args as unknown as SetRoleArguments;
    const { participants, actor } = draft.state;
    if (!isAdmin(draft.state, actor) || !participants.some((each) => each.id === id)) return notAMember(id);
    const role = name.toUpperCase() as ParticipantRole;
    draft.update({
      participants: participants.map((each) => (each.id === id ? { ...each, role } : each)),
    });
    draft.emit({ type: 'task.updated', changed: ['participants'] });
    return okResult(`"${id}" is ${name}`);
  },
};

/** Somebody on the task who is not the agent itself. */
export function isPartner(state: TaskState, participant: string): boolean {
  return participant !== agentIdOf(state) && state.participants.some(({ id }) => id === participant);
}

/** One answer for an unknown participant and a missing right (spec/worker.md § 7.6). */
export function notAMember(participant: string): ToolResult {
  return errorResult('channel.not_a_member', `"${participant}" cannot be addressed on this task`);
}
