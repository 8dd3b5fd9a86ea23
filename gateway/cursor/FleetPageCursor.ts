/**
 * Composite cursor over the members' pages of one list: base64url of the JSON `{name: page cursor of that member}`.
 *
 * Members that it does not name start at their beginning; members that are away keep their position.
 */
import { badUserInput } from '../../schema/errors.ts';
import { fromBase64Url, toBase64Url } from '../../schema/pageCursor.ts';

/** Longest accepted text, in characters; a fleet of 200 members fits. */
const MAX_LENGTH = 65_536;

/** Member name to the page cursor of the last row the reader has seen of it; never mutated. */
export type FleetPageCursor = ReadonlyMap<string, string>;

/** @throws {FlotillaError} BAD_USER_INPUT when the text is not such a cursor. */
export function parseFleetPageCursor(text: string): FleetPageCursor {
  const parsed = text.length <= MAX_LENGTH ? parseJson(fromBase64Url(text)) : undefined;
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    const entries = Object.entries(parsed);
    if (entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
      return new Map(entries);
  }
  throw badUserInput(
    'Cannot read page: "after" is not a cursor of this list, a cursor of an earlier answer is expected',
  );
}

/** Equal cursors are equal strings: names are in code-point order. */
export function formatFleetPageCursor(cursor: FleetPageCursor): string {
  const entries = [...cursor].sort(([a], [b]) => (a < b ? -1 : 1));
  return toBase64Url(JSON.stringify(Object.fromEntries(entries)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
