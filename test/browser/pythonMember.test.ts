/** A member of another make on the dashboard of ours. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { parse } from 'yaml';
import { PYTHON, PythonService } from '../support/PythonService.ts';
import { RunningInstance } from '../support/RunningInstance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { browserTest, createStage, type Stage } from './browser.ts';
import { faintTexts } from './contrast.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = PYTHON === undefined ? undefined : await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/*
 * Feature: Dashboard
 * Scenario: the settings of a Python service are changed by its own schema
 *   Requirement: spec/manager.md#R5.4, spec/manager.md#T4
 *   Given our manager hq over a service of PyPI's package
 *   When the page of the service is opened, and its scope is changed and saved
 *   Then its settings are those of its own schema, its file has the change, and its row says so
 */
browserTest(
  'the settings of a Python service are changed by its own schema',
  async () => {
    using directory = temporaryDirectory();
    await using alpha = await PythonService.start({
      name: 'alpha',
      directory: join(directory.path, 'alpha'),
    });
    const manager = { probeIntervalSeconds: 1, instances: [{ name: 'alpha', url: alpha.url }] };
    await using hq = await RunningInstance.start(
      `instance: ${JSON.stringify({ name: 'hq', role: 'manager', manager })}`,
      { webRoot: stage!.assets },
    );
    const page = await stage!.newPage();
    await page.goto(`${hq.url}/#/instances/alpha`);
    const search = page.getByLabel('Search settings');
    await search.fill('routing.control');
    await page.getByLabel('routing.control.requireStartCommand', { exact: true }).waitFor();
    expect(await faintTexts(page)).toEqual([]);
    await search.fill('instance.scope.mode');
    await page.getByLabel('instance.scope.mode', { exact: true }).selectOption('addressed');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('In force now: instance.scope.mode').waitFor();
    const path = await page
      .getByRole('region', { name: 'Configuration' })
      .locator('code')
      .first()
      .textContent();
    expect(parse(readFileSync(path!, 'utf8')).instance.scope.mode).toBe('addressed');
    await page.getByRole('link', { name: 'All instances' }).click();
    await page.getByRole('cell', { name: 'addressed' }).waitFor();
    await page.close();
  },
  PYTHON !== undefined,
);
