/** One instance in a browser: who it is, what it runs, how it is configured. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { parse } from 'yaml';
import { RunningInstance } from '../support/RunningInstance.ts';
import { browserTest, createStage, type Stage } from './browser.ts';
import { openFleetPage } from './openFleetPage.ts';
import { recordRequests } from './recordRequests.ts';

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/** Nobody listens there: the port is reserved. */
const NOBODY = 'http://127.0.0.1:1';

function sectionOf(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true });
}

async function setting(page: Page, key: string): Promise<Locator> {
  await page.getByLabel('Search settings').fill(key);
  return page.getByLabel(key, { exact: true });
}

/*
 * Feature: Dashboard
 * Scenario: the page of a member shows what the member says of itself
 *   Requirement: spec/manager.md#R5.4, spec/manager.md#R5.1
 *   Given a manager hq, and a member desk that has a task
 *   When the page of desk is opened on hq
 *   Then it has the address and the managed ref of desk, its daemons and its health, and the path of its file
 *   And every read that can name an instance names desk
 */
browserTest('the page of a member shows what the member says of itself', async () => {
  await using open = await openFleetPage(stage!, { hash: '/' });
  const { page, desk, requests } = open;
  await desk.ask('mutation { createTask(input: { ref: "github:o/r#1", message: "Mend it" }) { ref } }');
  await page.goto(`${open.hq.url}/#/instances/desk`);
  const identity = sectionOf(page, 'Identity');
  await identity.getByText(desk.url, { exact: true }).waitFor();
  expect(await identity.getByRole('link', { name: 'github:o/r#1' }).getAttribute('href')).toBe(
    '#/item/github%3Ao%2Fr%231@desk',
  );
  await sectionOf(page, 'Daemons').getByText('heartbeat running').waitFor();
  await sectionOf(page, 'Health').getByText('worker', { exact: true }).waitFor();
  await sectionOf(page, 'Configuration').getByText(desk.configPath, { exact: true }).waitFor();
  const named = requests.filter(({ operation }) => operation.startsWith('Instance'));
  expect(named.map(({ operation }) => operation).toSorted()).toEqual([
    'InstanceConfig',
    'InstanceHealth',
    'InstanceIdentity',
  ]);
  expect(named.every(({ variables }) => variables.instance === 'desk')).toBe(true);
});

/*
 * Feature: Dashboard
 * Scenario: the settings of a member are changed in the file of that member
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq
 *   When a setting that is read at start and one that is not are changed and saved
 *   Then the page says which one takes a restart
 *   And the file of desk has both, and the file of hq is as it was
 */
browserTest('the settings of a member are changed in the file of that member', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page, hq, desk, requests } = open;
  const before = hq.read();
  await (await setting(page, 'log.level')).selectOption('debug');
  await (await setting(page, 'tasks.maxTurns')).fill('7');
  await (await setting(page, 'instance.scope.workItems')).fill('github:o/r#1\ngithub:o/r#2');
  const section = sectionOf(page, 'Configuration');
  await section.getByText('Changed: instance.scope.workItems, tasks.maxTurns, log.level').waitFor();
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('Takes a restart: log.level').waitFor();
  await section.getByText(/^In force now: (?!.*log)/).waitFor();
  expect(parse(desk.read())).toEqual({
    instance: { name: 'desk', scope: { workItems: ['github:o/r#1', 'github:o/r#2'] } },
    tasks: { maxTurns: 7 },
    log: { level: 'debug' },
  });
  expect(hq.read()).toBe(before);
  const write = requests.find(({ operation }) => operation === 'UpdateConfig');
  expect(write?.variables.instance).toBe('desk');

  await (await setting(page, 'tasks.maxTurns')).fill('');
  await section.getByRole('button', { name: 'Save' }).click();
  await section.getByText('In force now: tasks.maxTurns').waitFor();
  expect(parse(desk.read()).tasks?.maxTurns).toBeUndefined();
});

/*
 * Feature: Dashboard
 * Scenario: what cannot be a setting is not sent, and what the instance refuses is said
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq
 *   When a number is typed as words
 *   Then the field says so and nothing can be saved
 *   When a value is saved that only the instance knows to be wrong
 *   Then its words are shown, what was typed is still there, and the file is as it was
 */
