/**
 * A session's transcript as the history of its task (spec/rest-shapes.md § 12). Entries are what the harness wrote: those that
 * are messages, tool calls and tool results are shown, all others are passed over.
 */
import { FlotillaError } from '../../../schema/errors.ts';
import { asRecord } from '../parseMemberJson.ts';
import { type HistoryConnection, type HistoryItem, toHistoryPage } from '../toHistoryPage.ts';
import type { Row } from './RestCalls.ts';
import type { RestContext } from './RestContext.ts';
import { toInstant } from './readFrame.ts';

/** A session without a transcript has an empty history. @throws {FlotillaError} BAD_USER_INPUT for a page that is none. */
export async function readHistory(
  ref: string,
  args: Row,
  { calls }: RestContext,
): Promise<HistoryConnection> {
  return toHistoryPage(toHistoryItems(await readEntries(ref, calls)), args);
}

/** Items in the order of the transcript, numbered from 1. Pure. */
export function toHistoryItems(entries: readonly unknown[]): readonly HistoryItem[] {
  const items: HistoryItem[] = [];
  for (const entry of entries) {
    const { type, message, timestamp } = asRecord(entry) ?? {};
    const { role = type, content } = asRecord(message) ?? {};
    const at = toInstant(timestamp) ?? new Date(0).toISOString();
    for (const part of partsOf(content)) {
      const item = toItem(asRecord(part) ?? {}, role);
      if (item) items.push({ ...item, id: items.length + 1, at });
    }
  }
  return items;
}

function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [];
}

function toItem(part: Row, role: unknown): Row | undefined {
  switch (part.type) {
    case 'text':
      return {
        __typename: 'HistoryMessage',
        role: role === 'assistant' ? 'ASSISTANT' : 'USER',
        participant: null,
        text: String(part.text ?? ''),
      };
    case 'tool_use':
      return {
        __typename: 'HistoryToolCall',
        callId: String(part.id ?? ''),
        tool: String(part.name ?? ''),
        arguments: part.input ?? {},
      };
    case 'tool_result':
      return {
        __typename: 'HistoryToolResult',
        callId: String(part.tool_use_id ?? ''),
        tool: '',
        text: typeof part.content === 'string' ? part.content : JSON.stringify(part.content ?? ''),
        isError: part.is_error === true,
      };
    default:
      return undefined;
  }
}

async function readEntries(ref: string, calls: RestContext['calls']): Promise<readonly unknown[]> {
  try {
    const { entries } = await calls.readObject('/api/v1/sessions/transcript', { ref, tail: 0 });
    return Array.isArray(entries) ? entries : [];
  } catch (error) {
    if (error instanceof FlotillaError && error.code === 'NOT_FOUND') return [];
    throw error;
  }
}
