/** Splits a Markdown file into the YAML between its first two `---` lines and the rest. */

export interface FrontMatter {
  /** Undefined when the file does not begin with one. */
  readonly yaml: string | undefined;
  readonly body: string;
}

export function splitFrontMatter(text: string): FrontMatter {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?\n)??---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { yaml: undefined, body: text };
  return { yaml: (match[1] ?? '').trimEnd(), body: text.slice(match[0].length) };
}
