/**
 * The text of a configuration file as a document of JSON values, with the position of each key.
 *
 * One YAML 1.2 document, its root a mapping; keys are text. Aliases and tags are refused: a file of this size needs
 * neither, and an edit of the text could not be proved right in their presence. Pure.
 */
import { Composer, type CST, type Document, isMap, isSeq, LineCounter, type Node, Parser, visit } from 'yaml';
import type { Finding } from './ConfigError.ts';
import { deepFreeze } from './deepFreeze.ts';
import { isObject } from './isObject.ts';
import { formatKey, type KeyPath } from './keyPath.ts';
import { tooDeepAt } from './tooDeepAt.ts';
import { keyOf, rangeOf } from './yamlText.ts';

/** Line and column, each from 1. */
export type Position = Pick<Finding, 'line' | 'column'>;

export interface YamlSource {
  /** The syntax tree, for edits of the text. */
  readonly tree: Document;
  /** Frozen. An empty file is an empty document. Where a key is written twice the last one counts. */
  readonly document: Readonly<Record<string, unknown>>;
  /** Whether the document says what the text says: nothing but keys written twice was found. */
  readonly isReadable: boolean;
  readonly findings: readonly Finding[];
  /** Where the key is written; of a key that is not there, the nearest one above it. */
  positionOf(path: KeyPath): Position;
}

/** Longest accepted file, in bytes. */
export const MAX_CONFIG_BYTES = 1_048_576;

/** The most levels of mappings and lists in each other: more than the schema has, and fewer than a stack takes. */
const MAX_DEPTH = 100;

/** The most syntax errors that are told; what follows the first is often its echo. */
const MAX_SYNTAX_FINDINGS = 5;

/** What a syntax error means; the library's own texts quote the source. */
const SYNTAX: Readonly<Record<string, string>> = {
  ALIAS: 'an alias is used, the value itself is expected',
  BAD_INDENT: 'the indentation does not fit the lines above, the same depth for the same level is expected',
  BLOCK_AS_IMPLICIT_KEY: 'a key stands inside a value on the same line, one key a line is expected',
  DUPLICATE_KEY: 'the key is written twice, once is expected',
  MISSING_CHAR: 'something is not closed, a matching quote, bracket or comma is expected',
  MULTIPLE_DOCS: 'the file has several documents, one is expected',
  NON_STRING_KEY: 'a key is not text, plain text is expected',
  TOO_DEEP: 'the text is nested too deeply',
  TAB_AS_INDENT: 'a tab is used as indentation, spaces are expected',
  TAG_RESOLVE_FAILED: 'a tag is used, a plain value is expected',
};

/** A fault of the text, by the code of the library, `ALIAS` or `TOO_DEEP`. */
interface SyntaxFault {
  readonly code: string;
  readonly offset: number;
}

/** Never throws; what is wrong with the text is in `findings`. */
export function parseYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = tooDeepAt(tokens, MAX_DEPTH);
  const { tree, faults } = compose(tooDeep === undefined ? tokens : [], text.length);
  if (tooDeep !== undefined) faults.push({ code: 'TOO_DEEP', offset: tooDeep });
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const findings = faults.slice(0, MAX_SYNTAX_FINDINGS).map(({ code, offset }): Finding => {
    const path = code === 'DUPLICATE_KEY' ? pathAt(tree.contents, offset, []) : undefined;
    const message = SYNTAX[code] ?? `the text is not YAML (${code.toLowerCase().replaceAll('_', ' ')})`;
    return { key: formatKey(path ?? []), ...at(offset), message };
  });
  const isParsed = faults.every(({ code }) => code === 'DUPLICATE_KEY');
  const document: unknown = isParsed ? (tree.toJS() ?? {}) : undefined;
  if (isParsed && !isObject(document)) {
    findings.push({ key: '', ...at(0), message: 'expected a mapping of keys to values' });
  }
  return {
    tree,
    document: isObject(document) ? deepFreeze(document) : {},
    isReadable: isObject(document),
    findings,
    positionOf: (path) => at(offsetOf(tree, path)),
  };
}

function compose(
  tokens: Iterable<CST.Token>,
  length: number,
): { readonly tree: Document.Parsed; readonly faults: SyntaxFault[] } {
  const composer = new Composer({
    version: '1.2',
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'error',
  });
  // There is always a first one: it is asked for also of an empty text.
  const [tree, second] = [...composer.compose(tokens, true, length)] as [Document.Parsed, Document.Parsed?];
  const faults = [...tree.errors, ...tree.warnings].map(
    ({ code, pos }): SyntaxFault => ({ code, offset: pos[0] }),
  );
  if (second) faults.push({ code: 'MULTIPLE_DOCS', offset: second.range[0] });
  visit(tree, {
    Alias: (_key, { range }) => {
      faults.push({ code: 'ALIAS', offset: range?.[0] ?? 0 });
    },
  });
  return { tree, faults };
}

/** The path of the key that is written at `offset`. */
function pathAt(node: unknown, offset: number, path: KeyPath): KeyPath | undefined {
  if (isMap<Node, Node>(node)) {
    for (const pair of node.items) {
      const here = [...path, keyOf(pair)];
      const found = rangeOf(pair.key).start === offset ? here : pathAt(pair.value, offset, here);
      if (found) return found;
    }
  }
  if (isSeq<Node>(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = pathAt(item, offset, [...path, index]);
      if (found) return found;
    }
  }
  return undefined;
}

/** Where the deepest part of `path` that exists begins. */
function offsetOf(tree: Document, path: KeyPath): number {
  let node: unknown = tree.contents;
  let offset = 0;
  for (const part of path) {
    const pair = isMap<Node, Node>(node) ? node.items.find((item) => keyOf(item) === part) : undefined;
    const item = isSeq<Node>(node) ? node.items[Number(part)] : undefined;
    const place = pair?.key ?? item;
    if (!place) break;
    offset = rangeOf(place).start;
    node = pair?.value ?? item;
  }
  return offset;
}
