/** The entity Task: rows of the engine as the wire shows them, and the fields that are read on demand. */
import { toIsoTime } from '../../lib/Clock.ts';
import { badUserInput, notFound } from '../../schema/errors.ts';
import type { HistoryItem, Task, TaskResolvers } from '../../schema/generated/resolvers.ts';
import type { TaskRow } from '../engine/TaskEngine.ts';
import type { HistoryEntry } from '../task/index.ts';
import { pageSize, toConnection } from './pages.ts';
import { selfRow } from './selfRow.ts';
import { nameOf, type WorkerParts } from './WorkerParts.ts';

/** A row as the wire shows it; `history` and `owner` have resolvers of their own. */
export function toTask(row: TaskRow, instance: string): Omit<Task, 'history' | 'owner'> {
  return {
    __typename: 'Task',
    instance,
    ref: row.ref,
    id: row.id,
    contextId: row.contextId,
    state: row.status.state,
    subState: row.status.subState,
    lifecycle: row.lifecycle,
    name: row.name,
    goal: row.goal,
    lastReply: row.lastReply,
    statusMessage: row.status.message,
    paused: row.paused,
    createdAt: toIsoTime(row.createdAtMs),
    updatedAt: toIsoTime(row.updatedAtMs),
    version: row.version,
    turns: row.turns,
    queuedMessages: row.queuedMessages,
    participants: row.participants as Task['participants'],
    settings: row.settings,
    usage: row.usage,
    plan: row.plan as Task['plan'],
  };
}

/** @throws {FlotillaError} NOT_FOUND when no task has the ref. */
export async function readRow({ engine }: WorkerParts, ref: string): Promise<TaskRow> {
  const row = await engine.read(ref);
  if (!row) throw notFound('task', ref);
  return row;
}

export function taskResolvers(parts: WorkerParts): TaskResolvers<unknown> {
  return {
    async __resolveReference({ instance, ref }) {
      const own = nameOf(parts);
      if (instance !== own) return null;
      const row = await parts.engine.read(ref);
      return row ? toTask(row, own) : null;
    },
    async history({ ref }, { first, after }) {
      const size = pageSize('first', first, 50);
      const entries = await parts.engine.history(ref as string, {
        afterId: parseAfter(after),
        limit: size + 1,
      });
      return toConnection(entries, size, { toNode: toHistoryItem, toCursor: (entry) => String(entry.id) });
    },
    owner: () => selfRow(parts),
  };
}

/** One entry of the conversation as the wire shows it. */
export function toHistoryItem(entry: HistoryEntry): HistoryItem {
  const common = { id: entry.id, at: toIsoTime(entry.atMs) };
  switch (entry.kind) {
    case 'message':
      return {
        __typename: 'HistoryMessage',
        ...common,
        role: entry.role,
        participant: entry.participant,
        text: entry.text,
      };
    case 'toolCall':
      return {
        __typename: 'HistoryToolCall',
        ...common,
        callId: entry.callId,
        tool: entry.tool,
        arguments: entry.arguments,
      };
    case 'toolResult':
      return {
        __typename: 'HistoryToolResult',
        ...common,
        callId: entry.callId,
        tool: entry.tool,
        text: entry.text,
        isError: entry.isError,
      };
  }
}

function parseAfter(after: string | null | undefined): number {
  if (after === null || after === undefined) return 0;
  if (/^\d{1,15}$/.test(after)) return Number(after);
  throw badUserInput(
    'Cannot read page: "after" is not a cursor of this history, a cursor of an earlier answer is expected',
  );
}
