/** Arguments of paged fields, checked once for all of them. */
import { badUserInput } from '../../schema/errors.ts';

/** Most rows of one page. */
export const MAX_PAGE = 1000;

/** @throws {FlotillaError} BAD_USER_INPUT outside 0 to 1,000. */
export function pageSize(name: string, value: number | null | undefined, fallback: number): number {
  const size = value ?? fallback;
  if (size >= 0 && size <= MAX_PAGE) return size;
  throw badUserInput(`Cannot read page: "${name}" is ${size}, 0 to ${MAX_PAGE} is expected`);
}

export interface Connection<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** A page of `size` from rows that were read with a limit of `size + 1`. */
export function toConnection<Row, Node>(
  rows: readonly Row[],
  size: number,
  { toNode, toCursor }: { toNode: (row: Row) => Node; toCursor: (row: Row) => string },
): Connection<Node> {
  const page = rows.slice(0, size);
  const nodes = page.map(toNode);
  const cursors = page.map(toCursor);
  return {
    edges: nodes.map((node, index) => ({ cursor: cursors[index] as string, node })),
    nodes,
    pageInfo: { hasNextPage: rows.length > size, endCursor: cursors.at(-1) ?? null },
  };
}
