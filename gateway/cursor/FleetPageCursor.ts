/**
 * Composite cursor over the members' pages of one list, as base64url of JSON. Two forms:
 *
 * 1. `{name: page cursor of that member}`: a position for each member.
 * 2. `[[value, id], member, names, {name: page cursor}]`: the last row that was seen and whose it is; the members that have
 *    rows beyond it and stand exactly there, however many they are; and the positions of all others. Of equal values a
 *    member's rows come after those of the members before it in code-point order. The names are front-coded: each begins with
 *    the number, in base 36, of the characters that it shares with the one before.
 *
 * Members that neither names start at their beginning; members that are away keep their position.
 */
import { badUserInput } from '../../schema/errors.ts';
import { formatPageCursor, fromBase64Url, type PageCursor, toBase64Url } from '../../schema/pageCursor.ts';

/** Longest accepted text, in characters; a fleet of 1,000 members fits, whatever its state. */
const MAX_LENGTH = 262_144;
/** Longest shared beginning of two names; one character. */
const MAX_SHARED = 35;
/** Not less than any id: ids are ASCII. */
const LAST_ID = '\uffff';

/** Member name to the page cursor of the last row the reader has seen of it; never mutated. */
export type FleetPageCursor = ReadonlyMap<string, string>;

/** The members that stand at the same row. */
export interface PageFront {
  /** The last row that was seen. */
  readonly row: PageCursor;
  readonly member: string;
  /** Who has rows beyond it. */
  readonly names: ReadonlySet<string>;
}

/**
 * @param isDescending the order of the list; equal values are ordered by id in the same direction.
 * @throws {FlotillaError} BAD_USER_INPUT when the text is not such a cursor.
 */
export function parseFleetPageCursor(text: string, isDescending: boolean): FleetPageCursor {
  const parsed = text.length <= MAX_LENGTH ? parseJson(fromBase64Url(text)) : undefined;
  const cursor = Array.isArray(parsed) ? readFront(parsed, isDescending) : readPositions(parsed);
  if (cursor) return cursor;
  throw badUserInput(
    'Cannot read page: "after" is not a cursor of this list, a cursor of an earlier answer is expected',
  );
}

/**
 * Equal cursors are equal strings: names are in code-point order.
 *
 * @param front whose members need no position of their own.
 */
export function formatFleetPageCursor(cursor: FleetPageCursor, front?: PageFront): string {
  const isApart = (name: string): boolean => name !== front?.member && !front?.names.has(name);
  const entries = [...cursor].filter(([name]) => isApart(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const positions = Object.fromEntries(entries);
  if (!front) return toBase64Url(JSON.stringify(positions));
  const { row, member, names } = front;
  return toBase64Url(JSON.stringify([[row.value, row.id], member, encodeNames(names), positions]));
}

function readPositions(value: unknown): FleetPageCursor | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return entries.every(isText) ? new Map(entries) : undefined;
}

function readFront(value: readonly unknown[], isDescending: boolean): FleetPageCursor | undefined {
  const [row, member, names, apart] = value;
  const positions = readPositions(apart);
  if (value.length !== 4 || !isRow(row) || typeof member !== 'string' || !positions) return undefined;
  const all = typeof names === 'string' ? decodeNames(names) : undefined;
  if (!all) return undefined;
  const [order, id] = row;
  // Where the members before and after the row's own stand among rows of the same value: behind all of theirs, before all.
  const behind = formatPageCursor({ value: order, id: isDescending ? '' : LAST_ID });
  const before = formatPageCursor({ value: order, id: isDescending ? LAST_ID : '' });
  const cursor = new Map(positions);
  for (const name of all) cursor.set(name, name < member ? behind : before);
  return cursor.set(member, formatPageCursor({ value: order, id }));
}

function isRow(value: unknown): value is readonly [value: string | number, id: string] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    (typeof value[0] === 'string' || Number.isSafeInteger(value[0])) &&
    typeof value[1] === 'string'
  );
}

/** The same set is encoded for each row of a page. */
const encoded = new WeakMap<ReadonlySet<string>, string>();

function encodeNames(names: ReadonlySet<string>): string {
  const known = encoded.get(names);
  if (known !== undefined) return known;
  let previous = '';
  const parts: string[] = [];
  for (const name of [...names].sort((a, b) => (a < b ? -1 : 1))) {
    let shared = 0;
    while (shared < MAX_SHARED && shared < previous.length && name[shared] === previous[shared]) shared += 1;
    parts.push(shared.toString(36) + name.slice(shared));
    previous = name;
  }
  const text = parts.join(',');
  encoded.set(names, text);
  return text;
}

/** Undefined when it is not the text of names. */
function decodeNames(text: string): readonly string[] | undefined {
  if (text === '') return [];
  let previous = '';
  const names: string[] = [];
  for (const part of text.split(',')) {
    const shared = Number.parseInt(part[0] ?? '', 36);
    if (!(shared <= previous.length)) return undefined;
    previous = previous.slice(0, shared) + part.slice(1);
    names.push(previous);
  }
  return names;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
