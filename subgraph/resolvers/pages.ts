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

/** Which end of a list a page is taken from, and how long it is. */
export interface PageEnd {
  readonly keep: 'oldest' | 'newest';
  readonly size: number;
}

/**
 * The meaning of `first` and `last`.
 *
 * @param fallback without either.
 * @throws {FlotillaError} BAD_USER_INPUT for both, and for a size outside 0 to 1,000.
 */
export function pageEnd(
  { first, last }: { readonly first?: number | null; readonly last?: number | null },
  fallback: PageEnd,
): PageEnd {
  const isForward = first !== null && first !== undefined;
  const isBackward = last !== null && last !== undefined;
  if (isForward && isBackward) {
    throw badUserInput('Cannot read page: "first" and "last" are both given, one of them is expected');
  }
  if (isForward) return { keep: 'oldest', size: pageSize('first', first, 0) };
  return isBackward ? { keep: 'newest', size: pageSize('last', last, 0) } : fallback;
}

export interface Connection<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly nodes: readonly Node[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

export interface ConnectionOptions<Row, Node> extends PageEnd {
  readonly toNode: (row: Row) => Node;
  readonly toCursor: (row: Row) => string;
  /** Whether there are rows outside the range that was read. @default there are none */
  readonly hasMore?: { readonly before?: boolean; readonly after?: boolean };
}

/** A page of `size` from rows that were read with a limit of `size + 1`. Only the parts that are read are made. */
export function toConnection<Row, Node>(
  rows: readonly Row[],
  { keep, size, toNode, toCursor, hasMore = {} }: ConnectionOptions<Row, Node>,
): Connection<Node> {
  const isCut = rows.length > size;
  const page =
    keep === 'oldest' ? rows.slice(0, size) : rows.slice(rows.length - Math.min(size, rows.length));
  const cursorOf = (row: Row | undefined): string | null => (row === undefined ? null : toCursor(row));
  let made: readonly Node[] | undefined;
  const connection: Connection<Node> = {
    get edges() {
      const { nodes } = connection;
      return page.map((row, index) => ({ cursor: toCursor(row), node: nodes[index] as Node }));
    },
    get nodes() {
      made ??= page.map(toNode);
      return made;
    },
    pageInfo: {
      hasNextPage: (keep === 'oldest' && isCut) || hasMore.after === true,
      hasPreviousPage: (keep === 'newest' && isCut) || hasMore.before === true,
      get startCursor() {
        return cursorOf(page[0]);
      },
      get endCursor() {
        return cursorOf(page.at(-1));
      },
    },
  };
  return connection;
}
