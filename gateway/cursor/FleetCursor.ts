/**
 * Composite cursor over the event logs of the fleet: one log offset per member.
 *
 * Wire form `name=offset(,name=offset)*`, names in code-point order, so equal cursors are equal strings
 * (spec/manager.md § 14.3). Names can hold neither `=` nor `,`.
 */
import { badUserInput, notSupported } from '../../schema/errors.ts';

/** Most instances whose positions a cursor holds: the own one and 1,023 members. */
const MAX_PARTS = 1024;
/** Longest accepted wire form, in characters: so many instances fit, whatever their names and their offsets. */
const MAX_LENGTH = 65_536;

/** Member name to the last offset that the reader has seen; never mutated. */
export type FleetCursor = ReadonlyMap<string, number>;

/**
 * Parses a cursor that a client sent back. Members that are not in the fleet are kept: they may be away and come back.
 *
 * @throws {FlotillaError} BAD_USER_INPUT when the text is not a wire form, empty text included.
 */
export function parseFleetCursor(text: string): FleetCursor {
  if (text.length > MAX_LENGTH) {
    throw badUserInput(
      `Cannot read cursor: its length is ${text.length}, at most ${MAX_LENGTH} characters are expected`,
    );
  }
  const parts = text.split(',');
  if (parts.length > MAX_PARTS) {
    throw badUserInput(`Cannot read cursor: it has ${parts.length} parts, at most ${MAX_PARTS} are expected`);
  }
  const cursor = new Map<string, number>();
  for (const part of parts) {
    const { name, offset } = parsePosition(part);
    if (cursor.has(name)) {
      throw badUserInput(`Cannot read cursor: member "${name}" is named twice, once is expected`);
    }
    cursor.set(name, offset);
  }
  return cursor;
}

export function formatFleetCursor(cursor: FleetCursor): string {
  return [...cursor]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, offset]) => `${name}=${offset}`)
    .join(',');
}

/**
 * For whoever would have to be given a cursor, before anything is read: one that cannot be sent back is none.
 *
 * @throws {FlotillaError} NOT_SUPPORTED when a cursor cannot hold the positions of so many instances.
 */
export function assertCursorHolds(instances: number, operation: string): void {
  if (instances <= MAX_PARTS) return;
  const why = `${instances} instances are in the fleet, a cursor holds the positions of at most ${MAX_PARTS}`;
  throw notSupported(operation, why);
}

/** The cursor after `name`'s record at `offset` was seen. A position never goes back. */
export function advance(cursor: FleetCursor, name: string, offset: number): FleetCursor {
  return new Map(cursor).set(name, Math.max(offset, cursor.get(name) ?? 0));
}

function parsePosition(part: string): { name: string; offset: number } {
  const [, name, digits] = /^([a-z0-9][a-z0-9-]{0,39})=(\d{1,16})$/.exec(part) ?? [];
  const offset = Number(digits);
  if (name === undefined || !Number.isSafeInteger(offset)) {
    throw badUserInput(
      'Cannot read cursor: a position is not of the form name=offset, name=offset is expected',
    );
  }
  return { name, offset };
}
