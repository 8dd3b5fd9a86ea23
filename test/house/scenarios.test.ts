/** Scenarios, the requirements that they show, and what is left open (conventions § 10). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readScenarios, type ScenarioFile, type TestedScenario } from '../support/readScenarios.ts';
import { REQUIREMENT_IDS } from './requirementIds.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = ['scenarios', 'browser'].flatMap(readFolder);
/** Tests of rooms have a block where a requirement asks for a unit test. */
const ROOMS = ['gateway', 'server', 'subgraph'].flatMap(readFolder);
const SCENARIOS = [...FILES, ...ROOMS].flatMap(({ scenarios }) => scenarios);
const NAMED = new Set(SCENARIOS.flatMap(({ requirements }) => requirements));
const OPEN = readOpen();

test.each(FILES)('every test of $path has its Gherkin block', ({ scenarios, tests }) => {
  expect(scenarios).toHaveLength(tests);
});

test.each(SCENARIOS.map((scenario) => ({ ...scenario, at: `${scenario.path}:${scenario.line}` })))(
  'the scenario of $at is whole, and the title of its test is its name',
  ({ feature, name, title, requirements, steps }) => {
    expect(feature).toBeTruthy();
    expect(name).toBeTruthy();
    expect(title).toBe(name);
    expect(requirements.length).toBeGreaterThan(0);
    expect(steps.map((step) => step.split(' ')[0])).toEqual(expect.arrayContaining(['When', 'Then']));
    for (const requirement of requirements) expect(isKnown(requirement), requirement).toBe(true);
  },
);

test('no two scenarios have the same name', () => {
  const names = SCENARIOS.map(({ name }: TestedScenario) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every requirement has a scenario or a reason why it has none', () => {
  const missing = REQUIREMENT_IDS.filter((id) => !NAMED.has(id) && !OPEN.open.has(id));
  expect(missing).toEqual([]);
});

test('what is listed as open has no scenario, and what is listed as partly shown has one', () => {
  expect([...OPEN.open].filter((id) => NAMED.has(id))).toEqual([]);
  expect([...OPEN.partly].filter((id) => !NAMED.has(id))).toEqual([]);
  expect([...OPEN.open, ...OPEN.partly].filter((id) => !REQUIREMENT_IDS.includes(id))).toEqual([]);
});

function readFolder(folder: string): ScenarioFile[] {
  return readScenarios(ROOT, `test/${folder}/**/*.test.ts`);
}

/** An id of a specification, or a heading of a page of ours. */
function isKnown(requirement: string): boolean {
  if (REQUIREMENT_IDS.includes(requirement)) return true;
  const [file = '', anchor] = requirement.split('#');
  if (file.startsWith('spec/') || !existsSync(join(ROOT, file))) return false;
  const headings = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^#+ (.+)$/gm)];
  return headings.some(([, heading = '']) => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') === anchor);
}

/** Lines `- <file>#<id>[, <id>[–<id>]]*: <reason>` under the headings of `open.md`. */
function readOpen(): { readonly open: ReadonlySet<string>; readonly partly: ReadonlySet<string> } {
  const [, open = '', partly = ''] = readFileSync(join(ROOT, 'test/scenarios/open.md'), 'utf8').split(
    /^## .*$/m,
  );
  return { open: idsIn(open), partly: idsIn(partly) };
}

function idsIn(section: string): ReadonlySet<string> {
  const ids = section
    .replaceAll(/\n {2,}/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .flatMap((line) => {
      const [, file, list] = /^- (\S+?)#(.+?): \S/.exec(line) ?? [];
      if (!file || !list) throw new Error(`Cannot read line of open.md: ${line}`);
      return list.split(', ').flatMap((part) => expand(file, part));
    });
  return new Set(ids);
}

/** `R5.1–R5.6` → its ids in the order of the specification. */
function expand(file: string, part: string): readonly string[] {
  const [first, last = first] = part.split('–');
  const from = REQUIREMENT_IDS.indexOf(`${file}#${first}`);
  const to = REQUIREMENT_IDS.indexOf(`${file}#${last}`);
  if (from < 0 || to < from) throw new Error(`Cannot read ids of open.md: ${file}#${part}`);
  return REQUIREMENT_IDS.slice(from, to + 1);
}
