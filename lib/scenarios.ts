/**
 * Scenarios written into tests: Gherkin in block comments (TypeScript, JavaScript) and in docstrings (Python).
 *
 * A block names its `Feature:`, its `Scenario:`, one or more lines `Requirement:` and the steps. A feature, and what it
 * requires, holds for the scenarios after it until the next one, so a file may name it once at its head. Pure.
 */

export interface Scenario {
  /** Empty when none is named. */
  readonly feature: string;
  readonly name: string;
  /** In the order of the text; several on one line are separated by commas. */
  readonly requirements: readonly string[];
  /** Lines that begin with Given, When, Then, And or But. */
  readonly steps: readonly string[];
  /** As given by the caller. */
  readonly path: string;
  /** Of its `Scenario:`, from 1. */
  readonly line: number;
}

interface Draft extends Scenario {
  readonly requirements: string[];
  readonly steps: string[];
}

/** How a block begins; its first group, or the star of a comment, says how it ends. */
const COMMENT = /^[ \t]*\/\*/gm;
const DOCSTRING = /^[ \t]*[rRuU]?("""|''')/gm;

/** What may stand before the words of a line: blanks, and the star of a comment. */
const MARGIN = /^\s*\*?\s*/;
const HEADING = /^(Feature|Scenario|Requirement)(?:s| Outline)?:(.*)$/;
const STEP = /^(?:Given|When|Then|And|But) /;

/** The scenarios of one file in the order of its text, in linear time. The name decides how it is read: `.py` is Python. */
export function parseScenarios(path: string, source: string): Scenario[] {
  const scenarios: Draft[] = [];
  let feature = '';
  let ofFeature: string[] = [];
  for (const { firstLine, text: block } of blocksOf(source, path.endsWith('.py') ? DOCSTRING : COMMENT)) {
    let current: Draft | undefined;
    for (const [below, raw] of block.split('\n').entries()) {
      const text = raw.replace(MARGIN, '').trimEnd();
      const [, heading, value = ''] = HEADING.exec(text) ?? [];
      if (heading === 'Feature') {
        feature = value.trim();
        ofFeature = [];
        current = undefined;
      } else if (heading === 'Scenario') {
        const line = firstLine + below;
        current = { feature, name: value.trim(), requirements: [...ofFeature], steps: [], path, line };
        scenarios.push(current);
      } else if (heading === 'Requirement') {
        (current?.requirements ?? ofFeature).push(...splitList(value));
      } else if (STEP.test(text)) current?.steps.push(text);
    }
  }
  return scenarios;
}

interface Block {
  readonly text: string;
  /** Of the source, from 1. */
  readonly firstLine: number;
}

/** A block that does not end is none. Not one expression for a whole block: each that does not end would be searched to the end of the file. */
function* blocksOf(source: string, opening: RegExp): Generator<Block> {
  const unending = new Set<string>();
  let line = 1;
  let counted = 0;
  let end = 0;
  for (const match of source.matchAll(opening)) {
    const close = match[1] ?? '*/';
    const start = match.index + match[0].length;
    if (match.index < end || unending.has(close)) continue;
    const closeAt = source.indexOf(close, start);
    if (closeAt === -1) {
      unending.add(close);
      continue;
    }
    for (; counted < match.index; counted++) if (source[counted] === '\n') line += 1;
    yield { text: source.slice(start, closeAt), firstLine: line };
    end = closeAt + close.length;
  }
}

function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
