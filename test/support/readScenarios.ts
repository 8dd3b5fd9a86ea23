/** The scenarios of a folder of tests, from the Gherkin blocks above them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Scenario {
  /** Relative to the folder, with forward slashes. */
  readonly path: string;
  /** Line of the block, from 1. */
  readonly line: number;
  readonly feature: string | undefined;
  readonly name: string | undefined;
  /** `<file>#<id>`. */
  readonly requirements: readonly string[];
  /** Lines that begin with Given, When, Then or And. */
  readonly steps: readonly string[];
  /** Title of the test that follows the block; undefined when none does. */
  readonly title: string | undefined;
}

export interface ScenarioFile {
  readonly path: string;
  readonly scenarios: readonly Scenario[];
  /** How many tests the file has. */
  readonly tests: number;
}

const BLOCK = /\/\*\n(?<text>(?: \*.*\n)+?) \*\/\n(?<code>[\s\S]*?)(?=\n\/\*\n|$)/g;
const TEST_CALL = /^\w*[tT]est(?:\.\w+)*\(/gm;
const TITLE =
  /^\w*[tT]est\b[\s\S]*?(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>, *(?:\{[^}]*\}, *)?(?:\n *)?async/m;

export function readScenarios(root: string, pattern: string): ScenarioFile[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => parseFile(path, readFileSync(join(root, path), 'utf8')));
}

function parseFile(path: string, source: string): ScenarioFile {
  const scenarios = [...source.matchAll(BLOCK)].map((match): Scenario => {
    const { text = '', code = '' } = match.groups ?? {};
    const lines = text.split('\n').map((line) => line.replace(/^ \* ?/, '').trim());
    const values = (keyword: string): string[] =>
      lines.flatMap((line) => (line.startsWith(`${keyword}: `) ? line.slice(keyword.length + 2) : []));
    return {
      path,
      line: source.slice(0, match.index).split('\n').length,
      feature: values('Feature')[0],
      name: values('Scenario')[0],
      requirements: values('Requirement'),
      steps: lines.filter((line) => /^(?:Given|When|Then|And) /.test(line)),
      title: TITLE.exec(code)?.groups?.title?.replace(/\\(.)/g, '$1'),
    };
  });
  return { path, scenarios, tests: [...source.matchAll(TEST_CALL)].length };
}
