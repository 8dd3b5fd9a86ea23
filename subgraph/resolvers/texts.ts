/** Bounds of the texts that clients send. */
import { badUserInput } from '../../schema/errors.ts';

/** Longest accepted text, in characters. */
const MAX_LENGTH = {
  message: 1_000_000,
  goal: 1_000_000,
  description: 100_000,
  question: 100_000,
  option: 500,
  criterion: 10_000,
  reason: 10_000,
  name: 500,
} as const;

/** Longest id of a message, in characters. */
const MAX_MESSAGE_ID_LENGTH = 200;

/** @throws {FlotillaError} BAD_USER_INPUT when the text is blank or too long. */
export function checkText(field: keyof typeof MAX_LENGTH, text: string): string {
  if (text.trim() === '')
    throw badUserInput(`Cannot read ${field}: the text is empty, some text is expected`);
  const most = MAX_LENGTH[field];
  if (text.length <= most) return text;
  throw badUserInput(
    `Cannot read ${field}: the text has ${text.length} characters, at most ${most} are expected`,
  );
}

/** @throws {FlotillaError} BAD_USER_INPUT for an id of more than 200 characters. */
export function checkMessageId(id: string): string {
  if (id.length <= MAX_MESSAGE_ID_LENGTH) return id;
  throw badUserInput(
    `Cannot read message id: it has ${id.length} characters, at most ${MAX_MESSAGE_ID_LENGTH} are expected`,
  );
}
