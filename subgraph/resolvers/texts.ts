/** Bounds of the texts that clients send. */
import { badUserInput } from '../../schema/errors.ts';

/** Longest accepted text, in characters. */
const MAX_LENGTH = {
  message: 1_000_000,
  goal: 1_000_000,
  description: 100_000,
  criterion: 10_000,
  reason: 10_000,
  name: 500,
} as const;

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
