/** The two lists that are paged over the fleet: how their arguments, cursors and rows are read (design § 3 "Pages"). */
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import { parsePageCursor } from '../../schema/pageCursor.ts';
import { type FleetCursor, formatFleetCursor, parseFleetCursor } from '../cursor/FleetCursor.ts';
import {
  type FleetPageCursor,
  formatFleetPageCursor,
  parseFleetPageCursor,
} from '../cursor/FleetPageCursor.ts';
import type { PageRule } from '../routing/pages.ts';
import { isRecord } from './completeValue.ts';
import type { PageOrder, PageRow } from './mergePages.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

/** What a member takes as `after`: page cursors are text, offsets are numbers. */
export type Position = string | number;

/** @template P the positions of one list. */
export interface PageReader<P extends Position = Position> {
  /** @throws {FlotillaError} BAD_USER_INPUT when a number is out of bounds. */
  order(args: PageArguments): PageOrder;
  /** @throws {FlotillaError} BAD_USER_INPUT when the text is not a cursor of this list. */
  parse(after: string): ReadonlyMap<string, P>;
  format(positions: ReadonlyMap<string, P>): string;
  /** Where a member stands that the cursor does not name; undefined: before its beginning, which needs no name. */
  readonly beginning: P | undefined;
  /** Key and position of a row from its hidden edge; undefined when the member sent neither in a readable form. */
  row(edge: Readonly<Record<string, unknown>>): PageRow<P> | undefined;
}

export type PageArguments = Readonly<Record<string, unknown>>;

const tasks: PageReader<string> = {
  order: (args) => ({
    isDescending: String(args.orderBy).endsWith('_DESC'),
    keep: 'first',
    limit: pageSize(args, 'first') ?? DEFAULT_PAGE_SIZE,
  }),
  parse: (after): FleetPageCursor => parseFleetPageCursor(after),
  format: formatFleetPageCursor,
  beginning: undefined,
  row({ cursor }) {
    if (typeof cursor !== 'string') return undefined;
    try {
      return { key: parsePageCursor(cursor).value, position: cursor };
    } catch (error) {
      if (error instanceof FlotillaError) return undefined;
      throw error;
    }
  },
};

const log: PageReader<number> = {
  order(args) {
    const first = pageSize(args, 'first');
    const last = pageSize(args, 'last');
    if (first !== undefined && last !== undefined) {
      throw badUserInput('Cannot read events: "first" and "last" are both given, one of them is expected');
    }
    return first === undefined
      ? { isDescending: false, keep: 'last', limit: last ?? DEFAULT_PAGE_SIZE }
      : { isDescending: false, keep: 'first', limit: first };
  },
  parse: (after): FleetCursor => parseFleetCursor(after),
  format: formatFleetCursor,
  beginning: 0,
  row({ cursor, node }) {
    const position = typeof cursor === 'string' && /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
    const key = isRecord(node) ? Date.parse(String(node.at)) : Number.NaN;
    return Number.isSafeInteger(position) && Number.isFinite(key) ? { key, position } : undefined;
  },
};

export const PAGE_READERS: Readonly<Record<PageRule['order'], PageReader>> = {
  tasks: tasks as PageReader,
  log: log as PageReader,
};

function pageSize(args: PageArguments, name: 'first' | 'last'): number | undefined {
  const size = args[name] ?? undefined;
  if (size === undefined) return undefined;
  if (typeof size === 'number' && size >= 0 && size <= MAX_PAGE_SIZE) return size;
  throw badUserInput(`Cannot read page: "${name}" is ${size}, 0 to ${MAX_PAGE_SIZE} is expected`);
}
