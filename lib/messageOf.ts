/** Longest text of an error that is passed on, in characters. */
const MAX_LENGTH = 1_000;

/** What a thrown value says: no stack, and not more than 1,000 characters. */
export function messageOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
