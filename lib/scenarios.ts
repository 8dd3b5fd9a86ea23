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

const COMMENT = /^[ \t]*\/\*(?<text>[\s\S]*?)\*\//gm;
const DOCSTRING = /^[ \t]*[rRuU]?(?<quotes>"""|''')(?<text>[\s\S]*?)\k<quotes>/gm;

/** What may stand before the words of a line: blanks, and the star of a comment. */
const MARGIN = /^\s*\*?\s*/;
const HEADING = /^(Feature|Scenario|Requirement)(?:s| Outline)?:(.*)$/;
const STEP = /^(?:Given|When|Then|And|But) /;

/** The scenarios of one file in the order of its text. The name decides how it is read: `.py` is Python. */
export function parseScenarios(path: string, source: string): Scenario[] {
  const scenarios: Draft[] = [];
  let feature = '';
  let ofFeature: string[] = [];
  for (const { index, groups } of source.matchAll(path.endsWith('.py') ? DOCSTRING : COMMENT)) {
    const firstLine = source.slice(0, index).split('\n').length;
    let current: Draft | undefined;
    for (const [below, raw] of (groups?.text ?? '').split('\n').entries()) {
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

function splitList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
