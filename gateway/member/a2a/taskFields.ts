/**
 * A task of an agent as a task of the graph (A2A § 4.1). What the protocol does not tell has the value that stands for nothing: zero,
 * an empty list, and 1970-01-01 for a time.
 */
import type { ParticipantKind, ParticipantRole } from '../../../schema/generated/resolvers.ts';
import { toHistoryPage } from '../toHistoryPage.ts';
import type { Row } from './A2ABinding.ts';
import type { A2AContext } from './A2AContext.ts';
import { formatAgentRef } from './agentRef.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import { toHistoryItems } from './toHistoryItems.ts';

/** Longest id and name of a participant that are shown, in characters. */
const MAX_NAME = 200;

const ROLES: readonly ParticipantRole[] = ['ASSIGNEE', 'REPORTER', 'WATCHER', 'ADMIN'];

interface Participant {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly role: ParticipantRole;
  readonly displayName: string;
}

type TaskField = (task: RemoteTask, args: Row, context: A2AContext) => unknown;

/** The type `Task`. */
export const taskFields = {
  instance: (_task, _args, { name }) => name,
  ref: ({ id }, _args, { name }) => formatAgentRef(name, id),
  id: ({ id }) => id,
  contextId: ({ contextId }) => contextId,
  state: ({ state }) => state,
  subState: ({ subState }) => subState,
  lifecycle: ({ lifecycle }) => lifecycle,
  name: ({ name }) => name,
  goal: ({ goal }) => goal,
  description: ({ description }) => description,
  lastReply: ({ state, statusText }) =>
    state === 'INPUT_REQUIRED' || state === 'COMPLETED' ? statusText : null,
  statusMessage: ({ statusText }) => statusText,
  paused: () => false,
  createdAt: (task, _args, { firstSeen }) => new Date(firstSeen.of(task)).toISOString(),
  updatedAt: (task) => new Date(updatedAtMs(task)).toISOString(),
  version: () => 0,
  turns: () => 0,
  queuedMessages: () => 0,
  history: async ({ id }, args, { conversations, redact }) => {
    const conversation = await conversations.load(id);
    return toHistoryPage(conversation ? toHistoryItems(conversation, redact) : [], args);
  },
  participants: participantsOf,
  settings: () => ({ model: null, effort: null }),
  usage: () => ({ inputTokens: 0, cachedTokens: 0, outputTokens: 0 }),
  ...nothing('errorCode', 'acceptanceCriteria', 'budget', 'heldBy', 'plan', 'question', 'skills'),
  ...nothing('parent', 'children', 'origin', 'inboxAudit', 'control', 'pullRequests'),
  owner: (_task, _args, { name }) => ({ name }),
  // A row of the REST contract, which an agent has none of.
  record: () => null,
} satisfies Readonly<Record<string, TaskField>>;

/** Fields that the protocol tells nothing for, where null says just that. */
function nothing(...names: readonly string[]): Readonly<Record<string, TaskField>> {
  return Object.fromEntries(names.map((name) => [name, () => null]));
}

/** Epoch milliseconds of the status; 0 when it has no time. */
export function updatedAtMs({ statusAtMs }: RemoteTask): number {
  return statusAtMs ?? 0;
}

/** As the task extension has them; nobody without it. */
export function participantsOf({ participants }: RemoteTask): readonly Participant[] {
  return participants.flatMap(({ id, kind, role, display_name: displayName }) => {
    const known = ROLES.find((name) => name.toLowerCase() === role);
    if (typeof id !== 'string' || !known) return [];
    return [
      {
        id: id.slice(0, MAX_NAME),
        kind: kind === 'agent' ? 'AGENT' : 'HUMAN',
        role: known,
        displayName: typeof displayName === 'string' ? displayName.slice(0, MAX_NAME) : '',
      },
    ];
  });
}
