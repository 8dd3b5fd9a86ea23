/**
 * Joins members' pages of one list into one page (design § 3 "Pages"): pure.
 *
 * 1. A member's rows keep their order; rows of several members are ordered by key, then by name, so the result does not
 *    depend on who answered first.
 * 2. After a page the reader's position names, for each member, the last row of it that the page took in. Walking on from
 *    there visits every row exactly once, whoever was away in between.
 * 3. The page ends where a member's page was cut: what the others have beyond it may come after rows that are not here.
 */
import { Heap } from './Heap.ts';

/** A member's page, in the member's order. */
export interface MemberPage<Position> {
  readonly member: string;
  readonly rows: readonly PageRow<Position>[];
  readonly hasNextPage: boolean;
  /** Whether it is shorter than what was asked for, though the member has more rows. @default false */
  readonly isCut?: boolean;
}

export interface PageRow<Position> {
  /** What rows of different members are ordered by. */
  readonly key: number | string;
  /** The reader's position in this member after the row. */
  readonly position: Position;
}

export interface PageOrder {
  readonly isDescending: boolean;
  /** `first` pages forward, `last` keeps the newest. */
  readonly keep: 'first' | 'last';
  /** Most rows of the page; at least 0. */
  readonly limit: number;
}

export interface MergedPage<Position> {
  /** The page's rows in order: index of the member's page and of its row. */
  readonly picks: readonly Pick[];
  /** The positions before the first pick. */
  readonly start: ReadonlyMap<string, Position>;
  readonly hasNextPage: boolean;
}

export interface Pick {
  readonly page: number;
  readonly row: number;
}

/** @param after positions that the reader came with; those of members without a page are kept. */
export function mergePages<Position>(
  pages: readonly MemberPage<Position>[],
  after: ReadonlyMap<string, Position>,
  { isDescending, keep, limit }: PageOrder,
): MergedPage<Position> {
  const all = keep === 'last' ? Number.POSITIVE_INFINITY : limit;
  const { picks: taken, isExhausted } = takeInOrder(pages, all, {
    isDescending,
    stopsAtCut: keep === 'first',
  });
  const cut = keep === 'last' ? Math.max(0, taken.length - limit, beginningOfCut(pages, taken)) : 0;
  const start = new Map(after);
  for (const { page, row } of taken.slice(0, cut)) {
    const { member, rows } = pages[page]!;
    start.set(member, rows[row]!.position);
  }
  return {
    picks: cut > 0 ? taken.slice(cut) : taken,
    start,
    hasNextPage: !isExhausted || pages.some(({ hasNextPage }) => hasNextPage),
  };
}

/** The members whose page was cut, and all of whose rows have a place: what they have beyond them may have one, too. */
export function cutShort(pages: readonly MemberPage<unknown>[], order: PageOrder): string[] {
  const { picks } = takeInOrder(pages, order.limit, { ...order, stopsAtCut: false });
  const taken = pages.map(() => 0);
  for (const { page } of picks) taken[page]! += 1;
  return pages
    .filter((page, index) => isCutShort(page) && taken[index] === page.rows.length)
    .map(({ member }) => member);
}

/** The first pick that no row can be missing before. */
function beginningOfCut(pages: readonly MemberPage<unknown>[], picks: readonly Pick[]): number {
  return picks.findLastIndex(({ page, row }) => row === 0 && pages[page]?.isCut);
}

/** A page and its first row that is not taken yet. */
interface Head {
  readonly page: number;
  row: number;
}

function takeInOrder<Position>(
  pages: readonly MemberPage<Position>[],
  limit: number,
  { isDescending, stopsAtCut }: { readonly isDescending: boolean; readonly stopsAtCut: boolean },
): { picks: Pick[]; isExhausted: boolean } {
  const keyOf = ({ page, row }: Head): number | string => pages[page]!.rows[row]!.key;
  const heads = new Heap(
    pages.flatMap(({ rows }, page): Head[] => (rows.length > 0 ? [{ page, row: 0 }] : [])),
    (one, other) => {
      const [a, b] = [keyOf(one), keyOf(other)];
      return a === b ? pages[one.page]!.member < pages[other.page]!.member : isBefore(a, b, isDescending);
    },
  );
  const picks: Pick[] = [];
  for (let head = heads.first; head; head = heads.first) {
    if (picks.length >= limit) return { picks, isExhausted: false };
    picks.push({ page: head.page, row: head.row });
    const page = pages[head.page]!;
    head.row += 1;
    if (head.row < page.rows.length) heads.moveFirst();
    else if (stopsAtCut && isCutShort(page)) return { picks, isExhausted: false };
    else heads.drop();
  }
  return { picks, isExhausted: true };
}

/** Whether the member has rows beyond these that may come before those of others. */
function isCutShort({ isCut, hasNextPage }: MemberPage<unknown>): boolean {
  return isCut === true && hasNextPage;
}

function isBefore(a: number | string, b: number | string, isDescending: boolean): boolean {
  return isDescending ? a > b : a < b;
}
