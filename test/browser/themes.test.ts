/**
 * The pages in each of their states and in both themes.
 *
 * With `FLOTILLA_SCREENSHOTS` each is also written there as a picture, to be looked at.
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { MockFleet } from '../support/MockFleet.ts';
import { createMockInstance } from '../support/MockInstance.ts';
import { browserTest, createStage, type Stage } from './browser.ts';
import { faintTexts } from './contrast.ts';
import { openFleetPage } from './openFleetPage.ts';

const SCREENSHOTS = process.env.FLOTILLA_SCREENSHOTS;
const LONG_NAME = 'a-member-whose-name-is-as-long-as-it-can-';
const WIDTHS = [1280, 390];

let stage: Stage | undefined;

beforeAll(async () => {
  stage = await createStage();
}, 120_000);

afterAll(() => stage?.[Symbol.asyncDispose]());

/** Nothing is too faint and nothing is wider than the screen, in both themes, on a wide and on a narrow screen. */
async function expectReadable(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const look = `${state}-${colorScheme}-${width}`;
      if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, `${look}.png`) });
      expect(await faintTexts(page), look).toEqual([]);
      const boxes = [page.locator('html'), page.locator('main')];
      const widths = await Promise.all(boxes.map((box) => box.evaluate((part) => part.scrollWidth)));
      expect(Math.max(...widths), look).toBeLessThanOrEqual(width);
    }
  }
}

async function openMock(hash: string, prepare: (fleet: MockFleet) => void = () => {}) {
  const fleet = new MockFleet(['alpha', 'beta', LONG_NAME.slice(0, 40)]);
  for (const instance of fleet.instances) fleet.add({ instance, name: `Task of ${instance}` });
  prepare(fleet);
  await using resources = new AsyncDisposableStack();
  const mock = resources.use(await createMockInstance(fleet, stage!.assets));
  const page = await stage!.newPage();
  resources.defer(() => page.close());
  await page.goto(`${mock.url}#${hash}`);
  const owned = resources.move();
  return { mock, page, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/*
 * Feature: Dashboard
 * Scenario: the work of a fleet can be read in both themes
 *   Requirement: spec/manager.md#T5
 *   Given a manager with tasks in several states, and one of its members away
 *   When the board is opened, and then one of the tasks
 *   Then every text has the contrast of WCAG AA, and nothing is wider than the screen, in both themes
 */
browserTest('the work of a fleet can be read in both themes', async () => {
  await using open = await openMock('/', (fleet) => {
    fleet.add({ instance: 'beta', name: 'A task that has failed', state: 'FAILED', subState: null });
    fleet.add({ instance: 'beta', name: 'A task that asks', subState: 'AWAITING_ANSWER' });
    fleet.say(fleet.tasks[0]!, 'How far are you?');
    fleet.unreachable.add(LONG_NAME.slice(0, 40));
  });
  const { page } = open;
  await page.getByRole('link', { name: 'A task that asks' }).waitFor();
  await expectReadable(page, 'board');
  await page.getByRole('link', { name: 'Task of alpha' }).click();
  await page.getByText('You said: How far are you?').last().waitFor();
  await expectReadable(page, 'task');
});

/*
 * Feature: Dashboard
 * Scenario: a fleet that is well can be read in both themes
 *   Requirement: spec/manager.md#T5
 *   Given a manager whose members are live, one of them with the longest name
 *   When the instances tab is opened, with the health behind its word
 *   Then every text has the contrast of WCAG AA, and nothing is wider than the screen, in both themes
 */
browserTest('a fleet that is well can be read in both themes', async () => {
  await using open = await openMock('/instances');
  const { page } = open;
  await page.getByRole('rowheader', { name: 'beta' }).waitFor();
  await expectReadable(page, 'well');
  await page.getByRole('button', { name: /^Health: / }).click();
  await page.getByRole('dialog', { name: 'Health' }).getByText('heartbeat').waitFor();
  await expectReadable(page, 'health');
});

/*
 * Feature: Dashboard
 * Scenario: a fleet with members away, and a registration that cannot be, can be read in both themes
 *   Requirement: spec/manager.md#T5
 *   Given a manager two of whose members are not live
 *   When the instances tab is opened and a taken name is typed
 *   Then every text has the contrast of WCAG AA, and nothing is wider than the screen, in both themes
 */
browserTest(
  'a fleet with members away, and a registration that cannot be, can be read in both themes',
  async () => {
    await using open = await openMock('/instances', (fleet) => {
      for (const name of fleet.instances.slice(1)) fleet.unreachable.add(name);
    });
    const { page } = open;
    await page.getByText('2 instances are not live:').waitFor();
    await page.getByLabel('Name').fill('beta');
    await page.getByLabel('URL').fill('beta:4114');
    await page.getByText('There is already an instance beta.').waitFor();
    await expectReadable(page, 'away');
  },
);

/*
 * Feature: Dashboard
 * Scenario: a manager that cannot be reached any more can be read in both themes
 *   Requirement: spec/manager.md#T5
 *   Given an open instances tab
 *   When its manager is gone
 *   Then the last reading is shown and said to be the last one, the health is unknown, and all of it can be read
 */
browserTest('a manager that cannot be reached any more can be read in both themes', async () => {
  await using open = await openMock('/instances');
  const { page, mock } = open;
  await page.getByRole('rowheader', { name: 'beta' }).waitFor();
  await mock[Symbol.asyncDispose]();
  await page.getByText('What follows is from the last reading.').waitFor();
  await page.getByRole('button', { name: 'Health: unknown' }).waitFor();
  await expectReadable(page, 'gone');
});

/*
 * Feature: Dashboard
 * Scenario: the page of a member with settings that are changed can be read in both themes
 *   Requirement: spec/manager.md#T5
 *   Given a manager hq with the member desk
 *   When the page of desk is opened with a group of settings
 *   And a setting is saved, another one changed and a third one wrong
 *   Then every text has the contrast of WCAG AA, and nothing is wider than the screen, in both themes
 */
browserTest('the page of a member with settings that are changed can be read in both themes', async () => {
  await using open = await openFleetPage(stage!, { hash: '/instances/desk' });
  const { page } = open;
  await page.getByText('instance', { exact: true }).click();
  await page.getByLabel('instance.role').waitFor();
  await expectReadable(page, 'member');
  const search = page.getByLabel('Search settings');
  await search.fill('log.level');
  await page.getByLabel('log.level', { exact: true }).selectOption('debug');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Takes a restart: log.level').waitFor();
  await search.fill('service');
  await page.getByLabel('service.port', { exact: true }).fill('many');
  await page.getByLabel('service.host', { exact: true }).fill('127.0.0.2');
  await page.getByText('This is not a number.').waitFor();
  await expectReadable(page, 'settings');
});

/*
 * Feature: Dashboard
 * Scenario: the page of a member that is away can be read in both themes
 *   Requirement: spec/manager.md#T5
 *   Given a manager whose member is not live
 *   When the page of the member is opened
 *   Then every text has the contrast of WCAG AA, and nothing is wider than the screen, in both themes
 */
browserTest('the page of a member that is away can be read in both themes', async () => {
  await using open = await openMock(`/instances/${LONG_NAME.slice(0, 40)}`, ({ unreachable, instances }) =>
    unreachable.add(instances[2]!),
  );
  const { page } = open;
  await page.getByText('is not live, so nothing is sent to it').waitFor();
  await expectReadable(page, 'member-away');
});
