/** The two lists that are paged over the fleet: how their arguments, cursors and rows are read (design § 3 "Pages"). */
import { badUserInput, FlotillaError } from '../../schema/errors.ts';
import { formatPageCursor, type PageCursor, parsePageCursor } from '../../schema/pageCursor.ts';
import {
  assertCursorHolds,
  type FleetCursor,
  formatFleetCursor,
  parseFleetCursor,
} from '../cursor/FleetCursor.ts';
import { formatFleetPageCursor, parseFleetPageCursor } from '../cursor/FleetPageCursor.ts';
import type { PageRule, RowKeys } from '../routing/pages.ts';
import { isRecord, ownValue } from './completeValue.ts';
import type { PageOrder, PageRow } from './mergePages.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
/** Most members whose positions are named one by one, where they have rows beyond the last one that was seen. */
const MAX_NAMED = 32;

/** What a member takes as `after`: page cursors are text, offsets are numbers. */
export type After = string | number;

/** The same, or the parts of a page cursor: most are never written. */
export type Position = After | PageCursor;

/** @template P the positions of one list. */
export interface PageReader<P extends Position = Position> {
  /** @throws {FlotillaError} BAD_USER_INPUT when a number is out of bounds. */
  order(args: PageArguments): PageOrder;
  /** @throws {FlotillaError} BAD_USER_INPUT when the text is not a cursor of this list. */
  parse(after: string, order: PageOrder): ReadonlyMap<string, P & After>;
  /** @throws {FlotillaError} NOT_SUPPORTED when there are more positions than a cursor holds. */
  format(reached: Reached<P>): string;
  /** Where a member stands that the cursor does not name; undefined: before its beginning, which needs no name. */
  readonly beginning: P | undefined;
  /** Key and position of a row from its hidden edge; undefined when the member sent neither in a readable form. */
  row(edge: Readonly<Record<string, unknown>>): PageRow<P> | undefined;
  /**
   * Whether a row of a member stands at the position that the member was asked from, or before it; one of which only the member
   * could tell does not.
   *
   * @throws {FlotillaError} BAD_USER_INPUT when the position is none of this list.
   */
  seenFrom(after: P, order: PageOrder): (row: PageRow<P>) => boolean;
}

/** How far a page has come after one of its rows. */
export interface Reached<P extends Position = Position> {
  readonly positions: ReadonlyMap<string, P>;
  /** Whose row it is; undefined before the first one. */
  readonly member: string | undefined;
  /** Members that have rows of which the next one comes later. */
  readonly ahead: ReadonlySet<string>;
}

export type PageArguments = Readonly<Record<string, unknown>>;

const tasks: PageReader<string | PageCursor> = {
  order: (args) => ({
    isDescending: String(args.orderBy).endsWith('_DESC'),
    keep: 'first',
    limit: pageSize(args, 'first') ?? DEFAULT_PAGE_SIZE,
  }),
  parse: (after, { isDescending }) => parseFleetPageCursor(after, isDescending),
  format({ positions, member, ahead }) {
    const isLarge = member !== undefined && ahead.size > MAX_NAMED;
    const apart = isLarge ? [...positions].filter(([name]) => !ahead.has(name)) : [...positions];
    const cursor = new Map(apart.map(([name, at]) => [name, toText(at)]));
    if (!isLarge) return formatFleetPageCursor(cursor);
    return formatFleetPageCursor(cursor, { row: toRow(positions.get(member)!), member, names: ahead });
  },
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
  seenFrom(after, { isDescending }) {
    const { value, id } = toRow(after);
    return ({ key, position }) => {
      if (key === value) return toRow(position).id === id;
      // Texts are in an order of the member's own.
      if (typeof key === 'string' || typeof value === 'string') return false;
      return isDescending ? key > value : key < value;
    };
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
  format({ positions }) {
    assertCursorHolds(positions.size, 'events');
    return formatFleetCursor(positions);
  },
  beginning: 0,
  row({ cursor, node }) {
    const position = typeof cursor === 'string' && /^\d{1,16}$/.test(cursor) ? Number(cursor) : Number.NaN;
    const key = isRecord(node) ? Date.parse(String(node.at)) : Number.NaN;
    return Number.isSafeInteger(position) && Number.isFinite(key) ? { key, position } : undefined;
  },
  seenFrom:
    (after) =>
    ({ position }) =>
      position <= after,
};

export const PAGE_READERS: Readonly<Record<PageRule['order'], PageReader>> = {
  tasks: tasks as PageReader,
  log: log as PageReader,
};

/** Reads key and position from a row itself; undefined when what they are made of is not there. */
export function rowReader({ id: idKey, value: valueKey, isTime }: RowKeys): PageReader['row'] {
  return (row) => {
    const id = ownValue(row, idKey);
    const text = ownValue(row, valueKey);
    if (typeof id !== 'string' || typeof text !== 'string') return undefined;
    const value = isTime ? Date.parse(text) : text;
    return Number.isNaN(value) ? undefined : { key: value, position: { value, id } };
  };
}

function toText(at: string | PageCursor): string {
  return typeof at === 'string' ? at : formatPageCursor(at);
}

function toRow(at: string | PageCursor): PageCursor {
  return typeof at === 'string' ? parsePageCursor(at) : at;
}

function pageSize(args: PageArguments, name: 'first' | 'last'): number | undefined {
  const size = args[name] ?? undefined;
  if (size === undefined) return undefined;
  if (typeof size === 'number' && size >= 0 && size <= MAX_PAGE_SIZE) return size;
  throw badUserInput(`Cannot read page: "${name}" is ${size}, 0 to ${MAX_PAGE_SIZE} is expected`);
}
