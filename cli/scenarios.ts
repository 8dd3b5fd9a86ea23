/** `flotilla scenarios`: which scenario of a checkout's tests shows which requirement, and where. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { readScenarios, TEST_GLOBS } from '../lib/readScenarios.ts';
import type { Scenario } from '../lib/scenarios.ts';
import { CliError } from './CliError.ts';
import { type FormatOptions, withFormat } from './format.ts';
import { formatTable, print, printJson, toLine } from './output.ts';

/** Widest cell of the table, in characters; the JSON form has the whole texts. */
const CELL_WIDTH = 100;

export function scenariosCommand(): Command {
  return withFormat(new Command('scenarios'))
    .description('list the scenarios in the tests of a checkout: Gherkin in comments and docstrings')
    .argument('[dir]', 'the checkout', '.')
    .option('--glob <patterns...>', `which files; default: ${TEST_GLOBS.join(' ')}`)
    .action(listScenarios);
}

async function listScenarios(dir: string, options: FormatOptions & { glob?: string[] }): Promise<void> {
  const { format, glob: globs = TEST_GLOBS } = options;
  const repo = resolve(dir);
  if (!statSync(repo, { throwIfNoEntry: false })?.isDirectory())
    throw new CliError(2, `Cannot read scenarios: "${repo}" is no directory, a checkout is expected`);
  const scenarios = readScenarios(repo, globs);
  if (format === 'json') return printJson({ repo, globs, scenarios });
  print(formatScenarios(scenarios));
}

export function formatScenarios(scenarios: readonly Scenario[]): string {
  const rows = scenarios.map(({ feature, name, requirements, path, line }) =>
    [feature, name, requirements.join(', '), `${path}:${line}`].map((cell) => toLine(cell, CELL_WIDTH)),
  );
  return formatTable([['feature', 'scenario', 'requirement', 'place'], ...rows]);
}
