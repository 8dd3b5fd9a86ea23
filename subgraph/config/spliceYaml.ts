/**
 * Applies a merge patch to the text of a YAML file: only what changes is written anew.
 *
 * A scalar is replaced where it stands and keeps its quotes; a key or list entry is added after its last neighbour and
 * removed with its own lines; a list keeps the entries that it begins and ends with. Comments on lines of their own
 * outside of a removed value stay. The caller proves the result by reading it back: this file need not know every
 * corner of YAML. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { isObject } from './isObject.ts';
import { type MergePatch, mergePatch } from './mergePatch.ts';
import type { YamlSource } from './parseYaml.ts';
import {
  dashOf,
  endOfLine,
  endOfNode,
  endOfPair,
  indentOf,
  isBlockMap,
  isBlockSeq,
  isInlineScalar,
  keyOf,
  newlineOf,
  type Range,
  rangeOf,
  renderBlock,
  renderScalar,
  startOfLine,
  stepOf,
} from './yamlText.ts';

/** The characters of a range, replaced. */
interface Edit extends Range {
  readonly text: string;
}

interface Splice {
  readonly text: string;
  readonly tree: Document;
  readonly newline: string;
  /** Spaces per level of indentation. */
  readonly step: number;
  /** Never overlapping; additions at one place are in the order of the result. */
  readonly edits: Edit[];
}

type MapPair = Pair<Node, Node | null>;

/** The text with the patch applied; the same text when the patch changes nothing. */
export function spliceYaml(text: string, { tree, document }: YamlSource, patch: MergePatch): string {
  const merged = mergePatch(document, patch);
  if (isDeepStrictEqual(merged, document)) return text;
  const root = tree.contents;
  const newline = newlineOf(text);
  const splice: Splice = { text, tree, newline, step: stepOf(text, root), edits: [] };
  if (isBlockMap(root)) editMap(splice, root, patch);
  else if (isMap(root)) splice.edits.push({ ...rangeOf(root), text: JSON.stringify(merged) });
  else {
    const separator = text === '' || text.endsWith('\n') ? '' : newline;
    insert(splice, text.length, separator + renderBlock(merged, { ...splice, indent: '' }) + newline);
  }
  return applyEdits(text, splice.edits);
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + text.slice(position);
}

function editMap(splice: Splice, map: YAMLMap<Node, Node | null>, patch: MergePatch): void {
  const { text, newline } = splice;
  const isKept = (pair: MapPair) => patch[keyOf(pair)] !== null;
  for (const pair of map.items) {
    if (!isKept(pair)) removeLines(splice, { start: rangeOf(pair.key).start, end: endOfPair(text, pair) });
    else if (Object.hasOwn(patch, keyOf(pair))) editValue(splice, pair, patch[keyOf(pair)]);
  }
  const known = new Set(map.items.map(keyOf));
  const added = Object.entries(patch).filter(([key, value]) => !known.has(key) && value !== null);
  if (added.length === 0) return;
  const neighbour = map.items.findLast(isKept);
  const indent = indentOf(text, rangeOf(map.items[0]?.key).start);
  const lines = renderBlock(mergePatch({}, Object.fromEntries(added)), { ...splice, indent });
  const at = neighbour ? endOfLine(text, endOfPair(text, neighbour)) : text.length;
  insert(splice, at, newline + indent + lines);
}

function editValue(splice: Splice, pair: MapPair, patch: unknown): void {
  const { value } = pair;
  const before: unknown = value?.toJS(splice.tree) ?? null;
  const after = mergePatch(before, patch);
  if (isDeepStrictEqual(before, after)) return;
  const list = Array.isArray(before) && Array.isArray(after) && listChange(before, after);
  if (isBlockMap(value) && isObject(patch) && value.items.some((item) => patch[keyOf(item)] !== null)) {
    editMap(splice, value, patch);
  } else if (isBlockSeq(value) && list && list.head + list.tail > 0) {
    editSeq(splice, value, list);
  } else if (isInlineScalar(value) && typeof after !== 'object') {
    splice.edits.push({ ...rangeOf(value), text: renderScalar(after, value) });
  } else {
    rewriteValue(splice, pair, after);
  }
}

/** What of a list goes and comes between the entries that stay. */
interface ListChange {
  /** How many entries stay at the beginning and at the end. */
  readonly head: number;
  readonly tail: number;
  readonly added: readonly unknown[];
}

function listChange(before: readonly unknown[], after: readonly unknown[]): ListChange {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && isDeepStrictEqual(before[head], after[head])) head++;
  let tail = 0;
  while (tail < most - head && isDeepStrictEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  return { head, tail, added: after.slice(head, after.length - tail) };
}

function editSeq(splice: Splice, { items }: YAMLSeq<Node>, { head, tail, added }: ListChange): void {
  const { text, newline } = splice;
  const ranges = items.map((item): Range => ({ start: dashOf(text, item), end: endOfNode(text, item) }));
  const removed = ranges.slice(head, items.length - tail);
  const [first, last] = [removed[0], removed.at(-1)];
  const indent = indentOf(text, ranges[0]?.start ?? 0);
  const lines = renderBlock(added, { ...splice, indent });
  const before = ranges[head - 1];
  const after = ranges[head];
  if (added.length === 0) for (const range of removed) removeLines(splice, range);
  else if (first && last) splice.edits.push({ start: first.start, end: last.end, text: lines });
  else if (before) insert(splice, endOfLine(text, before.end), newline + indent + lines);
  else if (after) insert(splice, after.start, lines + newline + indent);
}

/** Everything after the key is written anew; a comment beside the key stays there. */
function rewriteValue(splice: Splice, pair: MapPair, value: unknown): void {
  const { text, newline } = splice;
  const { start, end } = { start: rangeOf(pair.key).end, end: endOfPair(text, pair) };
  const comment = /^\s*:[ \t]*(#[^\r\n]*)\r?\n/.exec(text.slice(start, end))?.[1];
  const indent = indentOf(text, rangeOf(pair.key).start);
  const [first = '', ...below] = renderBlock({ key: value }, { ...splice, indent }).split(newline);
  const beside = first.slice('key'.length) + (comment ? ` ${comment}` : '');
  splice.edits.push({ start, end, text: [beside, ...below].join(newline) });
}

/** Takes out whole lines with the line break before them, so that what is added at the end of the last one stays apart. */
function removeLines({ text, edits, newline }: Splice, { start, end }: Range): void {
  const from = startOfLine(text, start);
  const to = endOfLine(text, end);
  if (from > 0) edits.push({ start: endOfLine(text, from - 1), end: to, text: '' });
  else edits.push({ start: 0, end: Math.min(to + newline.length, text.length), text: '' });
}

function insert({ edits }: Splice, at: number, text: string): void {
  edits.push({ start: at, end: at, text });
}