browserTest('what cannot be a setting is not sent, and what the instance refuses is said', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page, desk } = open;
  const before = desk.read();
  const section = sectionOf(page, 'Configuration');
  const save = section.getByRole('button', { name: 'Save' });
  const turns = await setting(page, 'tasks.maxTurns');
  await turns.fill('many');
  expect(await turns.getAttribute('aria-invalid')).toBe('true');
  await section.getByText('This is not a number.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await section.getByRole('button', { name: 'Discard' }).click();

  const url = await setting(page, 'openai.baseUrl');
  await url.fill('nowhere');
  await save.click();
  expect(await section.getByRole('alert').textContent()).toContain('openai.baseUrl');
  expect(await url.inputValue()).toBe('nowhere');
  expect(desk.read()).toBe(before);
});

/*
 * Feature: Dashboard
 * Scenario: a daemon of a member is stopped and started
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq
 *   When the heartbeat is stopped
 *   Then it is stopped on desk and runs on hq
 *   When it is started again, and the engine is stopped, which cannot be
 *   Then the heartbeat runs, and the page says why the engine does, too
 */
browserTest('a daemon of a member is stopped and started', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page, hq } = open;
  const daemons = sectionOf(page, 'Daemons');
  await daemons.getByRole('button', { name: 'Stop heartbeat' }).click();
  await daemons.getByText('heartbeat stopped').waitFor();
  const { data } = await hq.ask('{ daemons { instance name running } }');
  expect(data.daemons.filter(({ name }: { name: string }) => name === 'heartbeat')).toEqual([
    { instance: 'hq', name: 'heartbeat', running: true },
    { instance: 'desk', name: 'heartbeat', running: false },
  ]);
  await daemons.getByRole('button', { name: 'Start heartbeat' }).click();
  await daemons.getByText('heartbeat running').waitFor();
  await daemons.getByRole('button', { name: 'Stop engine' }).click();
  expect(await daemons.getByRole('alert').textContent()).toContain('for as long as the process does');
});

/*
 * Feature: Dashboard
 * Scenario: a restart takes two presses, and what the member says to it is shown
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq, whose process nobody would start again
 *   When Restart is pressed once, by a key that is held down
 *   Then nothing is sent
 *   When it is pressed again
 *   Then desk is asked, and its refusal is shown
 */
browserTest('a restart takes two presses, and what the member says to it is shown', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page, requests } = open;
  const restart = page.getByRole('button', { name: 'Restart' });
  await restart.focus();
  for (const _ of ['press', 'repeat']) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.getByRole('button', { name: 'Restart it now? desk' }).waitFor();
  expect(requests.map(({ operation }) => operation)).not.toContain('Restart');
  await restart.click();
  await page.getByRole('alert').getByText('nobody would start this process again').waitFor();
  expect(requests.filter(({ operation }) => operation === 'Restart')).toEqual([
    { operation: 'Restart', variables: { instance: 'desk' } },
  ]);
});

/*
 * Feature: Dashboard
 * Scenario: nothing is sent to a member that is not live, and the page says why
 *   Requirement: spec/manager.md#R5.4
 *   Given a manager hq with the member away, at whose address nobody listens
 *   When the page of away is opened
 *   Then every control but Unregister is disabled with the reason, and no request names away
 *   When Unregister is pressed twice
 *   Then the instances tab is there, without away
 */
browserTest('nothing is sent to a member that is not live, and the page says why', async () => {
  await using open = await openFleetPage(stage!, {
    hash: '/instances/away',
    members: [{ name: 'away', url: NOBODY }],
  });
  const { page, requests } = open;
  const main = page.getByRole('main');
  await main.getByText(/away is not live, so nothing is sent to it: unreachable · /).waitFor();
  const controls = await main
    .getByRole('button')
    .evaluateAll((all) =>
      all.map((control) => [
        control.textContent,
        (control as { disabled?: boolean }).disabled,
        control.getAttribute('title')?.slice(0, 'unreachable · '.length) ?? null,
      ]),
    );
  expect(controls).toEqual([
    ['Restart away', true, 'unreachable · '],
    ['Unregister away', false, null],
    ['Read again Identity', true, 'unreachable · '],
    ['Read again Daemons', true, 'unreachable · '],
    ['Read again Health', true, 'unreachable · '],
    ['Read again Configuration', true, 'unreachable · '],
  ]);
  expect(new Set(requests.map(({ operation }) => operation))).toEqual(new Set(['StreamPosition', 'Fleet']));
  await main.getByRole('button', { name: 'Unregister' }).click();
  await main.getByRole('button', { name: 'Unregister it now?' }).click();
  await page.getByRole('rowheader', { name: 'desk' }).waitFor();
  expect(await page.getByRole('rowheader', { name: 'away' }).count()).toBe(0);
});

