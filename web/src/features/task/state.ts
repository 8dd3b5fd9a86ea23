/** One task and its conversation as a value, and what each answer or event makes of it. */
import type {
  HistoryEntryFragment,
  LiveEventFragment,
  TaskDetailFragment,
  TaskRowFragment,
} from '../../gql/graphql.ts';
import type { MissingMember } from '../../transport/problem.ts';
import { isNewer } from '../tasks/rows.ts';

/** Command replies kept beside the conversation; they are in the event log, not in the history. */
const MAX_REPLIES = 100;

export interface TaskPaneState {
  readonly phase: 'loading' | 'ready' | 'absent' | 'failed';
  readonly task: TaskDetailFragment | undefined;
  /** The newest snapshot of the task; a live event brings it before `task` is read again. */
  readonly row: TaskRowFragment | undefined;
  /** By id, ascending. */
  readonly history: readonly HistoryEntryFragment[];
  /** In the order of their arrival, at most `MAX_REPLIES`. */
  readonly replies: readonly CommandReplyEntry[];
  /** Where the history goes on. */
  readonly endCursor: string | undefined;
  readonly hasNextPage: boolean;
  readonly missing: readonly MissingMember[];
  readonly problem: string | undefined;
}

/** The answer to a slash command, whoever sent it. */
export interface CommandReplyEntry {
  readonly messageId: string;
  /** Without the slash. */
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  readonly at: string;
}

export type TaskPaneResult =
  | {
      readonly kind: 'loaded';
      /** Undefined: nobody has the task. */
      readonly task: TaskDetailFragment | undefined;
      readonly history: readonly HistoryEntryFragment[];
      /** The history's own cursor that this page came after. */
      readonly after: string | undefined;
      readonly endCursor: string | undefined;
      readonly hasNextPage: boolean;
      readonly missing: readonly MissingMember[];
      readonly problem: string | undefined;
    }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'reloading' }
  /** A live event or a mutation brought a snapshot. */
  | { readonly kind: 'changed'; readonly row: TaskRowFragment }
  | { readonly kind: 'replied'; readonly reply: CommandReplyEntry };

export const INITIAL_TASK_PANE: TaskPaneState = {
  phase: 'loading',
  task: undefined,
  row: undefined,
  history: [],
  replies: [],
  endCursor: undefined,
  hasNextPage: false,
  missing: [],
  problem: undefined,
};

export function nextState(previous: TaskPaneState, result: TaskPaneResult): TaskPaneState {
  switch (result.kind) {
    case 'loaded':
      return withLoaded(previous, result);
    case 'failed':
      return { ...previous, phase: 'failed', problem: result.problem };
    case 'reloading':
      return { ...previous, phase: 'loading' };
    case 'changed': {
      const { row } = previous;
      return row && isNewer(result.row, row) ? { ...previous, row: result.row } : previous;
    }
    case 'replied': {
      if (previous.replies.some(({ messageId }) => messageId === result.reply.messageId)) return previous;
      return { ...previous, replies: [...previous.replies, result.reply].slice(-MAX_REPLIES) };
    }
  }
}

/** The reply that a `task.commandReplied` event carries; undefined for any other event. */
export function toCommandReply({ type, at, data }: LiveEventFragment): CommandReplyEntry | undefined {
  if (type !== 'task.commandReplied' || typeof data !== 'object' || data === null) return undefined;
  const { messageId, name, ok, text } = data as Readonly<Record<string, unknown>>;
  if (typeof messageId !== 'string' || typeof name !== 'string' || typeof text !== 'string') return undefined;
  return { messageId, name, ok: ok !== false, text, at };
}

function withLoaded(
  previous: TaskPaneState,
  result: Extract<TaskPaneResult, { readonly kind: 'loaded' }>,
): TaskPaneState {
  const { task, missing, problem } = result;
  if (!task) {
    if (problem !== undefined) return { ...previous, phase: 'failed', missing, problem };
    return { ...INITIAL_TASK_PANE, phase: 'absent', missing };
  }
  const isSameTask = previous.task?.id === task.id;
  // The ref went to a new task while the history of the old one was read on: its first page comes next.
  if (!isSameTask && result.after !== undefined) return { ...INITIAL_TASK_PANE, replies: previous.replies };
  return {
    phase: 'ready',
    task,
    row: previous.row && isNewer(previous.row, task) ? previous.row : task,
    history: joined(isSameTask ? previous.history : [], result.history),
    replies: previous.replies,
    endCursor: result.endCursor ?? result.after,
    // A cursor that stays where it was leads nowhere.
    hasNextPage: result.hasNextPage && result.endCursor !== result.after,
    missing,
    problem,
  };
}

function joined(
  known: readonly HistoryEntryFragment[],
  page: readonly HistoryEntryFragment[],
): readonly HistoryEntryFragment[] {
  const byId = new Map([...known, ...page].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}
