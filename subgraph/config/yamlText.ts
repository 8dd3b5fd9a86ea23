/** Where the parts of a YAML text stand, and how new parts are written. Pure. */
import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** Characters from `start` up to `end`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Texts on one line, lists and mappings on lines of their own, nothing folded, no anchors. */
const STYLE = {
  lineWidth: 0,
  blockQuote: false,
  doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  aliasDuplicateObjects: false,
} as const;

/** A mapping with one key a line. */
export function isBlockMap(node: unknown): node is YAMLMap<Node, Node | null> {
  return isMap(node) && !node.flow && node.items.length > 0;
}

/** A list with one entry after each dash. */
export function isBlockSeq(node: unknown): node is YAMLSeq<Node> {
  return isSeq(node) && !node.flow && node.items.length > 0;
}

/** A scalar that is there and is no `|` or `>` block. */
export function isInlineScalar(node: unknown): node is Scalar {
  if (!isScalar(node) || node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL)
    return false;
  const { start, end } = rangeOf(node);
  return start < end;
}

/** The key of a pair as text. */
export function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

/** The value itself, without what comes after it; empty where there is none. */
export function rangeOf(node: Node | null | undefined): Range {
  const [start = 0, end = 0] = node?.range ?? [];
  return { start, end };
}

/** Behind the last character of a pair, comments and line breaks left out. */
export function endOfPair(text: string, { key, value }: Pair<Node, Node | null>): number {
  const { start, end } = rangeOf(value);
  return value && start < end ? endOfNode(text, value) : text.indexOf(':', rangeOf(key).end) + 1;
}

/** Behind the last character of a node, comments and line breaks left out. */
export function endOfNode(text: string, node: Node): number {
  const lastPair = isBlockMap(node) ? node.items.at(-1) : undefined;
  if (lastPair) return endOfPair(text, lastPair);
  const lastItem = isBlockSeq(node) ? node.items.at(-1) : undefined;
  if (lastItem) return endOfNode(text, lastItem);
  const { start, end } = rangeOf(node);
  return start + text.slice(start, end).trimEnd().length;
}

/** The dash before a list entry. */
export function dashOf(text: string, item: Node): number {
  return text.lastIndexOf('-', rangeOf(item).start - 1);
}

export function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Before the line break, or the end of the text. */
export function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at === -1) return text.length;
  return text[at - 1] === '\r' ? at - 1 : at;
}

/** The spaces that bring a line to the column of `offset`. */
export function indentOf(text: string, offset: number): string {
  return ' '.repeat(offset - startOfLine(text, offset));
}

/** The line break of a text. */
export function newlineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Spaces a level: those of the first section that has keys, else 2. */
export function stepOf(text: string, root: unknown): number {
  const section = isMap<Node, Node>(root)
    ? root.items.find(({ value }) => isBlockMap(value))?.value
    : undefined;
  const { start } = rangeOf(isBlockMap(section) ? section.items[0]?.key : undefined);
  return start - startOfLine(text, start) || 2;
}

/** A mapping or list as lines; the first one is not indented. */
export function renderBlock(
  value: unknown,
  { indent, step, newline }: { indent: string; step: number; newline: string },
): string {
  return stringify(value, { ...STYLE, indent: step })
    .trimEnd()
    .replaceAll('\n', newline + indent);
}

/** A scalar in the quotes of the one that it replaces, as far as it allows. */
export function renderScalar(value: unknown, { type }: Scalar): string {
  const scalar = new Scalar(value);
  if (typeof value === 'string') scalar.type = value.includes('\n') ? Scalar.QUOTE_DOUBLE : type;
  return stringify(scalar, STYLE).trimEnd();
}
