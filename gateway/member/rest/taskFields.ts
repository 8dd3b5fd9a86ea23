/**
 * A work item of the contract as a task (spec/rest-shapes.md § 1, spec/rest-on-tasks.md). The row itself survives whole in
 * `record`; what it says nothing about has the value that stands for nothing: zero, an empty text, an empty list.
 */
import type {
  ParticipantKind,
  ParticipantRole,
  TaskLifecycle,
  TaskState,
  TaskSubState,
} from '../../../schema/generated/resolvers.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './RestCalls.ts';
import { nothing, type RestContext, type RowFields } from './RestContext.ts';
import { toInstantMs } from './readFrame.ts';
import { readHistory } from './readHistory.ts';

/** Every work item is one that people and an agent talk about. */
export const TASK_LIFECYCLE: TaskLifecycle = 'CONVERSATION';

/** Commands after which an agent works on the item. */
const ARMING: ReadonlySet<unknown> = new Set(['start', 'resume', 'contribute', 'do', 'review']);

interface Participant {
  readonly id: string;
  readonly kind: ParticipantKind;
  readonly role: ParticipantRole;
  readonly displayName: string;
}

const OUTCOMES: Readonly<Record<string, TaskState>> = {
  completed: 'COMPLETED',
  cancelled: 'CANCELED',
  'closed-externally': 'CANCELED',
};
const REASONS: Readonly<Record<string, TaskState>> = {
  'task-failed': 'FAILED',
  'task-rejected': 'REJECTED',
  'pr-closed': 'CANCELED',
};

/** The type `Task` over a row of a work item. */
export const taskFields: RowFields = {
  __resolveReference: async ({ instance, ref }, _args, context) =>
    instance === context.name ? ((await readTask(String(ref), context)) ?? null) : null,
  instance: (_row, _args, { name }) => name,
  ref: ({ ref }) => ref,
  id: taskId,
  contextId: (row) => ownText(row, 'contextId') ?? taskId(row),
  state: taskState,
  subState: taskSubState,
  lifecycle: () => TASK_LIFECYCLE,
  name: taskName,
  goal: (row) => titleOf(row) ?? '',
  lastReply: () => null,
  statusMessage: ({ ended }) => asRecord(ended)?.reason ?? null,
  ...nothing('errorCode', 'description', 'acceptanceCriteria', 'budget', 'heldBy', 'question', 'skills'),
  ...nothing('parent', 'children', 'origin', 'inboxAudit'),
  paused: isPaused,
  createdAt: (row) => new Date(createdAtMs(row)).toISOString(),
  updatedAt: (row) => new Date(updatedAtMs(row)).toISOString(),
  version: () => 0,
  turns: () => 0,
  queuedMessages: () => 0,
  history: ({ ref }, args, context) => readHistory(String(ref), args, context),
  participants: participantsOf,
  settings: () => ({ model: null, effort: null }),
  usage: () => ({ inputTokens: 0, cachedTokens: 0, outputTokens: 0 }),
  plan: () => null,
  owner: (_row, _args, { name }) => ({ name }),
  record: (row) => row,
};

/** The work item, or what a session of the ref stands for when no item was recorded; undefined without either. */
export async function readTask(ref: string, { workItems, sessions }: RestContext): Promise<Row | undefined> {
  const item = await workItems.load(ref);
  if (item) return item;
  const session = await sessions.load(ref);
  return session && toWorkItem(session);
}

/** The contract has no ids beside refs; a worker of ours adds its own. */
export function taskId(row: Row): string {
  return ownText(row, 'id') ?? String(row.ref);
}

/** The title of the ticket as it was polled last; the ref of one that was not. */
export function taskName(row: Row): string {
  return titleOf(row) ?? ownText(row, 'name') ?? String(row.ref);
}

/** From how the item ended, else from the last command about it; nobody has begun one without either. */
export function taskState(row: Row): TaskState {
  const { ended, control } = row;
  const end = asRecord(ended);
  if (end) return REASONS[String(end.reason)] ?? OUTCOMES[String(end.outcome)] ?? 'COMPLETED';
  const command = asRecord(control)?.command;
  if (ARMING.has(command) || command === 'pause') return 'WORKING';
  return command === undefined ? 'SUBMITTED' : 'INPUT_REQUIRED';
}

/** An item that was stopped waits for somebody to start it. */
export function taskSubState(row: Row): TaskSubState | null {
  return taskState(row) === 'INPUT_REQUIRED' ? 'AWAITING_MESSAGE' : null;
}

/** Whether the last command about the item was to pause it. */
export function isPaused({ control }: Row): boolean {
  return asRecord(control)?.command === 'pause';
}

/** Epoch milliseconds of the first thing that is known of the item; 0 when nothing is. */
export function createdAtMs(row: Row): number {
  return Math.min(...instantsOf(row)) || 0;
}

/** Epoch milliseconds of the last thing that is known of the item; 0 when nothing is. */
export function updatedAtMs(row: Row): number {
  return Math.max(0, ...instantsOf(row));
}

/** The machine's own clocks, such as of its last poll, are no news of the item. */
function instantsOf({ control, ended, task }: Row): number[] {
  const texts = [asRecord(control)?.requestedAt, asRecord(ended)?.at, asRecord(task)?.updatedAt];
  const instants = texts.flatMap((text) => toInstantMs(text) ?? []);
  return instants.length > 0 ? instants : [0];
}

function titleOf({ poll }: Row): string | undefined {
  const title = asRecord(poll)?.title;
  return typeof title === 'string' && title !== '' ? title : undefined;
}

/** Of the facts that workers of our make add to the contract's row. */
function ownText({ task }: Row, name: string): string | undefined {
  const value = asRecord(task)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** People whose comments reach the session. */
export function participantsOf({ collaborators }: Row): readonly Participant[] {
  const users = asRecord(collaborators)?.users;
  if (!Array.isArray(users)) return [];
  return users
    .map((user: unknown) => asRecord(user)?.login)
    .filter((login) => typeof login === 'string')
    .map((login) => ({ id: login, kind: 'HUMAN', role: 'WATCHER', displayName: login }));
}

/** What a session stands for when the member has recorded no item. */
export function toWorkItem(session: Row): Row {
  const { ref, url, control, status } = session;
  const paused = status === 'paused' ? { command: 'pause' } : null;
  return { ref, ...(url !== undefined && { url }), control: control ?? paused };
}
