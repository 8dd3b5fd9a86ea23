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

/** A page of `size` from rows that were read with a limit of `size + 1`. Only the parts that are read are made. */
export function toConnection<Row, Node>(
  rows: readonly Row[],
  size: number,
  { toNode, toCursor }: { toNode: (row: Row) => Node; toCursor: (row: Row) => string },
): Connection<Node> {
  const page = rows.slice(0, size);
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
      hasNextPage: rows.length > size,
      get endCursor() {
        const last = page.at(-1);
        return last === undefined ? null : toCursor(last);
      },
    },
  };
  return connection;
}
