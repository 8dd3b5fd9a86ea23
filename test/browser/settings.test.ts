/** The settings of an instance between the typing and the file: what is said, kept, and not overwritten. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { parse } from 'yaml';
import { browserTest, createStage, type Stage } from './browser.ts';
import { openFleetPage } from './openFleetPage.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

interface Editor {
  readonly section: Locator;
  readonly save: Locator;
  /** The control of one setting, which the others are hidden beside. */
  setting(key: string): Promise<Locator>;
}

function editorOf(page: Page): Editor {
  const section = page.getByRole('region', { name: 'Configuration', exact: true });
  return {
    section,
    save: section.getByRole('button', { name: 'Save' }),
    async setting(key) {
      await section.getByLabel('Search settings').fill(key);
      return section.getByLabel(key, { exact: true });
    },
  };
}

/*
 * Feature: Dashboard
 * Scenario: what takes a restart is said before it is saved, and what was saved stands there at once
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq
 *   When a setting that is read at start and one that is not are changed
 *   Then the first has a word beside it, and the line of changes names it alone
 *   When they are saved
 *   Then the page has the new values together with the words that they are saved
 */
browserTest(
  'what takes a restart is said before it is saved, and what was saved stands there at once',
  async () => {
    await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
    const { section, save, setting } = editorOf(open.page);
    const turns = await setting('tasks.maxTurns');
    await turns.fill('7');
    expect(await section.getByText('takes a restart', { exact: true }).count()).toBe(0);
    await (await setting('log.level')).selectOption('debug');
    await section.getByText('takes a restart', { exact: true }).waitFor();
    await section.getByText(/ · only after a restart: log\.level$/).waitFor();
    await setting('tasks.maxTurns');
    await save.click();
    await section.getByText('In force now: tasks.maxTurns').waitFor();
    expect(await turns.inputValue()).toBe('7');
    await section.getByText('Nothing is changed.').waitFor();
  },
);

/*
 * Feature: Dashboard
 * Scenario: a setting that somebody else has changed meanwhile is not overwritten unseen
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq in two tabs, in each of which another list of the same setting is typed
 *   When the first one is saved, and then the second
 *   Then the second says what the file has now, and the file has the list of the first
 *   When the second is saved once more
 *   Then the file has its list
 */
browserTest('a setting that somebody else has changed meanwhile is not overwritten unseen', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { hq, desk } = open;
  const otherPage = await stage!.newPage();
  await otherPage.goto(`${hq.url}/#/instances/desk`);
  const [first, second] = [editorOf(open.page), editorOf(otherPage)];
  const key = 'instance.scope.workItems';
  await (await first.setting(key)).fill('github:o/r#1');
  await (await second.setting(key)).fill('github:o/r#2');
  const workItems = () => parse(desk.read()).instance.scope?.workItems;

  await first.save.click();
  await first.section.getByText(`In force now: ${key}`).waitFor();
  await second.save.click();
  await second.section.getByRole('alert').getByText('Not saved').waitFor();
  await second.section.getByText('Changed meanwhile: the file says “github:o/r#1”.').waitFor();
  expect(workItems()).toEqual(['github:o/r#1']);

  await second.save.click();
  await second.section.getByText(`In force now: ${key}`).waitFor();
  expect(workItems()).toEqual(['github:o/r#2']);
  await otherPage.close();
});

/*
 * Feature: Dashboard
 * Scenario: what was typed and not saved is not lost by looking elsewhere
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq, with a setting that was changed and not saved
 *   When all instances are looked at, and the browser goes back
 *   Then what was typed is still there
 *   When the dashboard is loaded again
 *   Then the browser asks first
 *   When the key of sending is pressed in the search
 *   Then nothing is saved
 */
browserTest('what was typed and not saved is not lost by looking elsewhere', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page, requests } = open;
  const { section, setting } = editorOf(page);
  await (await setting('tasks.maxTurns')).click();
  await page.keyboard.type('7');
  await page.getByRole('link', { name: 'All instances' }).click();
  await page.getByRole('rowheader', { name: 'hq' }).waitFor();
  await page.goBack();
  await section.getByText('Changed: tasks.maxTurns').waitFor();
  expect(await (await setting('tasks.maxTurns')).inputValue()).toBe('7');

  const asked = page.waitForEvent('dialog');
  await page.evaluate('void setTimeout(() => location.reload())');
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();

  await section.getByLabel('Search settings').press('Enter');
  await section.getByRole('button', { name: 'Discard' }).click();
  await section.getByText('Nothing is changed.').waitFor();
  expect(requests.map(({ operation }) => operation)).not.toContain('UpdateConfig');
});
