/**
 * A worker's position in its task list: the order value and the id of the last row the reader has seen.
 *
 * The manager merges members' pages by the order value, so the form is part of the contract between instances,
 * opaque only to clients.
 */
import { badUserInput } from './errors.ts';

/** Longest accepted text, in characters. */
const MAX_LENGTH = 1024;

export interface PageCursor {
  /** Epoch milliseconds for the orders by time, the ref for the order by ref. */
  readonly value: string | number;
  readonly id: string;
}

export function formatPageCursor({ value, id }: PageCursor): string {
  return toBase64Url(JSON.stringify([value, id]));
}

/** @throws {FlotillaError} BAD_USER_INPUT when the text is not a page cursor. */
export function parsePageCursor(text: string): PageCursor {
  const parsed = text.length <= MAX_LENGTH ? fromJson(text) : undefined;
  if (Array.isArray(parsed) && parsed.length === 2) {
    const [value, id] = parsed as unknown[];
    if ((typeof value === 'string' || Number.isSafeInteger(value)) && typeof id === 'string') {
      return { value: value as string | number, id };
    }
  }
  throw badUserInput(
    'Cannot read page: "after" is not a cursor of this list, a cursor of an earlier answer is expected',
  );
}

export function toBase64Url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

/** Characters outside the alphabet are passed over, so the result is text that still has to be parsed. */
export function fromBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(fromBase64Url(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
