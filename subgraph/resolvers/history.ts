/** The conversation of a task as the wire shows it, page by page. */
import { toIsoTime } from '../../lib/Clock.ts';
import { badUserInput } from '../../schema/errors.ts';
import type { HistoryItem, TaskHistoryArgs } from '../../schema/generated/resolvers.ts';
import type { TaskEngine, TaskRow } from '../engine/TaskEngine.ts';
import type { HistoryEntry } from '../task/index.ts';
import { type Connection, pageEnd, toConnection } from './pages.ts';

/**
 * What the task knew at the version of the row. Ids count from 1 without a gap, so a position tells what is on its other side.
 *
 * @throws {FlotillaError} BAD_USER_INPUT for a page that is none.
 */
export async function readHistory(
  engine: Pick<TaskEngine, 'history'>,
  { id, lastEntryId }: Pick<TaskRow, 'id' | 'lastEntryId'>,
  { after, before, ...ends }: Partial<TaskHistoryArgs>,
): Promise<Connection<HistoryItem>> {
  const { keep, size } = pageEnd(ends, { keep: 'oldest', size: 50 });
  const afterId = parsePosition('after', after) ?? 0;
  const beforeId = Math.min(parsePosition('before', before) ?? Number.POSITIVE_INFINITY, lastEntryId + 1);
  const entries = await engine.history({ id }, { afterId, beforeId, limit: size + 1, keep });
  return toConnection(entries, {
    keep,
    size,
    toNode: toHistoryItem,
    toCursor: (entry) => String(entry.id),
    hasMore: { before: afterId > 0, after: beforeId <= lastEntryId },
  });
}

/** One entry of the conversation as the wire shows it. */
function toHistoryItem(entry: HistoryEntry): HistoryItem {
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

function parsePosition(name: string, cursor: string | null | undefined): number | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw badUserInput(
    `Cannot read page: "${name}" is not a cursor of this history, a cursor of an earlier answer is expected`,
  );
}
