/** Tells a slash command from an ordinary message by its text (spec/worker.md § 4.1). Pure. */

/** A slash, a name of at most 32 characters, then white space or the end. */
const COMMAND = /^\/([a-z][a-z0-9-]{0,31})(?:\s+|$)/i;

export type ParsedText =
  /** `name` is in lower case and need not be a registered one; `args` is everything behind it, trimmed. */
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** What the agent reads: the text as it came, less the first slash of an escaping `//`. */
  | { readonly kind: 'message'; readonly text: string };

export function parseCommand(text: string): ParsedText {
  const start = text.trimStart();
  if (start.startsWith('//')) return { kind: 'message', text: start.slice(1) };
  const match = COMMAND.exec(start);
  if (!match) return { kind: 'message', text };
  return { kind: 'command', name: match[1]!.toLowerCase(), args: start.slice(match[0].length).trimEnd() };
}
