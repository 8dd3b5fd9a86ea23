/** A page of a conversation that a member of another make tells whole: pure. */
import { badUserInput } from '../../schema/errors.ts';

const MAX_PAGE = 1000;

/** Of the graph's type, with `id` counting from 1 in the order of the conversation. */
export interface HistoryItem extends Readonly<Record<string, unknown>> {
  readonly id: number;
}

export interface HistoryConnection {
  readonly edges: readonly { readonly cursor: string; readonly node: HistoryItem }[];
  readonly nodes: readonly HistoryItem[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/**
 * @param args of the field `history`.
 * @throws {FlotillaError} BAD_USER_INPUT for a page or a cursor that is none.
 */
export function toHistoryPage(
  all: readonly HistoryItem[],
  args: Readonly<Record<string, unknown>>,
): HistoryConnection {
  const { size, isBackward, after, before } = parsePage(args);
  const between = all.slice(after, Math.max(after, before - 1));
  const nodes = isBackward ? between.slice(Math.max(0, between.length - size)) : between.slice(0, size);
  const [first, last] = [nodes[0]?.id ?? after + 1, nodes.at(-1)?.id ?? after];
  const edges = nodes.map((node) => ({ cursor: String(node.id), node }));
  return {
    edges,
    nodes,
    pageInfo: {
      hasNextPage: last < all.length,
      hasPreviousPage: first > 1,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

interface HistoryPage {
  readonly size: number;
  /** Whether the newest of what lies between are kept. */
  readonly isBackward: boolean;
  readonly after: number;
  readonly before: number;
}

function parsePage({ first, last, after, before }: Readonly<Record<string, unknown>>): HistoryPage {
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
