/** What a participant may change of a task by an envelope: all of what it names, or nothing (spec/worker.md §§ 5.2, 5.6). */
import { agentIdOf } from './agentIdOf.ts';
import type { Draft } from './Draft.ts';
import { findProblems, type JsonShape } from './JsonShape.ts';
import type { Envelope } from './MailboxMessage.ts';
import { withAgent } from './newChild.ts';
import {
  findParticipantIdProblem,
  isAdmin,
  type Participant,
  type ParticipantKind,
  type ParticipantRole,
} from './Participant.ts';
import type { TaskState } from './TaskState.ts';

const SHAPE = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    description: { type: 'string' },
    acceptance_criteria: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1 }, met: { type: 'boolean' } },
        required: ['text'],
        additionalProperties: false,
      },
    },
    participants: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', minLength: 1 },
          kind: { type: 'string', enum: ['human', 'agent'] },
          role: { type: 'string', enum: ['assignee', 'reporter', 'watcher', 'admin'] },
          display_name: { type: 'string' },
        },
        required: ['id', 'kind', 'role'],
        additionalProperties: false,
      },
    },
  },
  required: [],
  additionalProperties: false,
} as const satisfies JsonShape;

/** An envelope of kind `task` whose shape was checked. */
interface TaskEnvelope {
  readonly name?: string;
  readonly description?: string;
  readonly acceptance_criteria?: readonly { readonly text: string; readonly met?: boolean }[];
  readonly participants?: readonly {
    readonly id: string;
    readonly kind: string;
    readonly role: string;
    readonly display_name?: string;
  }[];
}

/** Why the envelope is refused, as `<what is>, <what is expected>`; undefined when it may be applied. */
export function findEnvelopeProblem(
  { participants, rules }: TaskState,
  sender: string,
  { kind, payload }: Envelope,
): string | undefined {
  if (kind !== 'task') return undefined;
  const known = Object.keys(SHAPE.properties);
  const foreign = Object.keys(payload).filter((field) => !known.includes(field));
  if (foreign.length > 0) {
    return `the envelope sets ${foreign.join(', ')}, only ${known.join(', ')} are expected`;
  }
  const problems = findProblems(SHAPE, payload, 'the envelope');
  if (problems.length > 0) {
    return `${problems.length} ${problems.length === 1 ? 'value is' : 'values are'} wrong, the first: ${problems[0]}`;
  }
  const changed = (payload as TaskEnvelope).participants;
  if (!changed) return undefined;
  if (!isAdmin({ participants }, sender)) {
    return `the envelope sets participants and "${sender}" is no admin, an admin is expected`;
  }
  if (new Set(changed.map(({ id }) => id)).size < changed.length) {
    return 'the envelope names a participant twice, one entry for each is expected';
  }
  if (rules < 3) return undefined;
  return changed.map(({ id }) => findParticipantIdProblem(id)).find((problem) => problem !== undefined);
}

/** Replaces the fields that the envelope names; it has no problem. */
export function applyEnvelope(draft: Draft, { payload }: Envelope): void {
  const { name, description, acceptance_criteria, participants } = payload as TaskEnvelope;
  const change = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(acceptance_criteria && {
      acceptanceCriteria: acceptance_criteria.map(({ text, met = false }) => ({ text, met })),
    }),
    ...(participants && {
      participants: withAgent(participants.map(toParticipant), agentIdOf(draft.state)),
    }),
  };
  const changed = Object.keys(change);
  if (changed.length === 0) return;
  draft.update(change);
  draft.emit({ type: 'task.updated', changed });
}

function toParticipant({
  id,
  kind,
  role,
  display_name,
}: NonNullable<TaskEnvelope['participants']>[number]): Participant {
  return {
    id,
    kind: kind.toUpperCase() as ParticipantKind,
    role: role.toUpperCase() as ParticipantRole,
    displayName: display_name ?? '',
  };
}
