/**
 * A session's transcript as the history of its task (spec/rest-shapes.md § 12). Entries are what the harness wrote: those that
 * are messages, tool calls and tool results are shown, all others are passed over.
 */
import { badUserInput, FlotillaError } from '../../../schema/errors.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { Row } from './RestCalls.ts';
import type { RestContext } from './RestContext.ts';
import { toInstant } from './readFrame.ts';

const MAX_PAGE = 1000;

export interface HistoryConnection {
  readonly edges: readonly { readonly cursor: string; readonly node: Row }[];
  readonly nodes: readonly Row[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** A session without a transcript has an empty history. @throws {FlotillaError} BAD_USER_INPUT for a page that is none. */
export async function readHistory(
  ref: string,
  args: Row,
  { calls }: RestContext,
): Promise<HistoryConnection> {
  const { size, isBackward, after, before } = parsePage(args);
  const all = toHistoryItems(await readEntries(ref, calls));
  const between = all.slice(after, Math.max(after, before - 1));
  const nodes = isBackward ? between.slice(Math.max(0, between.length - size)) : between.slice(0, size);
  const [first, last] = [nodes[0]?.id ?? after + 1, nodes.at(-1)?.id ?? after];
  const edges = nodes.map((node) => ({ cursor: String(node.id), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: (last as number) < all.length,
      hasPreviousPage: (first as number) > 1,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** Items in the order of the transcript, numbered from 1. Pure. */
export function toHistoryItems(entries: readonly unknown[]): readonly Row[] {
  const items: Row[] = [];
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

interface HistoryPage {
  readonly size: number;
  /** Whether the newest of what lies between are kept. */
  readonly isBackward: boolean;
  readonly after: number;
  readonly before: number;
}

function parsePage({ first, last, after, before }: Row): HistoryPage {
  const isBackward = typeof last === 'number' && typeof first !== 'number';
  const size = Number(first ?? last ?? 50);
  if (size < 0 || size > MAX_PAGE) {
    throw badUserInput(`Cannot read page: it has ${size} items, 0 to ${MAX_PAGE} are expected`);
  }
  return {
    size,
    isBackward,
    after: parsePosition('after', after, 0),
    before: parsePosition('before', before, Number.MAX_SAFE_INTEGER),
  };
}

function parsePosition(name: string, value: unknown, absent: number): number {
  if (value === undefined || value === null) return absent;
  if (/^\d{1,15}$/.test(String(value))) return Number(value);
  throw badUserInput(
    `Cannot read page: "${name}" is not a cursor of this history, a cursor of an earlier answer is expected`,
  );
}
