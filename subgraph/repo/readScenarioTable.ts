/** The scenario table of a checkout (spec/rest-on-tasks.md, Verbs). */
import { join } from 'node:path';
import { TEST_GLOBS } from '../../lib/readScenarios.ts';
import { parseScenarios, type Scenario } from '../../lib/scenarios.ts';
import { listFiles } from './listFiles.ts';
import type { Checkout } from './openCheckout.ts';
import { buildPathMatcher } from './pathGlobs.ts';
import { readTextFile } from './readTextFile.ts';

const BOUNDS = { maxEntries: 200_000, maxFiles: 5_000 };

/** Tests are shorter; longer files are data. */
const MAX_FILE_BYTES = 1_048_576;

/** Characters of all files together. */
const MAX_CHARACTERS = 64 * 1_048_576;

const MAX_SCENARIOS = 10_000;

/** Characters of the scenarios as JSON: a manager takes answers of 16 MiB. */
const MAX_ANSWER = 8 * 1_048_576;

export interface ScenarioTable {
  readonly repo: string;
  readonly globs: readonly string[];
  /** By path and place in the file. */
  readonly scenarios: readonly Scenario[];
  /** There was more than is read of one checkout. */
  readonly truncated: boolean;
}

/**
 * The scenarios that the tests of a checkout name, in Python and in TypeScript or JavaScript. Files that are links, no text, or too
 * large are left out.
 *
 * @param globs which files are tests. @default the habits of vitest, jest, node:test and pytest, when there is none
 * @throws {FlotillaError} BAD_USER_INPUT for a glob that is none.
 */
export async function readScenarioTable(
  { repo, path: root }: Checkout,
  globs: readonly string[],
): Promise<ScenarioTable> {
  const asked = globs.length > 0 ? globs : TEST_GLOBS;
  const { paths, truncated } = await listFiles(root, buildPathMatcher(asked), BOUNDS);
  const scenarios: Scenario[] = [];
  let read = 0;
  let answered = 0;
  for (const path of paths) {
    const file = await readTextFile(join(root, path), MAX_FILE_BYTES);
    if (!('text' in file)) continue;
    const found = parseScenarios(path, file.text);
    read += file.text.length;
    answered += JSON.stringify(found).length;
    if (read > MAX_CHARACTERS || answered > MAX_ANSWER || scenarios.length + found.length > MAX_SCENARIOS) {
      return { repo, globs: asked, scenarios, truncated: true };
    }
    scenarios.push(...found);
  }
  return { repo, globs: asked, scenarios, truncated };
}
