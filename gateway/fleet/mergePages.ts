/**
 * Joins members' pages of one list into one page (design § 3 "Pages"): pure.
 *
 * 1. A member's rows keep their order; rows of several members are ordered by key, then by name, so the result does not
 *    depend on who answered first.
 * 2. After a page the reader's position names, for each member, the last row of it that the page took in. Walking on from
 *    there visits every row exactly once, whoever was away in between.
 * 3. The page ends where a member's page was cut: what the others have beyond it may come after rows that are not here.
 */

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

/** The first pick that no row can be missing before. */
function beginningOfCut(pages: readonly MemberPage<unknown>[], picks: readonly Pick[]): number {
  return picks.findLastIndex(({ page, row }) => row === 0 && pages[page]?.isCut);
}

function takeInOrder<Position>(
  pages: readonly MemberPage<Position>[],
  limit: number,
  { isDescending, stopsAtCut }: { readonly isDescending: boolean; readonly stopsAtCut: boolean },
): { picks: Pick[]; isExhausted: boolean } {
  const heads = pages.map(() => 0);
  const byName = pages
    .map((_, index) => index)
    .sort((a, b) => (pages[a]!.member < pages[b]!.member ? -1 : 1));
  const picks: Pick[] = [];
  for (;;) {
    let best: number | undefined;
    for (const index of byName) {
      const row = pages[index]!.rows[heads[index]!];
      if (
        row &&
        (best === undefined || isBefore(row.key, pages[best]!.rows[heads[best]!]!.key, isDescending))
      ) {
        best = index;
      }
    }
    if (best === undefined) return { picks, isExhausted: true };
    if (picks.length >= limit) return { picks, isExhausted: false };
    picks.push({ page: best, row: heads[best]! });
    heads[best]! += 1;
    const { rows, isCut } = pages[best]!;
    if (stopsAtCut && isCut && heads[best] === rows.length) return { picks, isExhausted: false };
  }
}

function isBefore(a: number | string, b: number | string, isDescending: boolean): boolean {
  return isDescending ? a > b : a < b;
}
