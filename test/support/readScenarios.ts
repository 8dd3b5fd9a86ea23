/** The scenarios of a folder of tests as the product reads them, and the tests that they stand above. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScenarios, type Scenario } from '../../lib/scenarios.ts';

export interface TestedScenario extends Scenario {
  /** Title of the test that follows the block; undefined when none does. */
  readonly title: string | undefined;
}

export interface ScenarioFile {
  readonly path: string;
  readonly scenarios: readonly TestedScenario[];
  /** How many tests the file has. */
  readonly tests: number;
}

const TEST_CALL = /^\w*[tT]est(?:\.\w+)*[<(]/gm;
/** The title of a test without a table, and of one with a table, where it stands behind the rows. */
const TITLES = [
  /^ *\w*[tT]est\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>,/m,
  /^ *\w*[tT]est\b[\s\S]*?(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>, *(?:\{[^}]*\}, *)?(?:\n *)?async/m,
];

export function readScenarios(root: string, pattern: string): ScenarioFile[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => parseFile(path, readFileSync(join(root, path), 'utf8')));
}

function parseFile(path: string, source: string): ScenarioFile {
  const lines = source.split('\n');
  const scenarios = parseScenarios(path, source).map((scenario, index, all): TestedScenario => {
    const code = lines.slice(scenario.line, all[index + 1]?.line).join('\n');
    return { ...scenario, title: titleOf(code) };
  });
  return { path, scenarios, tests: [...source.matchAll(TEST_CALL)].length };
}

function titleOf(code: string): string | undefined {
  for (const pattern of TITLES) {
    const title = pattern.exec(code)?.groups?.title;
    if (title !== undefined) return title.replace(/\\(.)/g, '$1');
  }
  return undefined;
}