/*
 * Feature: Dashboard
 * Scenario: a member that goes away while its page is open takes no more writes
 *   Requirement: spec/manager.md#R5.4
 *   Given the page of desk on hq, with a setting that was changed and not saved
 *   When desk stops
 *   Then the settings are still there, said to be old, and every control of them is disabled with the reason
 */
browserTest('a member that goes away while its page is open takes no more writes', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page, desk } = open;
  const turns = await setting(page, 'tasks.maxTurns');
  await turns.fill('7');
  await desk.stop();
  const section = sectionOf(page, 'Configuration');
  await section.getByText('What follows is from the last reading.').waitFor();
  expect(await turns.inputValue()).toBe('7');
  for (const control of [turns, section.getByRole('button', { name: 'Save' })]) {
    expect(await control.isDisabled()).toBe(true);
    expect(await control.getAttribute('title')).toContain('unreachable');
  }
});

/*
 * Feature: Dashboard
 * Scenario: the page of an instance that is not in the fleet leads back
 *   Requirement: spec/manager.md#R5.4
 *   Given a manager hq
 *   When the page of nobody is opened
 *   Then it says that there is none, and a link leads to all instances
 */
browserTest('the page of an instance that is not in the fleet leads back', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/nobody' });
  const { page } = open;
  await page.getByText('There is no instance nobody here.').waitFor();
  await page.getByRole('link', { name: 'All instances' }).click();
  await page.getByRole('rowheader', { name: 'hq' }).waitFor();
});

/*
 * Feature: Dashboard
 * Scenario: a worker has a page of its own, from which it cannot be unregistered
 *   Requirement: spec/manager.md#R5.4, spec/manager.md#R5.1
 *   Given a worker desk that serves its own dashboard
 *   When its page is opened and a setting is saved
 *   Then the file has it, no request has named an instance, and there is no Unregister
 */
browserTest('a worker has a page of its own, from which it cannot be unregistered', async () => {
  await using desk = await RunningInstance.start('instance: { name: desk }\n', { webRoot: stage!.assets });
  const page = await stage!.newPage();
  const requests = recordRequests(page);
  await page.goto(`${desk.url}/#/instances/desk`);
  await (await setting(page, 'tasks.maxTurns')).fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('In force now: tasks.maxTurns').waitFor();
  expect(parse(desk.read()).tasks).toEqual({ maxTurns: 7 });
  expect(requests.filter(({ variables }) => variables.instance !== undefined)).toEqual([]);
  expect(await page.getByRole('button', { name: 'Unregister' }).count()).toBe(0);
  await page.close();
});

/*
 * Feature: Dashboard
 * Scenario: the page of an instance is used by keyboard and heard by a screen reader
 *   Requirement: spec/manager.md#T9
 *   Given the page of desk on hq, with a group of settings open
 *   When it is looked at as a screen reader does
 *   Then it begins at its heading, every part is a named region, and every control has a name
 *   And a setting that is wrong is told by its field, with the reason
 */
browserTest('the page of an instance is used by keyboard and heard by a screen reader', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page } = open;
  const main = page.getByRole('main');
  await main.locator('summary', { has: page.getByText('instance', { exact: true }) }).press('Enter');
  await main.getByLabel('instance.name', { exact: true }).waitFor();
  expect(await main.getByRole('region').count()).toBe(4);
  const nameless = await main.locator('a, button, input, select, textarea').evaluateAll((all) =>
    all
      .filter((control) => control.checkVisibility())
      .map((control) => {
        const { labels } = control as { labels?: ArrayLike<{ textContent: string }> };
        return control.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? control.textContent;
      })
      .filter((name) => !name?.trim()),
  );
  expect(nameless).toEqual([]);

  const timeout = main.getByLabel('instance.manager.timeoutSeconds', { exact: true });
  await timeout.fill('0');
  expect(await timeout.getAttribute('aria-invalid')).toBe('true');
  const about = await timeout.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${about}"]`).textContent()).toContain('At least 1 is expected.');
});
